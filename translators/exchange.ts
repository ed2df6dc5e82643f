import { createRestorer, type Restorer } from './adapt/restore.js';
import { createStopCut, cutResponse } from './adapt/stop.js';
import { createUnwrapper, mayWrapCalls, unwrapCalls } from './adapt/wrapped-calls.js';
import { type CanonicalError, TranslationError } from './canonical/errors.js';
import type { EventSink, StreamEvent } from './canonical/events.js';
import { addUsage, createFold, mergeUsage } from './canonical/fold.js';
import type { Losses } from './canonical/loss.js';
import type { JsonObject } from './canonical/node.js';
import type { CanonicalRequest } from './canonical/request.js';
import type { CanonicalResponse, Finish, Usage } from './canonical/response.js';
import type {
  DecodeResponseContext,
  Dialect,
  DialectId,
  EncodedRequest,
  EncodeRequestContext,
  EncodeResponseContext,
} from './dialect.js';
import { dialects } from './dialects.js';
import type { Profile } from './profile.js';

/** What the translation of an answer needs to know. */
export interface AnswerOptions {
  readonly client: DialectId;
  readonly backend: DialectId;
  /** The client's request, decoded: names, what may be shown. Absent = nothing is known of it. */
  readonly request?: CanonicalRequest;
  /** The client's request as it came, for echo fields. */
  readonly requestBody?: JsonObject;
  /** The model as the client named it; answers echo it. */
  readonly requestedModel?: string;
  /** Whose opaque state the backend holds. */
  readonly domain: string;
  readonly losses: Losses;
  /** Unix seconds. */
  readonly now: number;
  readonly nonce: string;
  readonly trailingState?: 'drop' | 'emit';
  readonly requestId?: string;
  /** Upper bound in bytes of one stream event. */
  readonly maxEventBytes?: number;
}

/** What an exchange between a client and a backend of different dialects needs to know. */
export interface ExchangeOptions extends AnswerOptions {
  /** Under the backend's name for the model. */
  readonly request: CanonicalRequest;
  readonly profile: Profile;
  readonly media?: EncodeRequestContext['media'];
  readonly omitMedia?: boolean;
  readonly seedUser?: boolean;
}

/** Translates one answer. */
export interface AnswerTranslator {
  /**
   * Translates a whole answer. Throws TranslationError for a body that is none and for answers that are failures. Called
   * again with the answer to `resume`, it gives both as one.
   */
  response(body: unknown): Answer;
  /** Translates the answer as it streams in. */
  stream(framing: 'sse' | 'array'): StreamExchange;
  /** Reads a streamed answer for a client that wants it whole. */
  collect(): Collector;
}

/** One translated exchange: the request for the backend and a translator for its answer. */
export interface Exchange extends AnswerTranslator {
  readonly sent: EncodedRequest;
}

export interface Answer {
  readonly body: JsonObject;
  readonly model: string;
  readonly finish: Finish;
  readonly usage: Usage | undefined;
  /** The answer paused: this request lets it go on (translation.md 5.2 `pause`). */
  readonly resume?: EncodedRequest;
}

/** Gathers a streamed answer for a client that wants it whole. */
export interface Collector {
  push(chunk: string | Uint8Array): void;
  /** Throws TranslationError when the stream failed or ended without its finish. */
  end(): Answer;
}

/** A stream on its way: push what came, send what is returned. */
export interface StreamExchange {
  push(chunk: string | Uint8Array): string;
  /** The backend's bytes have ended. */
  end(): string;
  /** The exchange failed outside the bytes (time-out, broken connection). */
  fail(error: CanonicalError): string;
  heartbeat(): string;
  /** The last word was written; what still comes is ignored. */
  readonly done: boolean;
  /** The answer was cut at a stop string: the host should abort the call. */
  readonly cut: boolean;
  readonly failed: CanonicalError | undefined;
  readonly model: string | undefined;
  readonly finish: Finish | undefined;
  readonly usage: Usage | undefined;
  /** The answer paused; send this and push what comes back. Taken once per pause. */
  takeResume(): EncodedRequest | undefined;
}

/** At most so many times is a paused answer resumed. */
const MAX_HOPS = 5;

/** Encodes a request for a backend of another dialect and prepares for its answer. */
export function createExchange(options: ExchangeOptions): Exchange {
  const sent = dialects[options.backend].encodeRequest(options.request, {
    losses: options.losses,
    profile: options.profile,
    domain: options.domain,
    media: options.media,
    omitMedia: options.omitMedia,
    seedUser: options.seedUser,
    cutsStop: true,
  });
  return { sent, ...createAnswerTranslator(options, sent) };
}

/** A translator for the answer to `sent`; without it a paused answer cannot be resumed. */
export function createAnswerTranslator(options: AnswerOptions, sent?: EncodedRequest): AnswerTranslator {
  const backend: Dialect = dialects[options.backend];
  const stops = options.request?.stop ?? [];
  const parts: Parts = {
    client: dialects[options.client],
    backend,
    options,
    sent,
    stops: stops.length > backend.rules.maxStops ? stops : undefined,
    restorer: options.request === undefined ? undefined : createRestorer(options.request, backend.rules),
    unwraps: options.request !== undefined && mayWrapCalls(options.request, backend.rules),
  };
  return {
    response: createAnswers(parts),
    stream: (framing) => createStreamExchange(parts, framing),
    collect: () => createCollector(parts),
  };
}

interface Parts {
  readonly client: Dialect;
  readonly backend: Dialect;
  readonly options: AnswerOptions;
  readonly sent: EncodedRequest | undefined;
  /** Stop strings that we cut at, because the backend does not take them all. */
  readonly stops: readonly string[] | undefined;
  readonly restorer: Restorer | undefined;
  /** Calls may come wrapped in one. */
  readonly unwraps: boolean;
}

function decodeContext(options: AnswerOptions): DecodeResponseContext {
  return { losses: options.losses, domain: options.domain, maxEventBytes: options.maxEventBytes };
}

function encodeContext(options: AnswerOptions, framing?: 'sse' | 'array'): EncodeResponseContext {
  return {
    losses: options.losses,
    request: options.request,
    requestBody: options.requestBody,
    model: options.requestedModel,
    now: options.now,
    nonce: options.nonce,
    trailingState: options.trailingState,
    framing,
    requestId: options.requestId,
  };
}

/** Ends for which the client's dialect has no word are errors. */
function failureOf(finish: Finish, client: Dialect): CanonicalError | undefined {
  if (!client.rules.errorFinishes.includes(finish.kind)) return undefined;
  return { kind: 'internal', message: finish.detail ?? `the model ended its answer with ${finish.raw}` };
}

function translateAnswer(parts: Parts, decoded: CanonicalResponse): Answer {
  const { client, options, stops, restorer, unwraps } = parts;
  const failure = failureOf(decoded.finish, client);
  if (failure !== undefined) {
    const error = decoded.error ?? failure;
    throw new TranslationError(error.kind, error.message, { code: error.code, cause: decoded.finish });
  }
  let response = stops === undefined ? decoded : cutResponse(decoded, stops);
  if (unwraps) response = unwrapCalls(response, options.losses);
  if (restorer !== undefined) response = restorer.response(response);
  return {
    body: client.encodeResponse(response, encodeContext(options)),
    model: response.model,
    finish: response.finish,
    usage: response.usage,
  };
}

/** Whole answers, hop by hop: what a paused answer brought stands in front of what came after it. */
function createAnswers(parts: Parts): (body: unknown) => Answer {
  let earlier: CanonicalResponse | undefined;
  let sent = parts.sent;
  let hops = 0;
  return (body) => {
    const decoded = parts.backend.decodeResponse(body, decodeContext(parts.options));
    const whole = earlier === undefined ? decoded : joined(earlier, decoded);
    const answer = translateAnswer(parts, whole);
    const { resume } = parts.backend;
    if (decoded.finish.kind !== 'pause' || resume === undefined || sent === undefined || hops >= MAX_HOPS)
      return answer;
    hops += 1;
    earlier = whole;
    sent = resume(sent, body as JsonObject);
    return { ...answer, resume: sent };
  };
}

/** Two hops of one answer: parts appended, tokens added. */
function joined(first: CanonicalResponse, second: CanonicalResponse): CanonicalResponse {
  return {
    ...second,
    id: first.id,
    parts: [...first.parts, ...second.parts],
    usage: addUsage(first.usage, second.usage),
  };
}

function createCollector(parts: Parts): Collector {
  const fold = createFold(parts.backend.id);
  const decoder = parts.backend.createStreamDecoder(decodeContext(parts.options), fold.sink);
  return {
    push: (chunk) => decoder.push(chunk),
    end() {
      decoder.end();
      if (fold.response !== undefined) return translateAnswer(parts, fold.response);
      const error = fold.error ?? INCOMPLETE;
      throw new TranslationError(error.kind, error.message, { code: error.code });
    },
  };
}

const INCOMPLETE: CanonicalError = {
  kind: 'upstream',
  message: 'the backend ended its answer without saying that it is complete',
  code: 'upstream_incomplete',
};

/**
 * The chain of one stream: decoder, hop stage (pauses), stop stage, restorer, encoder. Every stage is a synchronous step;
 * what the encoder has to say while one chunk goes through is returned as one text.
 */
function createStreamExchange(parts: Parts, framing: 'sse' | 'array'): StreamExchange {
  const { client, backend, options, stops, restorer } = parts;
  const encoder = client.createStreamEncoder(encodeContext(options, framing));
  let out = '';
  let done = false;
  let failed: CanonicalError | undefined;
  let finish: Finish | undefined;
  let usage: Usage | undefined;
  let model: string | undefined;

  const write: EventSink = (event) => {
    if (done) return;
    let said = event;
    if (event.type === 'finish') {
      finish = event.finish;
      const failure = failureOf(event.finish, client);
      if (failure !== undefined) said = { type: 'error', error: failure };
    } else if (event.type === 'usage') usage = mergeUsage(usage, event.usage);
    else if (event.type === 'start') {
      model = event.model;
      usage = mergeUsage(usage, event.usage);
    }
    if (said.type === 'error') failed = said.error;
    out += encoder.encode(said);
    if (said.type === 'error' || said.type === 'end') done = true;
  };
  const named = restorer === undefined ? write : restorer.stage(write);
  const restored = parts.unwraps ? createUnwrapper(named, options.losses) : named;
  const cutter = stops === undefined ? undefined : createStopCut(stops, restored);
  const hops = createHops(parts, cutter?.sink ?? restored);
  let decoder = backend.createStreamDecoder(decodeContext(options), hops.sink);

  const step = (work: () => void): string => {
    out = '';
    if (!done) {
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
    return out;
  };
  return {
    push: (chunk) => step(() => decoder.push(chunk)),
    end: () => step(() => decoder.end()),
    fail: (error) => step(() => write({ type: 'error', error })),
    heartbeat: () => (done ? '' : encoder.heartbeat()),
    takeResume() {
      const sent = hops.take();
      if (sent !== undefined) decoder = backend.createStreamDecoder(decodeContext(options), hops.sink);
      return sent;
    },
    get done() {
      return done;
    },
    get cut() {
      return cutter?.cut ?? false;
    },
    get failed() {
      return failed;
    },
    get model() {
      return model;
    },
    get finish() {
      return finish;
    },
    get usage() {
      return usage;
    },
  };
}

/** Holds back the end of a paused hop and joins the hops to one stream (translation.md 5.2 `pause`). */
interface Hops {
  readonly sink: EventSink;
  /** The request that lets the answer go on, once per pause. */
  take(): EncodedRequest | undefined;
}

function createHops({ backend, options, sent }: Parts, next: EventSink): Hops {
  const { resume } = backend;
  const hosted = options.request?.tools.some((tool) => tool.kind === 'hosted') === true;
  if (resume === undefined || sent === undefined || !hosted) return { sink: next, take: () => undefined };
  let fold = createFold(backend.id);
  let last = sent;
  let count = 0;
  let offset = 0;
  let highest = -1;
  let spent: Usage | undefined;
  let current: Usage | undefined;
  let paused = false;

  const sink = (event: StreamEvent): void => {
    fold.sink(event);
    switch (event.type) {
      case 'start':
        current = event.usage;
        if (count === 0) next(event);
        return;
      case 'usage':
        current = mergeUsage(current, event.usage);
        next({ type: 'usage', usage: addUsage(spent, current) ?? {} });
        return;
      case 'finish':
        paused = event.finish.kind === 'pause' && count < MAX_HOPS;
        if (!paused) next(event);
        return;
      case 'end':
        if (!paused) next(event);
        return;
      case 'part.start':
      case 'part.delta':
      case 'part.citation':
      case 'part.logprobs':
      case 'part.state':
      case 'part.end':
        highest = Math.max(highest, event.ix + offset);
        next(offset === 0 ? event : { ...event, ix: event.ix + offset });
        return;
      default:
        next(event);
    }
  };
  return {
    sink,
    take() {
      const response = paused ? fold.response : undefined;
      if (response === undefined) return undefined;
      const answer = backend.encodeResponse(response, encodeContext(options));
      last = resume(last, answer);
      count += 1;
      offset = highest + 1;
      spent = addUsage(spent, current);
      current = undefined;
      paused = false;
      fold = createFold(backend.id);
      return last;
    },
  };
}
