/** What a dialect says beside conversations: limits in headers, counts of tokens, lists of models. */
import type { JsonObject } from './canonical/node.js';
import type { CanonicalRequest } from './canonical/request.js';
import type { DecodeRequestContext, EncodedRequest } from './context.js';

/** HTTP headers with lower-case names. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** One bucket of a rate limit; `resetMs` from now. */
export interface Bucket {
  readonly limit?: number;
  readonly remaining?: number;
  readonly resetMs?: number;
}

export interface Limits {
  readonly requests?: Bucket;
  readonly tokens?: Bucket;
  readonly inputTokens?: Bucket;
  readonly outputTokens?: Bucket;
  readonly retryAfterMs?: number;
  readonly shouldRetry?: boolean;
  readonly processingMs?: number;
}

/** Token counting (translation.md 8) for clients. */
export interface ClientCount {
  /** A count request of this dialect as a request of the model. */
  decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest;
  encodeResponse(count: TokenCount): JsonObject;
}

/** The same by services. */
export interface ServiceCount {
  /** An encoded create request stripped to the count form. */
  encodeRequest(request: EncodedRequest): JsonObject;
  /** Throws TranslationError (`upstream`) when the body is no count. */
  decodeResponse(body: unknown): TokenCount;
}

export interface CountTokens extends ClientCount, ServiceCount {}

export interface TokenCount {
  readonly input: number;
  readonly cached?: number;
}

export interface ModelInfo {
  readonly id: string;
  readonly displayName?: string;
  /** Unix seconds. */
  readonly createdAt?: number;
  readonly owner: string;
  /** The window, in tokens. */
  readonly inputLimit?: number;
  /** The window has room for the output beside it. */
  readonly inputAlone?: true;
  readonly outputLimit?: number;
}

export interface ModelLists {
  /** One page. `query` holds the list parameters of the dialect's own form. */
  encodeList(models: readonly ModelInfo[], query: Headers): JsonObject;
  encodeModel(model: ModelInfo): JsonObject;
  /** What a backend's list holds, and the query of its next page. */
  decodeList(body: unknown, owner: string): { readonly models: ModelInfo[]; readonly next?: string };
  /** What a backend says of one model; undefined for a body that names none. */
  decodeModel(body: unknown, owner: string): ModelInfo | undefined;
}
