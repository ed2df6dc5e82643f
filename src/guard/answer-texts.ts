import { createJsonArrayCutter, createSseCutter } from '../../translators/index.js';
import type { Beginning, SecretFinder } from '../ground/plain/index.js';

/** Looks for the secrets of a backend in the texts of an answer, also where a text comes in parts. */
export interface AnswerTexts {
  /**
   * Reads whole events; of an array all of it, cut anywhere. `searched` = it is known that they hold no secret in one piece. Nothing is
   * read any more once a secret was found.
   */
  see(events: string, searched?: boolean): void;
  /** Reads a whole answer. */
  seeWhole(text: string, parsed?: unknown): void;
  /** A secret was found. */
  readonly leaked: boolean;
  /** Some text ends with what begins a secret. */
  readonly begun: boolean;
  /** The same with so much of it that the end must not leave. */
  readonly holds: boolean;
}

/** So many characters of a secret may leave before it is known whether it goes on: words begin like keys. */
const FEW = 3;

/** Texts whose ends are remembered at most. */
const MOST_TEXTS = 256;

/** For so many events the few characters are remembered that may begin a secret: those that follow make the difference. */
const MOST_EVENTS = 32;

/** Members are looked at so deep in an event. */
const DEPTH = 64;

/** Members of events that tell which of several texts of one path is meant. */
const NUMBERS = ['index', 'output_index', 'content_index', 'summary_index'] as const;

/**
 * Texts of the same path, and the same number, are one text in several parts: pieces of a stream and parts of a whole
 * answer. Only events that may begin a secret, and those after them, are parsed.
 */
export function createAnswerTexts(finder: SecretFinder, framing: 'sse' | 'array'): AnswerTexts {
  /** Ends of texts that must not leave before it is known how they go on, by what identifies the text. */
  const tails = new Map<string, Beginning>();
  /** Shorter ends of whatever text, with the event that had them last. */
  const short = new Map<string, number>();
  let event = 0;
  let leaked = false;
  let unreadable = false;

  /** The longest beginning of a secret at the end of a text, which may go on from an earlier event. */
  const endOf = (id: string, text: string): Beginning => {
    const before = tails.get(id);
    if (before !== undefined) {
      tails.delete(id);
      return joined(before.tail, text);
    }
    let longest = finder.beginning(text);
    for (const tail of short.keys()) {
      const other = joined(tail, text);
      if (other.known > longest.known) longest = other;
    }
    return longest;
  };
  const joined = (before: string, text: string): Beginning => {
    leaked ||= finder.within(before + text);
    return finder.beginning(before + text);
  };
  const visit = (value: unknown, id: string, depth: number): void => {
    if (typeof value === 'string') {
      if (value === '') return;
      const end = endOf(id, value);
      if (end.tail === '') return;
      if (end.known <= FEW && end.tail.length === end.known) short.set(end.tail, event);
      else if (tails.size < MOST_TEXTS) tails.set(id, end);
    } else if (typeof value === 'object' && value !== null && depth < DEPTH) {
      if (Array.isArray(value)) {
        for (const element of value) visit(element, id, depth + 1);
        return;
      }
      const numbers = numbersIn(value);
      const own = numbers === '' ? id : `${id}#${numbers}`;
      for (const [name, member] of Object.entries(value)) visit(member, `${own}.${name}`, depth + 1);
    }
  };
  /** Whether texts in these events may go on to a secret, or go on from what may: then they have to be distinguished. */
  const isTelling = (events: string): boolean => {
    let telling = tails.size > 0 || finder.mayEscape(events);
    for (const end of finder.ends(events)) {
      if (end.length > FEW || end.startsWith('\\')) telling = true;
      else short.set(end, event);
    }
    for (const [tail, seen] of short) {
      if (event - seen > MOST_EVENTS) short.delete(tail);
      else telling ||= finder.goesOn(tail, events);
    }
    return telling;
  };
  const read = (data: string): void => {
    try {
      visit(JSON.parse(data), '', 0);
    } catch {
      // A mark such as `[DONE]` has no text.
    }
  };
  const element = (data: string): void => {
    event += 1;
    leaked ||= finder.within(data);
    if (isTelling(data)) read(data);
  };
  const cutter = framing === 'array' ? createJsonArrayCutter(element) : createSseCutter((_event, data) => read(data));
  return {
    see(events, searched = false) {
      if (leaked || unreadable) return;
      leaked = !searched && finder.within(events);
      if (leaked) return;
      if (framing === 'sse') {
        event += 1;
        if (!isTelling(events)) return;
      }
      try {
        cutter.push(events);
      } catch {
        // Whoever reads the stream reports it.
        unreadable = true;
      }
    },
    seeWhole(text, parsed) {
      leaked ||= finder.within(text);
      if (leaked || !isTelling(text)) return;
      if (parsed === undefined) read(text);
      else visit(parsed, '', 0);
    },
    get leaked() {
      return leaked;
    },
    get begun() {
      return tails.size > 0 || short.size > 0;
    },
    get holds() {
      return tails.size > 0;
    },
  };
}

/** Which text of several an object is about. */
function numbersIn(value: object): string {
  let numbers = '';
  for (const name of NUMBERS) {
    const number: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (typeof number === 'number') numbers += `${name}${number}`;
  }
  return numbers;
}
