import type { Loss } from './loss.js';

/** Kinds of failure (translation.md 7.1). */
export type ErrorKind =
  | 'invalid_request'
  | 'context_length'
  | 'content_policy'
  | 'authentication'
  | 'billing'
  | 'permission'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limit'
  | 'timeout'
  | 'cancelled'
  | 'overloaded'
  | 'internal'
  | 'upstream'
  | 'unsupported';

/** A limit of the caller that is used up. */
export interface ExhaustedLimit {
  readonly what: 'requests' | 'tokens' | 'inputTokens' | 'outputTokens';
  /** How many there may be; absent = not known. */
  readonly limit?: number;
}

/** What is known of the sizes of an input that is too long, in tokens. */
export interface Overflow {
  /** What the model takes. */
  readonly limit?: number | undefined;
  readonly input?: number | undefined;
  /** `input` is an estimate, and not what the service counted. */
  readonly estimated?: boolean | undefined;
  /** The most tokens of output that the request asks for. */
  readonly cap?: number | undefined;
}

/** A failure as the model sees it; each dialect prints its own body and status from it. */
export interface CanonicalError {
  readonly kind: ErrorKind;
  /** For people; no keys, no hosts. */
  readonly message: string;
  /** The backend's own code word, kept where the client's dialect has a place for it. */
  readonly code?: string;
  /** JSON Pointer (or the backend's own path words) of the faulty field in the client's body. */
  readonly path?: string;
  /** An HTTP status of the HTTP layer itself that overrides the kind's (404 route, 405, 408, 415, 426, 431). */
  readonly status?: number;
  /** Name of a model that was not found. */
  readonly model?: string;
  /** What would do instead. The message names it too: for dialects that put words of their own in its place. */
  readonly hint?: string;
  readonly retryAfterMs?: number;
  /** Advice for the client's retry logic; absent = by kind. */
  readonly retry?: boolean;
  /** Which limits a rate limit is about, where that is known. */
  readonly exhausted?: readonly ExhaustedLimit[];
  /** Sizes of a `context_length` beyond those that the message names. */
  readonly overflow?: Overflow;
  /** What a strict translation would have lost; the first one is at `path`. */
  readonly refused?: readonly Loss[];
}

/** The one error class of the library: thrown by every public function and by nothing else. */
export class TranslationError extends Error {
  readonly kind: ErrorKind;
  /** JSON Pointer to the fault; '' = the whole body. */
  readonly path: string;
  readonly dialect: string | undefined;
  readonly losses: readonly Loss[];
  readonly code: string | undefined;
  /** Those of the losses for which strict refused. */
  readonly refused: readonly Loss[];

  constructor(
    kind: ErrorKind,
    message: string,
    fields: {
      path?: string;
      dialect?: string;
      losses?: readonly Loss[];
      code?: string;
      refused?: readonly Loss[];
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: fields.cause });
    this.name = 'TranslationError';
    this.kind = kind;
    this.path = fields.path ?? '';
    this.dialect = fields.dialect;
    this.losses = fields.losses ?? [];
    this.code = fields.code;
    this.refused = fields.refused ?? [];
  }

  /** Turns anything thrown into a TranslationError; what is none becomes kind `internal`. */
  static from(thrown: unknown): TranslationError {
    if (thrown instanceof TranslationError) return thrown;
    return new TranslationError('internal', 'the translation failed unexpectedly', { cause: thrown });
  }

  /** The same failure as a value that dialects print. */
  toCanonical(): CanonicalError {
    return {
      kind: this.kind,
      message: this.message,
      ...(this.path !== '' && { path: this.path }),
      ...(this.code !== undefined && { code: this.code }),
      ...(this.refused.length > 0 && { refused: this.refused }),
    };
  }
}
