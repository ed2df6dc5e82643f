import type { CanonicalError } from '../../translators/index.js';
import {
  CallFailure,
  errorCode,
  errorMessage,
  Failure,
  type Hindrance,
  type ResponseHeaders,
} from '../ground/index.js';

/** A failure on its way from one thread to another. Errors lose their class and their members there. */
export interface PackedFailure {
  readonly error: CanonicalError;
  readonly headers?: ResponseHeaders | undefined;
  readonly cause?: { readonly code: string | undefined; readonly message: string } | undefined;
  /** Set for one of a call to a backend. */
  readonly call?: {
    readonly connected: boolean;
    readonly repeats: number;
    readonly hindrance: Hindrance | undefined;
  };
}

/** Packs what was thrown; of what is no failure of ours the message becomes the cause. */
export function packFailure(thrown: unknown): PackedFailure {
  if (!(thrown instanceof Failure)) {
    return {
      error: { kind: 'internal', message: 'the gateway failed to handle this request' },
      cause: packCause(thrown),
    };
  }
  const { error, headers, cause } = thrown;
  return {
    error,
    headers,
    cause: cause === undefined ? undefined : packCause(cause),
    ...(thrown instanceof CallFailure && {
      call: { connected: thrown.connected, repeats: thrown.repeats, hindrance: thrown.hindrance },
    }),
  };
}

function packCause(cause: unknown): PackedFailure['cause'] {
  return { code: errorCode(cause), message: errorMessage(cause) };
}

export function unpackFailure({ error, headers, cause: packed, call }: PackedFailure): Failure {
  const cause = packed && Object.assign(new Error(packed.message), packed.code !== undefined && { code: packed.code });
  if (call !== undefined && isOfCall(error)) return new CallFailure(error, { ...call, cause });
  return new Failure(error, { headers, cause });
}

/** The same for the reason why a call is ended. */
export function unpackReason(packed: PackedFailure): CallFailure {
  const failure = unpackFailure(packed);
  if (failure instanceof CallFailure) return failure;
  return new CallFailure(
    { ...failure.error, kind: 'cancelled' },
    { connected: true, repeats: 0, cause: failure.cause },
  );
}

type OfCall = ConstructorParameters<typeof CallFailure>[0];

const KINDS: ReadonlySet<string> = new Set<OfCall['kind']>(['timeout', 'upstream', 'cancelled', 'overloaded']);

function isOfCall(error: CanonicalError): error is OfCall {
  return KINDS.has(error.kind);
}
