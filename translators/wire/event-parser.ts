import { isObject, type Json, type JsonObject, type ParsedJson, parseJson } from './json.js';
import { skipJsonString } from './json-scan.js';

/** Parses the events of one stream, one after the other. */
export type EventParser = (text: string) => ParsedJson;

/** What a reader says of its events. */
export type EventParserOptions = {
  /** How deep an event may nest; as for `parseJson`. */
  maxDepth?: number | undefined;
  /**
   * Whether the reader keeps no value of the event object, and changes nothing of it: when the next event is parsed, the same
   * object may hold the values of that one, under the same keys. This must follow from the form of the event: its keys, its brackets, and its `type` values.
   */
  isTransient(event: JsonObject): boolean;
};

/** Whether all members are scalars, but for those named. */
export function isFlat(node: Readonly<Record<string, unknown>>, ...others: readonly string[]): boolean {
  for (const key in node)
    if (typeof node[key] === 'object' && node[key] !== null && !others.includes(key)) return false;
  return true;
}

/**
 * A parser that gives what {@link parseJson} gives. Most events of a stream differ from the one before in a few scalars: a piece of
 * text, a count. Where an event is transient and the text around these scalars is that of the last ones, they are put into the object
 * of the last, which costs a third of parsing (Decision 0016).
 */
export function createEventParser({ maxDepth, isTransient }: EventParserOptions): EventParser {
  let pattern: Pattern | undefined;
  let last = '';
  let comparisons = MAX_COMPARED;

  return (text) => {
    if (pattern !== undefined && fill(pattern, text)) return pattern.parsed;
    const parsed = parseJson(text, maxDepth);
    if (
      comparisons > 0 &&
      text.length <= MAX_LENGTH &&
      parsed.ok &&
      isObject(parsed.value) &&
      isTransient(parsed.value)
    ) {
      comparisons -= 1;
      // A copy: slices of a chunk that came would keep all of it for as long as the stream is open.
      const own = ` ${text}`.slice(1);
      pattern = patternOf(last, own) ?? pattern;
      last = own;
    }
    return parsed;
  };
}

/** What is long in longer events has to be read either way. */
const MAX_LENGTH = 2048;

/** So many events are compared with the one before: those of a stream that changes its form all the time are only parsed. */
const MAX_COMPARED = 32;

/** Where more differs, parsing is as fast. */
const MAX_SLOTS = 6;

/** A scalar in which events differ. */
type Slot = { owner: JsonObject; key: string; isString: boolean };

/** What events have in common, which is all but their slots. */
type Pattern = {
  /** The text in front of each slot, up to its opening quote, and behind the last. */
  fixed: string[];
  slots: Slot[];
  /** The event that the slots are in. */
  parsed: ParsedJson;
};

/** Puts the scalars of a text into the event of the pattern. False where the text has another form; some may be changed by then. */
function fill({ fixed, slots }: Pattern, text: string): boolean {
  let at = 0;
  let index = 0;
  for (const { owner, key, isString } of slots) {
    const before = fixed[index] ?? '';
    const from = at + before.length;
    if (text.slice(at, from) !== before) return false;
    at = isString ? plainEnd(text, from) : numberEnd(text, from);
    if (at !== -1) {
      owner[key] = isString ? text.slice(from, at) : numberIn(text, from, at);
    } else {
      at = isString ? skipJsonString(text, from) - 1 : -1;
      const escaped = at < 0 ? undefined : parseJson(text.slice(from - 1, at + 1));
      if (escaped?.ok !== true) return false;
      owner[key] = escaped.value;
    }
    index += 1;
  }
  return text.slice(at) === fixed[index];
}

const SPACE = 0x20;
const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;

/** Where a string ends that begins at `from`; -1 where it does not, or needs a closer look. */
function plainEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH || code < SPACE) return -1;
  }
  return -1;
}

/** Where a number of up to 15 digits and nothing else ends that begins at `from`; -1 where there is none. */
function numberEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  const isPlain = at === from + 1 || (at > from && at <= from + 15 && text.charCodeAt(from) !== ZERO);
  return isPlain ? at : -1;
}

function numberIn(text: string, from: number, end: number): number {
  let number = 0;
  for (let at = from; at < end; at += 1) number = 10 * number + text.charCodeAt(at) - ZERO;
  return number;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Stands for the scalar of a slot while its place is looked for. A private character: nothing else looks like it. */
const MARK = '\ue000';

/** What two events have in common; undefined where they are of different forms, or differ in more than scalars of objects. */
function patternOf(earlier: string, later: string): Pattern | undefined {
  const fixed: string[] = [];
  const kinds: boolean[] = [];
  let from = 0;
  let [before, at] = [0, 0];
  while (at < later.length) {
    const code = later.charCodeAt(at);
    const isString = code === QUOTE;
    if (!isString && code !== MINUS && !isDigit(code)) {
      if (earlier.charCodeAt(before) !== code) return undefined;
      before += 1;
      at += 1;
      continue;
    }
    const [start, end, endBefore] = [at, tokenEnd(later, at, isString), tokenEnd(earlier, before, isString)];
    if (end === -1 || endBefore === -1) return undefined;
    if (later.slice(start, end) !== earlier.slice(before, endBefore)) {
      fixed.push(later.slice(from, isString ? start + 1 : start));
      kinds.push(isString);
      from = isString ? end - 1 : end;
    }
    [before, at] = [endBefore, end];
  }
  fixed.push(later.slice(from));
  if (before < earlier.length || kinds.length > MAX_SLOTS || fixed.some(mayHideMark)) return undefined;
  return patternWith(fixed, kinds);
}

/** Where the string or number ends that begins at `at`; -1 where there is none. */
function tokenEnd(text: string, at: number, isString: boolean): number {
  if (isString) return text.charCodeAt(at) === QUOTE ? skipJsonString(text, at + 1) : -1;
  let end = at;
  while (end < text.length && NUMBER_SIGNS.includes(text[end] ?? '')) end += 1;
  return end > at ? end : -1;
}

const NUMBER_SIGNS = '0123456789+-.eE';

/** Text in which a mark may be written, in one way or another. */
function mayHideMark(text: string): boolean {
  return text.includes(MARK) || text.includes('\\');
}

/** Parses the text with marks for its slots, which shows where they belong: what is in a slot changes nothing around it. */
function patternWith(fixed: string[], kinds: readonly boolean[]): Pattern | undefined {
  const marks = kinds.map((isString, index) => (isString ? `${MARK}${index}` : `"${MARK}${index}"`));
  const parsed = parseJson(fixed.map((text, index) => text + (marks[index] ?? '')).join(''));
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const found = new Map<number, Slot>();
  const seek = (node: Json): void => {
    if (Array.isArray(node)) node.forEach(seek);
    else if (isObject(node))
      for (const key in node) {
        const value = node[key] ?? null;
        const index = typeof value === 'string' && value.startsWith(MARK) ? Number(value.slice(MARK.length)) : -1;
        if (index === -1) seek(value);
        else if (key !== 'type') found.set(index, { owner: node, key, isString: kinds[index] === true });
      }
  };
  seek(parsed.value);
  const slots = kinds.flatMap((_kind, index) => found.get(index) ?? []);
  return slots.length === kinds.length ? { fixed, slots, parsed } : undefined;
}
