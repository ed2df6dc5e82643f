import { type CanonicalError, TranslationError } from '../../../translators/index.js';

/** Headers of an answer. */
export type ResponseHeaders = Readonly<Record<string, string | number>>;

/** A refusal or failure of the gateway, thrown to the code that answers the client. */
export class Failure extends Error {
  readonly error: CanonicalError;
  readonly headers: ResponseHeaders | undefined;

  constructor(error: CanonicalError, options: { readonly headers?: ResponseHeaders; readonly cause?: unknown } = {}) {
    super(error.message, { cause: options.cause });
    this.name = 'Failure';
    this.error = error;
    this.headers = options.headers;
  }
}

/** Nobody waits for the answer any more. */
export function clientGone(): Failure {
  return new Failure({ kind: 'cancelled', message: 'the client went away' });
}

/** Anything thrown as an error that dialects can print. What nobody foresaw gets a text of our own. */
export function toCanonicalError(thrown: unknown): CanonicalError {
  if (thrown instanceof Failure) return thrown.error;
  if (thrown instanceof TranslationError && !isUnforeseen(thrown)) return thrown.toCanonical();
  return { kind: 'internal', message: 'the gateway failed to handle this request' };
}

/** True for what is a fault in our own code. */
export function isUnforeseen(thrown: unknown): boolean {
  if (!(thrown instanceof TranslationError)) return !(thrown instanceof Failure);
  return thrown.kind === 'internal' && thrown.cause !== undefined && finishOf(thrown) === undefined;
}

/** The finish of an answer that is reported as an error, because the client's dialect has no other word for it. */
export function finishOf({ cause }: TranslationError): { readonly kind: unknown } | undefined {
  return typeof cause === 'object' && cause !== null && 'kind' in cause ? { kind: cause.kind } : undefined;
}
