import type { CanonicalError } from '../../translators/index.js';
import { errorCode } from './error-code.js';
import { Failure } from './plain/index.js';

/** What kept a call from leaving: the breaker of its backend is open, or there was no place for it. */
export type Hindrance = 'breaker' | 'queue';

/** Why a call brought no answer. */
export class CallFailure extends Failure {
  /** A connection was made, so that the request may have reached the backend. */
  readonly connected: boolean;
  /** How often it makes sense to try again, when no connection was made. */
  readonly repeats: number;
  /** Set when nothing was sent because the gateway itself held the call back. */
  readonly hindrance: Hindrance | undefined;

  constructor(
    error: CanonicalError & { readonly kind: 'timeout' | 'upstream' | 'cancelled' | 'overloaded' },
    fields: {
      readonly connected: boolean;
      readonly repeats: number;
      readonly cause?: unknown;
      readonly hindrance?: Hindrance;
    },
  ) {
    super(error, { cause: fields.cause });
    this.connected = fields.connected;
    this.repeats = fields.repeats;
    this.hindrance = fields.hindrance;
  }
}

/** How long, in ms, a client is asked to wait for a place. */
export const BUSY_MS = 1000;

const WHY = {
  breaker: 'the backend failed and is not called for a while',
  queue: 'the backend has no free place',
} as const satisfies Record<Hindrance, string>;

/** The gateway does not call this backend, for so many milliseconds. */
export function refusedCall(hindrance: Hindrance, retryAfterMs: number, why?: string): CallFailure {
  const message = why ?? WHY[hindrance];
  return new CallFailure(
    { kind: 'overloaded', status: 503, message, retryAfterMs },
    { connected: false, repeats: 0, hindrance },
  );
}

/** A limit of time has passed. */
export function lateCall(connected: boolean): CallFailure {
  const message = connected ? 'the backend did not answer in time' : 'the backend cannot be reached';
  return new CallFailure({ kind: 'timeout', message }, { connected, repeats: connected ? 0 : 1 });
}

/** We ended the call ourselves. */
export function abortedCall(): CallFailure {
  return new CallFailure({ kind: 'cancelled', message: 'the call was ended' }, { connected: true, repeats: 0 });
}

/** The gateway ends, and waits for no answer any longer. */
export function stoppedCall(): CallFailure {
  return new CallFailure(
    { kind: 'overloaded', message: 'the gateway is stopping', status: 503, retryAfterMs: 1000 },
    { connected: true, repeats: 0 },
  );
}

/** There are no credentials with which to call a backend. Nothing was sent. */
export class CredentialError extends Error {}

/** The connection could not be made, or broke. The reason goes to the log and not to the client: it names the host. */
export function brokenCall(error: Error, connected: boolean): CallFailure {
  const code = errorCode(error) ?? '';
  if (connected) {
    const message = 'the connection to the backend broke';
    return new CallFailure({ kind: 'upstream', message }, { connected, repeats: 0, cause: error });
  }
  if (error instanceof CredentialError) {
    const message = 'the gateway cannot get its credentials for the backend';
    return new CallFailure({ kind: 'upstream', message }, { connected, repeats: 1, cause: error });
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return lateCall(false);
  return new CallFailure(
    { kind: 'upstream', message: 'the backend cannot be reached' },
    { connected, repeats: isCertificate(code) ? 0 : Number.POSITIVE_INFINITY, cause: error },
  );
}

function isCertificate(code: string): boolean {
  return /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|SIGNATURE|ISSUER/.test(code);
}
