import { errorCode } from '../error-code.js';
import { Failure } from '../failure.js';

/** Why a call brought no answer. */
export class CallFailure extends Failure {
  /** A connection was made, so that the request may have reached the backend. */
  readonly connected: boolean;
  /** How often it makes sense to try again, when no connection was made. */
  readonly repeats: number;

  constructor(
    kind: 'timeout' | 'upstream' | 'cancelled',
    message: string,
    fields: { readonly connected: boolean; readonly repeats: number; readonly cause?: unknown },
  ) {
    super({ kind, message }, { cause: fields.cause });
    this.connected = fields.connected;
    this.repeats = fields.repeats;
  }
}

/** A limit of time has passed. */
export function lateCall(connected: boolean): CallFailure {
  return new CallFailure(
    'timeout',
    connected ? 'the backend did not answer in time' : 'the backend cannot be reached',
    {
      connected,
      repeats: connected ? 0 : 1,
    },
  );
}

/** We ended the call ourselves. */
export function abortedCall(): CallFailure {
  return new CallFailure('cancelled', 'the call was ended', { connected: true, repeats: 0 });
}

/** The connection could not be made, or broke. The reason goes to the log and not to the client: it names the host. */
export function brokenCall(error: Error, connected: boolean): CallFailure {
  const code = errorCode(error) ?? '';
  if (connected) {
    return new CallFailure('upstream', 'the connection to the backend broke', { connected, repeats: 0, cause: error });
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return lateCall(false);
  return new CallFailure('upstream', 'the backend cannot be reached', {
    connected,
    repeats: isCertificate(code) ? 0 : Number.POSITIVE_INFINITY,
    cause: error,
  });
}

function isCertificate(code: string): boolean {
  return /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|SIGNATURE|ISSUER/.test(code);
}
