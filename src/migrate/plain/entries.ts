import { type Cutter, createElementCutter, createLineCutter, createWholeCutter, type Part } from './cut.js';
import { type Reading, type Source, textOf } from './source.js';

/** One recorded exchange as it stands in its file. */
export interface Entry {
  /** The name of the file without its folder. */
  readonly file: string;
  /** The number of its line; in a file that is one JSON text its number among the entries. From 1. */
  readonly line: number;
  /** undefined = there is nothing that could be read, for a reason. */
  readonly text: string | undefined;
  readonly reason?: string;
}

/** What a file begins with, in UTF-16 units, by which its content is recognised. */
const BEGINNING = 4096;

/**
 * The entries of a file in portions, as it is read: lines of JSON, the entries of a HAR file, the requests of a batch that is one
 * JSON text, the elements of a list, or one JSON text that begins with a line of its own.
 */
export async function* entriesOf(source: Source, reading: Reading): AsyncGenerator<readonly Entry[]> {
  const file = source.name;
  let portion: Entry[] = [];
  const take = (): Entry[] => {
    const taken = portion;
    portion = [];
    return taken;
  };
  let number = 0;
  const part: Part = (text, line) => {
    number = line;
    portion.push({ file, line, text, ...(text === undefined && { reason: 'it is too long' }) });
  };
  let beginning = '';
  let cutter: Cutter | undefined;
  try {
    for await (const text of textOf(source, reading)) {
      if (cutter === undefined) {
        beginning += text;
        if (beginning.length < BEGINNING) continue;
        cutter = cutterFor(beginning, part);
        cutter.push(beginning);
      } else cutter.push(text);
      if (portion.length > 0) yield take();
    }
    if (cutter === undefined) {
      cutter = cutterFor(beginning, part);
      cutter.push(beginning);
    }
    if (!cutter.end()) portion.push({ file, line: number + 1, text: undefined, reason: 'the file ends too early' });
  } catch {
    portion.push({ file, line: number + 1, text: undefined, reason: 'the file cannot be read on' });
  }
  yield take();
}

const WHOLE = /^\s*(?:(\[)|\{\s*"(log|requests)"\s*:|(\{\s*\n))/;

function cutterFor(beginning: string, part: Part): Cutter {
  const [, list, member, text] = WHOLE.exec(beginning.slice(0, BEGINNING)) ?? [];
  if (list !== undefined) return createElementCutter([], part);
  if (member !== undefined) return createElementCutter(member === 'log' ? ['log', 'entries'] : ['requests'], part);
  return text === undefined ? createLineCutter(part) : createWholeCutter(part);
}
