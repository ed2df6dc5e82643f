import type { Losses } from './canonical/loss.js';
import type { JsonObject } from './canonical/node.js';
import type { CanonicalRequest } from './canonical/request.js';
import type { HostFeature } from './target/host-words.js';
import type { EncodeRequestContext, Target } from './target/target.js';
import type { Changed } from './wire/shared-copies.js';

export type { EncodeRequestContext } from './target/target.js';

export interface DecodeRequestContext {
  readonly losses: Losses;
  /** Where the dialect has them in the URL. */
  readonly model?: string;
  readonly stream?: boolean;
  /** Accepts bodies without output fields (token counting). */
  readonly counting?: boolean;
  /** What a host kept; replaces the names of it in the body (translation.md 2.2, 2.6 `ref`). */
  readonly state?: StoredItems;
}

/**
 * Wire items of the request's dialect by id: for an answer everything up to and including it, instructions left out,
 * for an item itself alone.
 */
export type StoredItems = Readonly<Record<string, readonly JsonObject[]>>;

export interface EncodedRequest {
  readonly body: JsonObject;
  readonly model: string;
  readonly stream: boolean;
  /**
   * Names of features that the service takes this body with only when a header asks for them (`anthropic-beta`). Absent
   * where a dialect has none, and for a request of the dialect itself: its client named what it needs.
   */
  readonly betas?: readonly string[];
}

export interface DecodeResponseContext {
  readonly losses: Losses;
  /** Whose opaque state the answering backend holds. */
  readonly domain: string;
  /** Upper bound in bytes of one stream event. */
  readonly maxEventBytes?: number;
  /** How deep one stream event, and JSON in a text, may nest; absent = 128. */
  readonly maxEventDepth?: number;
  /** What is known of the answering backend, for dialects whose servers answer in several ways. */
  readonly target?: Target;
  /** The body that is answered, where it is known. */
  readonly sent?: JsonObject;
}

/**
 * What a host does that keeps pictures: takes one, as standard base64, and gives the URL under which it can be fetched;
 * undefined when it cannot keep it.
 */
export type KeepPicture = (mime: string, base64: string) => string | undefined;

export interface EncodeResponseContext {
  readonly losses: Losses;
  /** The client's own request: decides what it may be shown and fills echo fields. */
  readonly request?: CanonicalRequest;
  readonly requestBody?: JsonObject;
  /** Name of the model as the client asked for it; absent = the backend's name. */
  readonly model?: string;
  /** Unix seconds. */
  readonly now: number;
  /** Makes ids that cannot be guessed (translation.md 0.12). Where 12 hex digits and a dash lead it, ids of responses begin with those. */
  readonly nonce: string;
  /** Show state that has no part left to ride on (translation.md 4.3.4). */
  readonly trailingState?: 'drop' | 'emit';
  /** How deep JSON in a text, such as the arguments of a call, may nest; absent = 128. */
  readonly maxEventDepth?: number;
  /** Framing of a stream: server-sent events, or one JSON array where the dialect has it. */
  readonly framing?: 'sse' | 'array';
  /** The request id that error frames show. */
  readonly requestId?: string;
  readonly keepPicture?: KeepPicture;
  /** The client calls the beta of its dialect: the types of its answers want members that the others have not. */
  readonly asksBeta?: boolean;
  /** The host is the service itself: ids are those of the answer, and state of this dialect goes out as it is. */
  readonly asIssuer?: boolean;
}

export interface FitHostContext
  extends Pick<EncodeRequestContext, 'losses' | 'target' | 'media' | 'mediaPath' | 'omitMedia'> {
  readonly unsupported: ReadonlySet<HostFeature>;
}

/** A body as its host takes it. */
export interface FittedBody {
  /** The very body that was given when the host lacks nothing of it. */
  readonly body: JsonObject;
  /** The path in the body as it came of a path in this one. */
  pathOf(path: string): string;
  /** Gives the answer back what the body lost; undefined where nothing is to be given back. */
  readonly restore?: HostRestorer;
}

/** Restores answers of a host to what its service would have answered to the body as it came. */
export interface HostRestorer {
  /** A whole answer; what has not changed is shared with it. */
  answer(body: JsonObject): JsonObject;
  /**
   * A function for the events of one stream, in their order: the same event where nothing changes, and several where some are
   * missing before it. Absent where only whole answers are restored.
   */
  stream?(): (event: JsonObject) => Changed;
}
