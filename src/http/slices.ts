/**
 * Work on bodies above so many bytes is cut into slices, between which the event loop serves others. A body of this size takes about
 * 15 ms from its bytes to those of its translation, which no other client notices; one of 45 MB takes half a second.
 */
export const LARGE = 1024 * 1024;

/** Characters of JSON that are printed before others are served: some 5 ms of work. */
const SLICE = 1024 * 1024;

/** Containers deeper than this are printed whole: passing each of their pieces up would cost their depth. */
const DEPTH = 12;

/** Resolves when the event loop has served what was waiting. */
export function serveOthers(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The bytes of `JSON.stringify`, for a value that has no `toJSON`; others are served every `slice` characters. */
export async function printInSlices(value: unknown, slice = SLICE): Promise<Buffer> {
  const printed: Buffer[] = [];
  let text = '';
  for (const piece of pieces(value, slice, 0)) {
    text += piece;
    if (text.length < slice) continue;
    printed.push(Buffer.from(text));
    text = '';
    await serveOthers();
  }
  printed.push(Buffer.from(text));
  return Buffer.concat(printed);
}

function* pieces(value: unknown, slice: number, depth: number): Generator<string> {
  if (typeof value === 'string' && value.length > slice) {
    yield* pieceString(value, slice);
  } else if (typeof value !== 'object' || value === null || depth === DEPTH) {
    // What JSON has no word for is null in arrays; objects leave it out.
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    let before = '[';
    for (const item of value) {
      yield before;
      yield* pieces(item, slice, depth + 1);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else {
    let before = '{';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* pieces(member, slice, depth + 1);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

/** A long string, never cut within a pair of surrogates: each half alone would be escaped. */
function* pieceString(text: string, slice: number): Generator<string> {
  yield '"';
  let from = 0;
  while (from < text.length) {
    let to = from + slice;
    if (isPair(text, to - 1)) to += 1;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
