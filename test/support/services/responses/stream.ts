import { createHash } from 'node:crypto';
import { objectOf } from '../../../../src/simulator/rules/index.js';
import { responseEvents } from '../../wire/responses.js';
import type { Cut } from '../../wire/wire.js';
import type { DialectStream, Frame } from '../stream.js';
import { cutByLength, cutIntoDeltas } from '../tokens.js';
import { errorBody } from './errors.js';
import { printItems } from './items.js';
import { closeResponse, type OpenResponse, openResponse, type ResponsePrinting } from './print.js';

type Event = { readonly type: string; readonly [key: string]: unknown };
type Writer = (event: Event, mark?: Frame['mark']) => Frame;

/** A stream of the responses dialect, and the response that it ends with. */
export interface ResponseStream extends DialectStream {
  readonly final: OpenResponse;
}

/** The event stream of an answer [R §5]. With `queued`, it starts as a background response does. */
export function streamResponse(printing: ResponsePrinting, queued = false): ResponseStream {
  const open = openResponse(printing);
  const items = printItems(printing, printing.show);
  const final = closeResponse(printing, open, items);
  const write = createWriter(objectOf(printing.request.stream_options).include_obfuscation !== false);
  return {
    final,
    frames: framesOf(final, write, queued),
    fail(status, message) {
      const { error } = errorBody(status, message);
      const failed = { ...open, status: 'failed', error: { code: error.code ?? 'server_error', message } };
      return [write({ type: 'error', error }).text, write({ type: 'response.failed', response: failed }).text];
    },
  };
}

/** Deltas are padded with an `obfuscation` text of changing length unless the caller said no [R §5.1]. */
function createWriter(obfuscate: boolean): Writer {
  let sequence = 0;
  return (event, mark) => {
    const noise = obfuscate && mark === 'delta' ? { obfuscation: noiseFor(sequence) } : {};
    const data = { ...event, sequence_number: sequence, ...noise };
    sequence += 1;
    const text = `event: ${event.type}\ndata: ${JSON.stringify(data)}\n\n`;
    return mark ? { text, mark } : { text };
  };
}

function noiseFor(sequence: number): string {
  const digest = createHash('sha256').update(`obfuscation ${sequence}`).digest('base64url');
  return digest.slice(0, 1 + ((sequence * 5) % 16));
}

function* framesOf(final: OpenResponse, write: Writer, queued: boolean): Generator<Frame> {
  for (const { sequence_number: _number, ...event } of responseEvents(final, cutAsServices, queued)) {
    const type = String(event.type);
    yield write({ ...event, type }, type.endsWith('.delta') ? 'delta' : ENDS.test(type) ? 'end' : undefined);
  }
}

const ENDS = /^response\.(?:completed|incomplete)$/;
const FRAGMENT = 12;

const cutAsServices: Cut = (text, member) =>
  member === 'arguments' || member === 'input' ? cutByLength(text, FRAGMENT) : cutIntoDeltas(text);
