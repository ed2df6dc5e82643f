import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Translation cases: markdown files that tell one behaviour each and are run as tests. What blocks a file may hold, and
 * what their info strings mean, is told in test/cases/README.md.
 */

/** One fenced block of a case file. */
export interface Block {
  /** First word of the info string: `json`, `sse`, `losses`, `refused`, or anything that is only shown. */
  readonly lang: string;
  /** Words of the info string without a value, such as `request`, `next`. */
  readonly words: ReadonlySet<string>;
  /** `key=value` pairs of the info string. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  /** Lines of the fence's content in the file: first (0-based) and one past the last. */
  readonly lines: readonly [number, number];
  /** The nearest heading above. */
  readonly heading: string;
}

/** A parsed case file. */
export interface CaseFile {
  /** Path below the cases folder, without the extension. */
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Every case file below `root`, sorted by name. */
export function loadCases(root: string): CaseFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.endsWith('README.md'))
    .sort()
    .map((file) => {
      const path = join(root, file);
      return parseCase(relative(root, path).replace(/\.md$/, ''), path, readFileSync(path, 'utf8'));
    });
}

/** Cuts one case file into its blocks. */
export function parseCase(name: string, path: string, source: string): CaseFile {
  const lines = source.split('\n');
  const blocks: Block[] = [];
  let title = '';
  let heading = '';
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const head = /^(#+) (.*)$/.exec(line);
    if (head !== null) {
      if (head[1] === '#') title = head[2] ?? '';
      else heading = head[2] ?? '';
      continue;
    }
    if (!line.startsWith('```')) continue;
    let end = i + 1;
    while (end < lines.length && lines[end] !== '```') end++;
    if (end === lines.length) throw new Error(`${name}:${i + 1}: the block is never closed`);
    blocks.push({
      ...parseInfo(line.slice(3)),
      text: lines.slice(i + 1, end).join('\n'),
      lines: [i + 1, end],
      heading,
    });
    i = end;
  }
  if (title === '') throw new Error(`${name}: a case needs a title`);
  return { name, path, title, blocks };
}

function parseInfo(info: string): Pick<Block, 'lang' | 'words' | 'attributes'> {
  const [lang = '', ...rest] = info.trim().split(/\s+/);
  const words = new Set<string>();
  const attributes: Record<string, string> = {};
  for (const word of rest) {
    const at = word.indexOf('=');
    if (at < 0) words.add(word);
    else attributes[word.slice(0, at)] = word.slice(at + 1);
  }
  return { lang, words, attributes };
}

/** The JSON of a block, with the place in the file when it is none. */
export function parseJson(file: CaseFile, block: Block): unknown {
  try {
    return JSON.parse(block.text);
  } catch (cause) {
    throw new Error(`${file.name}:${block.lines[0] + 1}: ${String(cause)}`, { cause });
  }
}

/** The same file with the content of some blocks replaced. */
export function replaceBlocks(source: string, replacements: ReadonlyMap<Block, string>): string {
  const lines = source.split('\n');
  const ordered = [...replacements].sort(([a], [b]) => b.lines[0] - a.lines[0]);
  for (const [block, text] of ordered) {
    lines.splice(block.lines[0], block.lines[1] - block.lines[0], ...(text === '' ? [] : text.split('\n')));
  }
  return lines.join('\n');
}

/** One server-sent event as an expectation compares it. */
export interface Frame {
  /** Absent where the stream names no events. */
  readonly event?: string;
  readonly data: unknown;
}

/** Cuts a stream into frames; comments are left out. A frame whose data is no JSON keeps it as text. */
export function parseFrames(text: string): Frame[] {
  const frames: Frame[] = [];
  for (const chunk of text.replaceAll('\r\n', '\n').split(/\n\n+/)) {
    const data: string[] = [];
    let event: string | undefined;
    for (const line of chunk.split('\n')) {
      if (line.startsWith('event:')) event = line.slice(6).trim();
      else if (line.startsWith('data:')) data.push(line.slice(5).trim());
      else if (line !== '' && !/^(:|id:|retry:)/.test(line)) data.push(line);
    }
    if (data.length > 0) frames.push({ ...(event !== undefined && { event }), data: jsonOrText(data.join('\n')) });
  }
  return frames;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Texts that placeholders of expectations stood for, by placeholder. */
export type Bindings = Map<string, string>;

const PLACEHOLDER = /^<([A-Za-z0-9_-]+) (\d+)>$/;

/** What a text must begin with to stand for a placeholder. */
function prefixOf(word: string): string {
  if (word === 'carrier') return 'ilingua1';
  return word === 'text' ? '' : word;
}

/**
 * Where `actual` differs from `expected`, as `path: reason` lines; none when it fits. In expectations `"..."` as a key
 * lets other keys follow, `"<any>"` stands for any value, and `"<word 1>"` for a text that begins with `word`
 * (`<carrier 1>` for a carrier, `<text 1>` for any text) and is the same wherever the placeholder occurs.
 */
export function differences(expected: unknown, actual: unknown, bindings: Bindings, path = ''): string[] {
  if (expected === '<any>') return actual === undefined ? [`${path}: missing`] : [];
  if (typeof expected === 'string') return textDifferences(expected, actual, bindings, path);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${path}: expected a list, got ${show(actual)}`];
    const found = expected.flatMap((item, i) =>
      i < actual.length
        ? differences(item, actual[i], bindings, `${path}/${i}`)
        : [`${path}/${i}: missing ${show(item)}`],
    );
    for (let i = expected.length; i < actual.length; i++) found.push(`${path}/${i}: not expected: ${show(actual[i])}`);
    return found;
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return [`${path}: expected an object, got ${show(actual)}`];
    const found: string[] = [];
    for (const [key, value] of Object.entries(expected)) {
      if (key === '...') continue;
      if (!(key in actual)) found.push(`${path}/${key}: missing ${show(value)}`);
      else found.push(...differences(value, actual[key], bindings, `${path}/${key}`));
    }
    if (!('...' in expected)) {
      for (const key of Object.keys(actual)) {
        if (!(key in expected)) found.push(`${path}/${key}: not expected: ${show(actual[key])}`);
      }
    }
    return found;
  }
  return Object.is(expected, actual) ? [] : [`${path}: expected ${show(expected)}, got ${show(actual)}`];
}

function textDifferences(expected: string, actual: unknown, bindings: Bindings, path: string): string[] {
  const placeholder = PLACEHOLDER.exec(expected);
  if (placeholder === null) {
    return expected === actual ? [] : [`${path}: expected ${show(expected)}, got ${show(actual)}`];
  }
  if (typeof actual !== 'string') return [`${path}: expected ${expected}, got ${show(actual)}`];
  const bound = bindings.get(expected);
  if (bound !== undefined)
    return bound === actual ? [] : [`${path}: ${expected} was ${show(bound)}, is ${show(actual)}`];
  for (const [other, text] of bindings) {
    if (text === actual && other !== expected) return [`${path}: ${expected} and ${other} are both ${show(actual)}`];
  }
  const prefix = prefixOf(placeholder[1] ?? '');
  if (!actual.startsWith(prefix)) return [`${path}: expected a text that begins with ${prefix}, got ${show(actual)}`];
  bindings.set(expected, actual);
  return [];
}

/** `value` with every bound placeholder replaced by its text. Throws for one that is not bound. */
export function fillIn(value: unknown, bindings: Bindings): unknown {
  if (typeof value === 'string') {
    if (!PLACEHOLDER.test(value)) return value;
    const text = bindings.get(value);
    if (text === undefined) throw new Error(`the answer before did not bind ${value}`);
    return text;
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, bindings));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, bindings)]));
}

/** One expected loss; `path` may end in `*`, feature and kind may name several with `|`, a kind with `?` may be missing. */
export interface ExpectedLoss {
  readonly optional: boolean;
  readonly path: string;
  readonly features: readonly string[];
  readonly kinds: readonly string[];
}

/** Lines `path  feature  kind  detail` of a losses block; `""` is the root's path. */
export function parseLosses(block: Block): ExpectedLoss[] {
  return block.text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [path = '', feature = '', kind = ''] = line.trim().split(/\s+/);
      return {
        path: path === '""' ? '' : path,
        features: feature.split('|'),
        kinds: kind.replace('?', '').split('|'),
        optional: kind.endsWith('?'),
      };
    });
}

/** The losses that were expected and did not come, and those that came unexpected, as lines. */
export function lossDifferences(
  expected: readonly ExpectedLoss[],
  actual: readonly { path: string; feature: string; kind: string; detail: string }[],
): string[] {
  const rest = [...actual];
  const found: string[] = [];
  for (const wanted of expected) {
    const at = rest.findIndex(
      (loss) =>
        wanted.features.includes(loss.feature) &&
        wanted.kinds.includes(loss.kind) &&
        (wanted.path.endsWith('*') ? loss.path.startsWith(wanted.path.slice(0, -1)) : loss.path === wanted.path),
    );
    if (at < 0 && wanted.optional) continue;
    if (at < 0)
      found.push(`missing loss: ${wanted.path || '""'}  ${wanted.features.join('|')}  ${wanted.kinds.join('|')}`);
    else rest.splice(at, 1);
  }
  return [...found, ...rest.map((loss) => `loss not expected: ${printLoss(loss)}`)];
}

/** One line of a losses block. */
export function printLoss(loss: { path: string; feature: string; kind: string; detail: string }): string {
  return `${loss.path || '""'}  ${loss.feature}  ${loss.kind}  ${loss.detail}`;
}

/** JSON for people: what fits on one line of `width` stays on it. */
export function printJson(value: unknown, indent = '', width = 110): string {
  const flat = flatJson(value);
  if (indent.length + flat.length <= width || typeof value !== 'object' || value === null) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + printJson(item, inner, width)).join(',\n')}\n${indent}]`;
  }
  const rows = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${printJson(item, inner, width)}`,
  );
  return `{\n${rows.join(',\n')}\n${indent}}`;
}

function flatJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${flatJson(item)}`)
    .join(', ')}}`;
}

/** Frames as a stream block shows them. */
export function printFrames(frames: readonly Frame[]): string {
  return frames
    .map((frame) => {
      const data = typeof frame.data === 'string' ? frame.data : JSON.stringify(frame.data);
      return `${frame.event === undefined ? '' : `event: ${frame.event}\n`}data: ${data}`;
    })
    .join('\n\n');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
}
