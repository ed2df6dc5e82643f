import type { CanonicalError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { Finish, Usage } from '../canonical/response.js';
import type {
  AnswerFacts,
  BackendDialect,
  ClientDialect,
  EncodedRequest,
  EncodeRequestContext,
  KeepPicture,
} from '../dialect.js';
import type { Target } from '../target/target.js';

/** What the translation of an answer needs to know. */
export interface AnswerOptions {
  readonly client: ClientDialect;
  readonly backend: BackendDialect;
  /** The client's request, decoded: names, what may be shown. Absent = nothing is known of it. */
  readonly request?: CanonicalRequest;
  /** The client's request as it came, for echo fields. */
  readonly requestBody?: JsonObject;
  /** The model as the client named it; answers echo it. */
  readonly requestedModel?: string;
  /** Whose opaque state the backend holds. */
  readonly domain: string;
  readonly losses: Losses;
  /** What is known of the backend; absent = nothing. */
  readonly target?: Target;
  /** Unix seconds. */
  readonly now: number;
  readonly nonce: string;
  readonly trailingState?: 'drop' | 'emit';
  readonly requestId?: string;
  /** Upper bound in bytes of one stream event. */
  readonly maxEventBytes?: number;
  /** How deep one stream event, and JSON in a text, may nest; absent = 128. */
  readonly maxEventDepth?: number;
  readonly keepPicture?: KeepPicture;
  /** The client calls the beta of its dialect. */
  readonly asksBeta?: boolean;
  /** What a client receives for a failure inside a stream; absent = the failure itself. */
  readonly tellFailure?: (error: CanonicalError) => CanonicalError;
}

/** What an exchange between a client and a backend of different dialects needs to know. */
export interface ExchangeOptions extends AnswerOptions {
  /** Under the backend's name for the model. */
  readonly request: CanonicalRequest;
  readonly target: Target;
  readonly media?: EncodeRequestContext['media'];
  /** Sends no opaque state, not even the backend's own: it refused what came back. */
  readonly withholdsState?: boolean;
  /** Changes the encoded request before it is sent: its backend is known to refuse a part of it. */
  readonly amend?: (sent: EncodedRequest) => EncodedRequest;
  readonly omitMedia?: boolean;
  readonly seedUser?: boolean;
  readonly cache?: EncodeRequestContext['cache'];
  readonly strict?: boolean;
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
  /** The backend's id of the answer. */
  readonly id: string;
  readonly model: string;
  readonly finish: Finish;
  readonly usage: Usage | undefined;
  /** The service tier that served it, as on the wire. */
  readonly tier?: string;
  /** Tools of the service ran, for which there may be fees beside their tokens. */
  readonly fees?: boolean;
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
  /** Text, reasoning or a call was written. */
  readonly content: boolean;
  /** What is known of the answer so far. */
  facts(): AnswerFacts;
  /** The answer paused, or is to be asked for once more; send this and push what comes back. Taken once per pause. */
  takeResume(): EncodedRequest | undefined;
}
