import type { DialectId } from '../../../translators/index.js';
import { tableOf } from '../dialects/index.js';
import type { Tree } from '../gateway/harness.js';

/** What a client has read of an answer. */
export interface Reading {
  text: string;
  /** The arguments of its call, as JSON. */
  arguments: string;
  /** Words that only a complete answer has. */
  ends: number;
  /** Words of a failure. */
  failures: number;
  /** The last thing read was the last word of a complete answer. */
  ended: boolean;
}

export function startReading(): Reading {
  return { text: '', arguments: '', ends: 0, failures: 0, ended: false };
}

/** Takes one event of a stream. */
export function readEvent(client: DialectId, reading: Reading, event: Tree): void {
  reading.ended = false;
  EVENTS[client](reading, event);
}

/** Takes a whole answer. */
export function readWhole(client: DialectId, reading: Reading, body: Tree): void {
  WHOLES[client](reading, body);
}

export function end(reading: Reading): void {
  reading.ends += 1;
  reading.ended = true;
}

const EVENTS = tableOf('readLoadEvent');

const WHOLES = tableOf('readLoadAnswer');

export function readCandidate(reading: Reading, { candidates }: Tree): void {
  const [candidate] = candidates ?? [];
  for (const part of candidate?.content?.parts ?? []) {
    reading.text += part.text ?? '';
    if (part.functionCall !== undefined) reading.arguments += JSON.stringify(part.functionCall.args);
  }
  if (candidate?.finishReason !== undefined) end(reading);
}

/** Whether a body is an error as a dialect words it. */
export function isErrorBody(client: DialectId, body: Tree): boolean {
  const { error } = body ?? {};
  return typeof error?.message === 'string' && error.message !== '' && ERRORS[client](body);
}

const ERRORS = tableOf('isErrorBody');

/** Words for what the caller did, or may do something about. */
export const CALLERS: ReadonlySet<string> = new Set([
  'INVALID_ARGUMENT',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'ABORTED',
  'PAYLOAD_TOO_LARGE',
  'RESOURCE_EXHAUSTED',
  'CANCELLED',
]);
