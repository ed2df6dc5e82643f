import { type CanonicalError, type DialectId, dialects, TranslationError } from '../../translators/index.js';
import type { Exchange } from './http.js';

/** A refusal on its way out. */
export class Refusal extends Error {
  constructor(readonly error: CanonicalError) {
    super(error.message);
  }
}

export const OVERLOADED: CanonicalError = { kind: 'overloaded', message: 'The simulated model is overloaded.' };

/** The failure that the user asked for by its HTTP status, told as the service of the dialect tells it. */
export function simulated(id: DialectId, status: number): Refusal {
  const { kind } = dialects[id].decodeError(status, undefined, {});
  const error = { kind, message: `simulated error ${status}`, ...(status === 429 && { retryAfterMs: 1000 }) };
  const usual = dialects[id].encodeError(error, {}).status;
  return new Refusal(usual === status ? error : { ...error, status });
}

/** Nothing is served at a path. */
export function noRoute({ method, path }: Exchange): Refusal {
  return new Refusal({ kind: 'not_found', message: `Invalid URL (${method} ${path})` });
}

/** What was refused; anything else that was thrown is thrown on. */
export function refusedBy(thrown: unknown): CanonicalError {
  if (thrown instanceof Refusal) return thrown.error;
  if (thrown instanceof TranslationError) return thrown.toCanonical();
  throw thrown;
}

/** A body that is JSON. Throws Refusal. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal({ kind: 'invalid_request', message: 'The request body is not valid JSON.' });
  }
}
