import type { DialectId } from '../../../translators/index.js';
import { WIRES } from '../answers.js';
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
  // The counts of chat completions may stand behind the end.
  if (event.choices?.length === 0) return;
  reading.ended = false;
  reading.text += TEXTS[client](event) ?? '';
  reading.arguments += ARGS[client](event) ?? '';
  if (FAILURES[client](event)) reading.failures += 1;
  else if (FINISHES[client](event)) end(reading);
}

/** Takes a whole answer. */
export function readWhole(client: DialectId, reading: Reading, body: Tree): void {
  const { text, calls, finish } = WIRES[client].hear(body);
  reading.text += text;
  reading.arguments += calls.map(({ args }) => JSON.stringify(args)).join('');
  if (finish !== undefined) end(reading);
  else if (body.error !== undefined) reading.failures += 1;
}

function end(reading: Reading): void {
  reading.ends += 1;
  reading.ended = true;
}

const TEXTS = tableOf('textOfEvent');
const ARGS = tableOf('argsOfEvent');
const FAILURES = tableOf('saysFailure');
const FINISHES = tableOf('saysFinish');

/** Whether a body is an error as a dialect words it. */
export function isErrorBody(client: DialectId, body: Tree): boolean {
  const { error } = body ?? {};
  return typeof error?.message === 'string' && error.message !== '' && ERRORS[client](body);
}

const ERRORS = tableOf('isErrorBody');
