import type { JsonObject } from '../../translators/index.js';
import { createOutlet } from '../exchange/relay.js';
import type { Gateway } from '../gateway.js';
import type { ClientCall } from '../http/client-call.js';
import { toCanonicalError } from '../http/failure.js';
import { answerHeaders, type ResponseHeaders } from '../http/own-headers.js';
import { errorFrame } from './error-frame.js';
import { itemsOf } from './items.js';

/** An answer that is one compaction. */
export interface Compacted {
  readonly answer: JsonObject;
  readonly head: ResponseHeaders;
}

/**
 * Streams an answer that comes whole. A summary takes its time: comments keep the connection until it is there, and what
 * fails after the first of them is told in the stream. `compact` is given what makes the text of the stream.
 */
export async function streamCompaction(
  gateway: Gateway,
  call: ClientCall,
  compact: (told: (answer: JsonObject) => string) => Promise<Compacted>,
): Promise<void> {
  const { heartbeatSeconds, writeIdleSeconds } = gateway.config.limits;
  let known: ResponseHeaders = answerHeaders(call);
  const head = () => ({
    ...known,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  const outlet = createOutlet(call, head, writeIdleSeconds);
  const silence = setInterval(() => outlet.write(': waiting\n\n'), heartbeatSeconds * 1000);
  try {
    const compacted = await compact(streamOf);
    known = compacted.head;
    outlet.write(streamOf(compacted.answer));
  } catch (thrown) {
    if (!outlet.begun) throw thrown;
    outlet.write(errorFrame(gateway, call, toCanonicalError(thrown), 0));
  } finally {
    clearInterval(silence);
  }
  outlet.end();
}

/** The stream of an answer of one item without deltas [R §5.3 `opaque`]. */
function streamOf(answer: JsonObject): string {
  const begun = { ...answer, status: 'in_progress', output: [], usage: null, completed_at: null };
  const [item] = itemsOf(answer.output);
  const events: [string, JsonObject][] = [
    ['response.created', { response: begun }],
    ['response.in_progress', { response: begun }],
    ['response.output_item.added', { output_index: 0, item }],
    ['response.output_item.done', { output_index: 0, item }],
    ['response.completed', { response: answer }],
  ];
  return events.map(([type, members], index) => frameOf(type, index, members)).join('');
}

function frameOf(type: string, sequence_number: number, members: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ ...members, type, sequence_number })}\n\n`;
}
