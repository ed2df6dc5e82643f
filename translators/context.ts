import type { MediaPart } from './canonical/content.js';
import type { Losses } from './canonical/loss.js';
import type { JsonObject } from './canonical/node.js';
import type { CanonicalRequest } from './canonical/request.js';
import type { Profile } from './target/words.js';

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

export interface EncodeRequestContext {
  readonly losses: Losses;
  readonly profile: Profile;
  /** Whose opaque state the backend holds. */
  readonly domain: string;
  /** The request came in another dialect of the vendor of this one: tiers and prompt caches have the same words in both. */
  readonly sameVendor?: boolean;
  /** Bytes of media by URL, fetched by the host. */
  readonly media?: ReadonlyMap<string, { readonly mime: string; readonly base64: string }>;
  /** Where the source's body has the bytes of a media part, as a JSON Pointer below the part; absent = at the part. */
  readonly mediaPath?: (part: MediaPart) => string;
  /** Leave out media that the target cannot take, instead of refusing. */
  readonly omitMedia?: boolean;
  /** Make a user turn from the instructions when there is no other. */
  readonly seedUser?: boolean;
  /** What may be sent as text only where the caller lets meaning go is refused (translation.md 2.4, orphan results). */
  readonly strict?: boolean;
  /** The host cuts the answer at stop strings that the target does not know. */
  readonly cutsStop?: boolean;
  /** How deep JSON in a text, such as the arguments of a call, may nest; absent = 128. */
  readonly maxEventDepth?: number;
  /** The host leaves out old turns when the target refuses the input as too long, where the client wants that. */
  readonly truncates?: boolean;
  /** `auto`, or absent: a client that knows no marks for the prompt cache gets some where they are needed (configuration.md#prompt-caches). */
  readonly cache?: 'auto' | 'off';
}

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
  readonly profile?: Profile;
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
  /** Makes ids that cannot be guessed (translation.md 0.12). */
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
