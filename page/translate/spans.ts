/** Where a value is in the text of its JSON. */
export interface Span {
  /** Where its key begins; of a value without a key, where it begins itself. */
  readonly start: number;
  readonly valueStart: number;
  /** One past its last character. */
  readonly end: number;
}

/** The values of a JSON text by their JSON Pointers. */
export type Spans = ReadonlyMap<string, Span>;

/** A container that is still open. */
interface Open {
  readonly path: string;
  readonly start: number;
  readonly valueStart: number;
  /** Of a list, the index of its next value; undefined for objects. */
  index?: number;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/gy;
const SPACE = /\s*/y;

/** A part of a JSON Pointer (RFC 6901). */
export const segment = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Finds every value of a JSON text, which must be valid. Of keys that come again the last counts, as for JSON.parse. */
export function spansOf(text: string): Spans {
  const spans = new Map<string, Span>();
  const open: Open[] = [];
  let key: { readonly text: string; readonly start: number } | undefined;
  for (let at = 0; at < text.length; ) {
    SPACE.lastIndex = at;
    TOKEN.lastIndex = at + (SPACE.exec(text)?.[0].length ?? 0);
    const valueStart = TOKEN.lastIndex;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) break;
    at = TOKEN.lastIndex;
    const parent = open.at(-1);
    if (token === '}' || token === ']') {
      open.pop();
      if (parent !== undefined) spans.set(parent.path, { start: parent.start, valueStart: parent.valueStart, end: at });
    } else if (token === ',') {
      key = undefined;
    } else if (token !== ':') {
      if (parent !== undefined && parent.index === undefined && key === undefined) {
        key = { text: JSON.parse(token) as string, start: valueStart };
        continue;
      }
      const path = parent === undefined ? '' : parent.path + segment(key?.text ?? parent.index ?? '');
      const start = key?.start ?? valueStart;
      if (parent?.index !== undefined) parent.index += 1;
      key = undefined;
      if (token === '{') open.push({ path, start, valueStart });
      else if (token === '[') open.push({ path, start, valueStart, index: 0 });
      else spans.set(path, { start, valueStart, end: at });
    }
  }
  return spans;
}

/** The pointer of what holds a value; undefined for the whole. */
export function parentOf(path: string): string | undefined {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? undefined : path.slice(0, cut);
}

/** A stretch of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The stretch to mark for a value: of the whole, and of what holds a value that is not there, where it begins. */
export function rangeOf(spans: Spans, path: string): Range {
  const exact = path === '' ? undefined : spans.get(path);
  if (exact !== undefined) return exact;
  for (let near: string | undefined = path; near !== undefined; near = parentOf(near)) {
    const span = spans.get(near);
    if (span !== undefined) return { start: span.start, end: Math.min(span.end, span.valueStart + 1) };
  }
  return { start: 0, end: 0 };
}
