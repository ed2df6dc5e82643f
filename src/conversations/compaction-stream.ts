import { type JsonObject, storedResponses } from '../../translators/index.js';
import { createClientStream } from '../exchange/index.js';
import { type ResponseHeaders, toCanonicalError } from '../ground/index.js';
import { answerHeaders, type ClientCall } from '../http/index.js';
import type { ConversationServices } from './services.js';
import { errorFrame } from './terminal-frame.js';

/** An answer that is one compaction. */
export interface Compacted {
  readonly answer: JsonObject;
  readonly head: ResponseHeaders;
}

/**
 * Streams an answer that comes whole. A summary takes its time: comments keep the connection until it is there, and what
 * fails after the first of them is reported in the stream. `compact` is given what makes the text of the stream.
 */
export async function streamCompaction(
  gateway: ConversationServices,
  call: ClientCall,
  compact: (encodeStream: (answer: JsonObject) => string) => Promise<Compacted>,
): Promise<void> {
  const { heartbeatSeconds, writeIdleSeconds } = gateway.config.limits;
  let known: ResponseHeaders = answerHeaders(call);
  const head = () => ({
    ...known,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  const clientStream = createClientStream(call, head, writeIdleSeconds);
  const silence = setInterval(() => clientStream.beat(': waiting\n\n'), heartbeatSeconds * 1000);
  try {
    const compacted = await compact(storedResponses.compactionFrames);
    known = compacted.head;
    clientStream.write(storedResponses.compactionFrames(compacted.answer));
  } catch (thrown) {
    if (!clientStream.begun) throw thrown;
    clientStream.write(errorFrame(gateway, call, toCanonicalError(thrown), 0));
  } finally {
    clearInterval(silence);
  }
  clientStream.end();
}
