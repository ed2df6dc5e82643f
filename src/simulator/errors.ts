import {
  type CanonicalError,
  type DialectId,
  dialects,
  type EncodedError,
  encodeMediaError,
  TranslationError,
} from '../../translators/index.js';
import type { Exchange } from './http.js';
import { isObject, type JsonObject, type Violation } from './rules/index.js';

/** A refusal on its way out. `details` replace those of the error body. */
export class Refusal extends Error {
  constructor(
    readonly error: CanonicalError,
    readonly details?: readonly object[],
  ) {
    super(error.message);
  }
}

export const OVERLOADED: CanonicalError = { kind: 'overloaded', message: 'The simulated model is overloaded.' };

/** The failure that the user asked for by its HTTP status, as the service of the dialect reports it. */
export function simulated(id: DialectId, status: number): Refusal {
  const { kind } = dialects[id].decodeError(status, undefined, {});
  const error = { kind, message: `simulated error ${status}`, ...(status === 429 && { retryAfterMs: 1000 }) };
  const usual = dialects[id].encodeError(error, {}).status;
  return new Refusal(usual === status ? error : { ...error, status });
}

/** Nothing is served at a path. */
export function noRoute({ method, path }: Exchange): Refusal {
  return notFound(`Invalid URL (${method} ${path})`);
}

export function notFound(message: string): Refusal {
  return new Refusal({ kind: 'not_found', message });
}

/** A request that the service refuses; `path` names the field. */
export function invalid(message: string, path?: string, code?: string): Refusal {
  return new Refusal({ kind: 'invalid_request', message, ...(path && { path }), ...(code && { code }) });
}

/** Throws the first of what the rules of a service found. */
export function refuseFirst([first]: readonly Violation[]): void {
  if (first === undefined) return;
  const { message, status, code, param, details } = first;
  const kind = status === 404 ? 'not_found' : 'invalid_request';
  throw new Refusal({ kind, message, ...(param && { path: param }), ...(code && { code }) }, details);
}

/** A body that is a JSON object. Throws Refusal. */
export function parseBody(text: string): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalid('The request body is not valid JSON.');
  }
  if (!isObject(body)) throw invalid('The request body is not a JSON object.');
  return body;
}

/** What was thrown, as the service reports it. Anything but a refusal is thrown on. */
export function encodeThrown(thrown: unknown, { dialect, operation }: Exchange, requestId: string): EncodedError {
  const error = errorOf(thrown);
  if (operation === 'images') return encodeMediaError('images', error, { requestId });
  // The video routes name no field.
  if (operation === 'videos') return encodeMediaError('videoA', { ...error, path: '' }, { requestId });
  const encoded = dialects[dialect].encodeError(error, { requestId });
  const details = thrown instanceof Refusal ? thrown.details : undefined;
  if (details === undefined || !isObject(encoded.body.error)) return encoded;
  return { ...encoded, body: { ...encoded.body, error: { ...encoded.body.error, details } } };
}

function errorOf(thrown: unknown): CanonicalError {
  if (thrown instanceof Refusal) return thrown.error;
  if (thrown instanceof TranslationError) return thrown.toCanonical();
  throw thrown;
}
