import type { Kind } from './kinds.js';
import { type DialectId, detectDialect, type JsonObject } from './library.js';

export type { Kind } from './kinds.js';

/** What a text shows of itself; absent = it shows nothing. */
export interface Detected {
  readonly kind?: Kind;
  readonly dialect?: DialectId;
}

/** A form that bodies of one dialect have. */
interface Shape {
  readonly kind: Kind;
  readonly dialect: DialectId;
  fits(body: JsonObject): boolean;
}

/** Whether a value is an object of JSON. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Answers and errors; the first that fits is taken. Two dialects share the form of their errors: the first is named. */
const BODIES: readonly Shape[] = [
  { kind: 'response', dialect: 'messages', fits: (body) => body.type === 'message' && Array.isArray(body.content) },
  { kind: 'response', dialect: 'responses', fits: (body) => body.object === 'response' },
  { kind: 'response', dialect: 'chatCompletions', fits: (body) => Array.isArray(body.choices) },
  { kind: 'response', dialect: 'generateContent', fits: (body) => 'candidates' in body || 'promptFeedback' in body },
  { kind: 'error', dialect: 'messages', fits: (body) => body.type === 'error' && isObject(body.error) },
  {
    kind: 'error',
    dialect: 'generateContent',
    fits: ({ error }) => isObject(error) && typeof error.status === 'string',
  },
  { kind: 'error', dialect: 'responses', fits: ({ error }) => isObject(error) },
];

const EVENTS: readonly Shape[] = [
  { kind: 'stream', dialect: 'messages', fits: ({ type }) => /^(?:message_|content_block_)/.test(String(type)) },
  { kind: 'stream', dialect: 'responses', fits: ({ type }) => String(type).startsWith('response.') },
  { kind: 'stream', dialect: 'chatCompletions', fits: (event) => Array.isArray(event.choices) },
  {
    kind: 'stream',
    dialect: 'generateContent',
    fits: (event) => 'candidates' in event || 'promptFeedback' in event || 'usageMetadata' in event,
  },
];

/** So many events are looked at: streams may begin with some that every dialect has. */
const LOOKED_AT = 8;

/** The kind and the dialect of a text, by its form alone. */
export function detect(text: string): Detected {
  const value = parsed(text);
  if (value === undefined) return isEventStream(text) ? streamOf(eventsIn(text)) : {};
  if (Array.isArray(value)) return value.some(isObject) ? streamOf(value) : {};
  if (!isObject(value)) return {};
  return BODIES.find(({ fits }) => fits(value)) ?? { kind: 'request', dialect: detectDialect(value) };
}

function streamOf(events: readonly unknown[]): Detected {
  for (const event of events.slice(0, LOOKED_AT)) {
    const shape = isObject(event) ? EVENTS.find(({ fits }) => fits(event)) : undefined;
    if (shape !== undefined) return shape;
  }
  return { kind: 'stream' };
}

function isEventStream(text: string): boolean {
  return /^(?:event|data|id|retry)?:/m.test(text.slice(0, 10_000));
}

function eventsIn(text: string): unknown[] {
  const lines = text.slice(0, 1_000_000).split(/\r\n|\n|\r/, 400);
  return lines.filter((line) => line.startsWith('data:')).map((line) => parsed(line.slice('data:'.length)));
}

/** The value of a JSON text; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
