import type { DialectId, JsonObject } from '../../translators/index.js';
import { lawTableOf } from '../laws/dialects/index.js';
import { WIRES } from '../support/answers.js';
import { response } from '../support/wire/responses.js';
import { call, inHalves, type Wire } from '../support/wire/wire.js';

/** A call in the words of a backend: its name, or the type of its item, and its arguments. */
export interface Call {
  readonly name: string;
  readonly args: JsonObject;
}

export const CLIENTS = lawTableOf('clientToolRequest');

export const ANSWERS = lawTableOf('clientToolCalls');

function items(calls: readonly Call[], letter: string): JsonObject[] {
  return calls.map(({ name, args }, index) => ({
    type: name,
    id: `x_${index}`,
    call_id: `call_${letter}${index}`,
    status: 'completed',
    ...args,
  }));
}

/** The answer as one body; calls of responses are items of the types that they name. */
export function wholeOf(backend: DialectId, calls: readonly Call[], id = 'a'): Wire {
  if (backend === 'responses') return response(items(calls, id));
  return WIRES[backend].say(calls.map(({ name, args }, index) => call(`call_a${index}`, name, JSON.stringify(args))));
}

/** The same answer as a stream. */
export function streamOf(backend: DialectId, calls: readonly Call[], id = 'a'): string {
  return WIRES[backend].frames(wholeOf(backend, calls, id), inHalves).join('');
}
