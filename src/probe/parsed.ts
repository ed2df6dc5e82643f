import { jsonDepth } from '../../translators/index.js';
import { isObject } from '../ground/index.js';

/** What an answer contains, in no dialect. Whatever is missing or of another type is as if it were not there: servers lie. */
export interface ParsedAnswer {
  readonly text: string;
  readonly thoughts: string;
  /** Where the thoughts stood. */
  readonly field?: string;
  readonly calls: readonly ParsedCall[];
  /** It reports that it was cut by the cap. */
  readonly isCut: boolean;
  /** It reports that a stop string ended it. */
  readonly isStopped?: boolean;
  readonly choices: number;
  readonly logprobs: boolean;
  readonly input?: number;
  readonly output?: number;
  /** Absent where it is not reported. */
  readonly cached?: number;
  /** What is null or missing where the dialect has a list. */
  readonly isBare: boolean;
}

export interface ParsedCall {
  readonly name: string;
  /** The dialect's word for the kind of call. */
  readonly type: string;
}

/** A stream that was read to its end, or as far as it was wanted. */
export interface ParsedStream {
  /** All of its events together; undefined when no event is of the dialect. */
  readonly parsed?: ParsedAnswer;
  /** It has the dialect's last word. */
  readonly isWhole: boolean;
  /** Its first event is an error: the words. */
  readonly error?: string;
  /** Events lack what the dialect's have. */
  readonly isOdd: boolean;
}

export type Json = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Thoughts that a server leaves in the text, apart from it. */
export function apart(text: string): { readonly text: string; readonly thoughts: string } {
  const [, thoughts, rest = ''] = /^\s*<think>(.*?)(?:<\/think>(.*))?$/s.exec(text) ?? [];
  return thoughts === undefined ? { text, thoughts: '' } : { text: rest, thoughts };
}

/** The parts of a stream between its empty lines; the last is what has not come whole. */
const blocksIn = (text: string): readonly string[] => text.split(/\r?\n\r?\n/);

/** The events of a stream: their data as JSON, what is none as text. */
export function eventsIn(text: string): readonly unknown[] {
  return blocksIn(text)
    .flatMap((block) => {
      const data = block
        .split(/\r?\n/)
        .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []));
      return data.length === 0 ? [] : [data.join('\n')];
    })
    .map((data) => jsonOf(data) ?? data);
}

/** How many events came whole. Comments, by which some servers keep a connection open, are none. */
export function wholeEventsIn(text: string): number {
  return blocksIn(text)
    .slice(0, -1)
    .filter((block) => /^data:/m.test(block)).length;
}

/** Deepest nesting that is read: what nests deeper could not be written again. */
const DEPTH = 128;

/** A text as JSON; undefined for what is none, or nests too deeply. */
export function jsonOf(text: string): unknown {
  if (jsonDepth(text, DEPTH)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The words of an error in a body, whatever form it has; undefined where there is none. */
export function errorIn(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const { error, detail, message } = body;
  if (typeof error === 'string' && error !== '') return error;
  if (isObject(error)) {
    const inner = error.message;
    return typeof inner === 'string' ? inner : JSON.stringify(error);
  }
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return JSON.stringify(detail);
  return typeof message === 'string' && ('code' in body || body.object === 'error') ? message : undefined;
}
