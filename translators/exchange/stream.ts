import { createStopCut, createUnwrapper } from '../adapt/index.js';
import { type CanonicalError, TranslationError } from '../canonical/errors.js';
import type { EventSink, StreamEvent } from '../canonical/events.js';
import { mergeUsage } from '../canonical/fold.js';
import { isPaid, isSubstance } from '../canonical/parts.js';
import type { AnswerFacts } from '../dialect.js';
import { createHops } from './hops.js';
import { decodeContext, encodeContext, failureOf, INCOMPLETE, type Parts } from './parts.js';
import { createRepeat } from './repeat.js';
import type { StreamExchange } from './types.js';

/**
 * The chain of one stream: decoder, repeat stage, hop stage (pauses), stop stage, built-in tools, restorer, encoder. Every stage is a synchronous step;
 * what the encoder writes while one chunk goes through is returned as one text.
 */
export function createStreamExchange(parts: Parts, framing: 'sse' | 'array'): StreamExchange {
  const { client, backend, options, stops, restorer, clientTools, thoughts } = parts;
  const encoder = client.createStreamEncoder(encodeContext(options, framing));
  let out = '';
  /** Why the stream broke off. */
  let broken: CanonicalError | undefined;
  let id: string | undefined;
  /** A part that the client asked for is whole. */
  let answered = false;
  let fees = false;
  let tier: string | undefined;

  const write: EventSink = (event) => {
    if (exchange.done) return;
    let said = event;
    if (event.type === 'finish') {
      exchange.finish = event.finish;
      const failure = failureOf(event.finish, client, answered);
      if (failure !== undefined) said = { type: 'error', error: failure };
    } else if (event.type === 'part.end') {
      answered ||= isSubstance(event.part);
      fees ||= isPaid(event.part);
    } else if (event.type === 'end') tier = event.tier;
    else if (event.type === 'usage') exchange.usage = mergeUsage(exchange.usage, event.usage);
    else if (event.type === 'start') {
      exchange.model = event.model;
      id = event.id;
      exchange.usage = mergeUsage(exchange.usage, event.usage);
    }
    if (said.type === 'error') {
      const error = broken ?? said.error;
      exchange.failed = options.tellFailure?.(error) ?? error;
      said = { type: 'error', error: exchange.failed };
    }
    const text = encoder.encode(said);
    out += text;
    if (!exchange.content && text !== '' && isContent(said)) exchange.content = true;
    if (said.type === 'end') exchange.failed = encoder.failure;
    if (said.type === 'error' || said.type === 'end') exchange.done = true;
  };
  const named = restorer === undefined ? write : restorer.stage(write);
  const native = clientTools === undefined ? named : clientTools.stage(named);
  const unwrapped = parts.unwraps ? createUnwrapper(native, options.losses) : native;
  const restored = thoughts === undefined ? unwrapped : thoughts.stage(unwrapped);
  const cutter = stops === undefined ? undefined : createStopCut(stops, restored);
  const hops = createHops(parts, cutter?.sink ?? restored);
  const repeat = createRepeat(parts.sent, hops.sink);
  const decode = () => backend.createStreamDecoder(decodeContext(parts), repeat.sink);
  let decoder = decode();

  const step = (work: () => void): string => {
    out = '';
    if (!exchange.done) {
      try {
        work();
      } catch (thrown) {
        const known = thrown instanceof TranslationError;
        write({
          type: 'error',
          error: known
            ? thrown.toCanonical()
            : { kind: 'upstream', message: 'the backend sent a stream that cannot be read' },
        });
      }
    }
    if (cutter !== undefined) exchange.cut = cutter.cut;
    const said = out;
    // What a slow client has not read yet is not held here as well.
    out = '';
    return said;
  };
  // What is told of it are fields and no getters: those of its own would give each of these objects another shape.
  const exchange: { -readonly [Key in keyof StreamExchange]: StreamExchange[Key] } = {
    done: false,
    cut: false,
    failed: undefined,
    model: undefined,
    finish: undefined,
    usage: undefined,
    content: false,
    push: (chunk) => step(() => decoder.push(chunk)),
    end: () =>
      step(() => {
        decoder.end();
        if (!hops.paused && !repeat.waiting) write({ type: 'error', error: INCOMPLETE });
      }),
    fail: (error) =>
      step(() => {
        broken = error;
        // When the backend had said how its answer ends, only a trailer is missing (translation.md 6.5).
        decoder.end();
        write({ type: 'error', error });
      }),
    heartbeat: () => (exchange.done ? '' : encoder.heartbeat()),
    takeResume() {
      const sent = repeat.take() ? parts.sent : hops.take();
      if (sent !== undefined) decoder = decode();
      return sent;
    },
    facts: () => ({ ...factsOf(id, exchange), ...(tier !== undefined && { tier }), ...(fees && { fees }) }),
  };
  return exchange;
}

/** What a client may begin to show: text, reasoning, a call. */
function isContent(event: StreamEvent): boolean {
  if (event.type === 'part.delta') return event.value !== '';
  if (event.type === 'part.end') return true;
  return event.type === 'part.start' && !EMPTY_AT_START.has(event.part.kind);
}

const EMPTY_AT_START: ReadonlySet<string> = new Set(['text', 'refusal', 'reasoning']);

/** The facts of an answer. A name that is empty is none. */
function factsOf(id: string | undefined, { model, usage, finish, cut }: StreamExchange): AnswerFacts {
  return {
    ...(id && { id }),
    ...(model && { model }),
    // What the backend would still have counted of an answer that was cut nobody knows.
    ...(usage !== undefined && { usage: cut ? { ...usage, apart: true } : usage }),
    ...(finish !== undefined && { finish: finish.raw }),
  };
}
