import { isObject } from './json.js';
import { members, skipSpace, skipValue } from './json-members.js';

/** Where one element of a list, or one member of an object, is in its text. */
interface Span {
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** What is written in the place of a span, or as something new. */
interface Piece {
  readonly text: string;
  /** The number of the span it takes the place of. */
  readonly of?: number;
}

/**
 * Prints `after`, which was made of `before` by copying what changed and sharing all the rest, from the `text` that `before`
 * was parsed from: what is shared keeps every character, numbers beyond double precision, escapes and white space among
 * them. Members that are undefined are left out. Linear in the text for every level that has changes. `text` must be valid.
 */
export function printChanges(text: string, before: unknown, after: unknown): string {
  if (before === after) return text;
  const start = skipSpace(text, 0);
  const end = skipValue(text, start);
  return text.slice(0, start) + printed(text, { start, valueStart: start, end }, before, after) + text.slice(end);
}

function printed(text: string, { valueStart, end }: Span, before: unknown, after: unknown): string {
  if (before === after) return text.slice(valueStart, end);
  if (Array.isArray(before) && Array.isArray(after)) return printedList(text, valueStart, end, before, after);
  if (isObject(before) && isObject(after)) return printedObject(text, valueStart, end, before, after);
  return JSON.stringify(after) ?? 'null';
}

function printedList(
  text: string,
  open: number,
  end: number,
  before: readonly unknown[],
  after: readonly unknown[],
): string {
  const spans = elements(text, open);
  const places = new Map(before.map((value, index) => [value, index] as const));
  const kept = new Set(after);
  let next = 0;
  const pieces = after.map((value): Piece => {
    const known = isObject(value) ? places.get(value) : undefined;
    const place = known ?? (next < before.length && !kept.has(before[next]) ? next : undefined);
    const span = place === undefined ? undefined : spans[place];
    if (place === undefined || span === undefined) return { text: JSON.stringify(value) ?? 'null' };
    next = place + 1;
    return { text: printed(text, span, before[place], value), of: place };
  });
  return joined(text, open, end, spans, pieces);
}

function printedObject(text: string, open: number, end: number, before: object, after: object): string {
  const found = [...members(text, open)];
  const last = new Map(found.map(({ key }, index) => [key, index] as const));
  const spans = found.map(({ start, valueStart, valueEnd }) => ({ start, valueStart, end: valueEnd }));
  const pieces = found.flatMap(({ key, valueStart }, index): Piece[] => {
    const [was, is] = [memberOf(before, key), memberOf(after, key)];
    const span = spans[index];
    // Of members with one name the last counts; the others would contradict it.
    if (is === undefined || span === undefined || (was !== is && last.get(key) !== index)) return [];
    return [{ text: text.slice(span.start, valueStart) + printed(text, span, was, is), of: index }];
  });
  for (const [key, value] of Object.entries(after)) {
    const json = last.has(key) ? undefined : JSON.stringify(value);
    if (json !== undefined) pieces.push({ text: `${JSON.stringify(key)}:${json}` });
  }
  return joined(text, open, end, spans, pieces);
}

function memberOf(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? Reflect.get(object, key) : undefined;
}

/** The pieces between the brackets of a value, with what stood in front of each where something did. */
function joined(text: string, open: number, end: number, spans: readonly Span[], pieces: readonly Piece[]): string {
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) {
    return text.slice(open, open + 1) + pieces.map((piece) => piece.text).join(',') + text.slice(end - 1, end);
  }
  let out = text.slice(open, first.start);
  pieces.forEach((piece, index) => {
    if (index > 0) out += gapBefore(text, spans, piece.of);
    out += piece.text;
  });
  return out + text.slice(last.end, end);
}

function gapBefore(text: string, spans: readonly Span[], index: number | undefined): string {
  const [before, span] = index === undefined ? [] : [spans[index - 1], spans[index]];
  return before === undefined || span === undefined ? ',' : text.slice(before.end, span.start);
}

/** The elements of the list whose bracket is at `open`. */
function elements(text: string, open: number): Span[] {
  const spans: Span[] = [];
  let at = skipSpace(text, open + 1);
  while (at < text.length && text[at] !== ']') {
    const end = skipValue(text, at);
    spans.push({ start: at, valueStart: at, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return spans;
}
