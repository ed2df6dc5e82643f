import type { BackendConfig } from '../config/index.js';
import { type Credentials, VERSION } from '../ground/index.js';
import { createHostRequests } from '../protocol/index.js';
import type { CallKind } from './gate.js';
import type { AnswerHeaders, BackendRequest } from './transport.js';

/** What is asked of a backend. */
export interface BackendAsk {
  readonly method: BackendRequest['method'];
  /** Path with its query, below the service root. */
  readonly path: string;
  /** The path begins beside the version that the service root may end in, and not below it. */
  readonly besideVersion?: boolean;
  readonly body?: BackendRequest['body'];
  /** What the call is for, where the client's route does not tell. */
  readonly kind?: CallKind;
  /** Headers of the call beside those that every call to this backend has. */
  readonly headers?: AnswerHeaders;
}

/** A compressed answer that was cut looks like a whole one (hardening.md 2.3), so none is asked for. */
const OWN_HEADERS = { 'accept-encoding': 'identity', 'user-agent': `interlingua/${VERSION}` };

/** Builds the HTTP requests of a backend: what is asked of it, with what every call to it has. */
export function createRequests(config: BackendConfig): (ask: BackendAsk, credentials: Credentials) => BackendRequest {
  return createHostRequests(config, OWN_HEADERS);
}
