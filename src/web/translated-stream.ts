import type { StreamExchange } from '../../translators/index.js';
import { type AnswerSteps, asStream, breaks, endOfBytes, STREAM_TYPES } from '../call/index.js';
import { Failure, toCanonicalError } from '../ground/plain/index.js';
import { INCOMPLETE, LEAKED } from '../protocol/index.js';
import { Refusal } from './call.js';
import type { CallPlan, TranslatedPlan, WebOutcome } from './plan.js';
import { type Answered, BROKEN, readerOf, unlessAborted } from './send.js';
import { headersFor, TRANSPORT } from './transport.js';

/**
 * Translates a stream as it comes: the backend is read when the client reads. The head waits for the first text, so that what
 * fails before it is answered with a status of its own.
 */
export async function streamTranslated(
  plan: TranslatedPlan,
  came: Answered,
  again: AnswerSteps<Answered>['ask'],
): Promise<Response> {
  const { ask, exchange, losses } = plan;
  const first = await asStream(TRANSPORT, plan, came);
  const stream = exchange.stream(ask.framing);
  const source = createSource(plan, stream, first, again);
  const begun = await source.next();
  const { failed } = source.outcome();
  if (failed !== undefined) {
    source.cancel();
    throw new Refusal(failed, { own: headersFor(plan, first), losses: losses.list });
  }
  const headers = {
    ...headersFor(plan, first),
    'content-type': STREAM_TYPES[ask.framing],
    'cache-control': 'no-cache',
  };
  return new Response(streamOf(source, plan, begun), { status: 200, headers });
}

/** Texts for the client, one after the other; undefined = there are no more. */
export interface Source<Piece> {
  next(): Promise<Piece | undefined>;
  /** Whether the last text was an error in the middle of an answer, which some readers pass over. */
  readonly broken: boolean;
  /** What became of the answer, once there are no more texts. */
  outcome(): Pick<WebOutcome, 'facts' | 'failed'>;
  /** Nobody reads what may still come. */
  cancel(): void;
}

/** What a client reads of a source, whose first piece is known. An abort breaks it with its reason. */
export function streamOf<Piece extends string | Uint8Array>(
  source: Source<Piece>,
  { call: { signal }, complete, left, losses }: CallPlan,
  begun?: Piece,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let ready = begun;
  let abort: (() => void) | undefined;
  const over = (): void => {
    if (abort !== undefined) signal?.removeEventListener('abort', abort);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (signal === undefined) return;
        abort = () => {
          source.cancel();
          left?.();
          controller.error(signal.reason);
        };
        if (signal.aborted) abort();
        else signal.addEventListener('abort', abort, { once: true });
      },
      async pull(controller) {
        for (;;) {
          const piece = ready ?? (await source.next());
          ready = undefined;
          if (signal?.aborted === true) return;
          if (piece === undefined) break;
          const text: string | Uint8Array = piece;
          controller.enqueue(typeof text === 'string' ? encoder.encode(text) : text);
          return;
        }
        over();
        // The client has read the error by now: nothing is held for it.
        if (source.broken) controller.error(new TypeError(INCOMPLETE.message));
        else controller.close();
        complete({ losses: losses.list, ...source.outcome() });
      },
      cancel() {
        over();
        source.cancel();
        left?.();
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}

/** Reads answers one after the other, as long as they pause, and gives what is due of each chunk. */
function createSource(
  plan: TranslatedPlan,
  stream: StreamExchange,
  first: Answered,
  again: AnswerSteps<Answered>['ask'],
): Source<string> {
  const { dialect, signal, id, settings } = plan.call;
  const { framing } = plan.ask;
  const filter = settings.guard?.translated(framing);
  /** Nothing can be appended to an array out of which a secret was cut. */
  const ending = framing === 'sse' ? plan.relays?.ending : undefined;
  /** Something has left. */
  let begun = false;
  let reader = readerOf(first);
  /** The text behind a chunk, behind the end of the bytes, or for their failure; '' = nothing is due yet. */
  const advance = async (): Promise<string> => {
    try {
      const { done, value } = await unlessAborted(signal, reader.read());
      if (!done) return stream.push(value);
    } catch (thrown) {
      if (signal?.aborted === true) throw signal.reason;
      return stream.fail(thrown instanceof Failure ? thrown.error : BROKEN);
    }
    const { text, sent } = endOfBytes(stream);
    if (sent === undefined) return text;
    try {
      reader = readerOf(await asStream(TRANSPORT, plan, await again(sent)));
      return text;
    } catch (thrown) {
      if (signal?.aborted === true) throw signal.reason;
      return text + stream.fail(toCanonicalError(thrown));
    }
  };
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const leaked = (): boolean => filter?.leaked === true;
  /** What may leave of a text; in the place of a secret the words that end the answer. */
  const passed = (text: string): string => {
    if (filter === undefined) return text;
    const clean = stream.failed === undefined ? text : (settings.redact?.(text) ?? text);
    const safe = filter.pass(clean, stream.done);
    return leaked() && begun ? (ending?.(dialect, filter.ends, id) ?? '') : safe;
  };
  return {
    cancel,
    outcome: () => ({ facts: stream.facts(), failed: leaked() ? LEAKED : stream.failed }),
    get broken() {
      if (leaked() && ending === undefined) return true;
      return (stream.failed !== undefined || leaked()) && breaks(dialect, framing);
    },
    async next() {
      while (!stream.done && !leaked()) {
        const text = passed(await advance());
        if (stream.done || leaked()) cancel();
        if (text === '') continue;
        begun = true;
        return text;
      }
      return undefined;
    },
  };
}
