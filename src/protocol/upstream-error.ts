import {
  type CallerDialect,
  type CanonicalError,
  createLosses,
  type DialectId,
  type Headers,
  type JsonObject,
  jsonDepth,
  type ServiceDialect,
  TranslationError,
} from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { isObject } from '../ground/plain/index.js';
import { isLocalPreset } from '../presets/index.js';
import type { Host } from './host.js';

/** A refusal of a backend, understood. */
export interface UpstreamError {
  /** For a client of another dialect. */
  readonly error: CanonicalError;
  /** In the backend's own words, for us alone. */
  readonly original: CanonicalError;
  /** It is about the gateway's own credentials. */
  readonly ours: boolean;
  /** Another target may be tried: an answered refusal costs nothing (configuration.md#rules). */
  readonly next: boolean;
  /** The body is an error of the backend's dialect. */
  readonly shaped: boolean;
  /** Such a body as clients of the vendor know it, where the server says it otherwise. */
  readonly mended?: string;
}

const NEXT = new Set([401, 403, 404, 429, 500, 502, 503, 529]);

/** What reads the errors of a dialect's services. */
export type ErrorReader = Pick<ServiceDialect, 'decodeError' | 'asVendorError'>;

/** Understands an answer that is no success. `readerOf` gives what reads the errors of a dialect. */
export function readUpstreamError(
  backend: Host,
  readerOf: (dialect: DialectId) => ErrorReader,
  status: number,
  headers: Headers,
  bytes: Uint8Array,
): UpstreamError {
  if (status < 400) {
    const error: CanonicalError = { kind: 'upstream', message: 'the backend answered with a redirect' };
    return { error, original: error, ours: false, next: false, shaped: false };
  }
  const body = unwrapped(backend, parse(bytes));
  const text = textIn(body);
  const isMistake = status === 500 && MISTAKE.test(text);
  const told = isMistake ? 400 : status;
  const decoded = readerOf(speakerOf(backend, body)).decodeError(
    told,
    backend.videos === 'b' ? wrapped(body) : body,
    headers,
  );
  const original = isMistake ? { ...decoded, message: decoded.message.replace(TRACE, '') } : decoded;
  const denied = decoded.kind === 'authentication' || decoded.kind === 'permission';
  const ours = isRefusedKey(backend, decoded.kind);
  const own = told >= 500 && isLocal(backend) && text !== '' ? text : undefined;
  const shaped = !isMistake && isShaped(backend.dialect, body);
  const mended = shaped && isObject(body) ? mendedBody(backend, readerOf(backend.dialect), status, body) : undefined;
  return {
    error: ours ? OURS : shownError(original, told, own),
    original,
    ours,
    next: NEXT.has(status) || denied || decoded.kind === 'not_found',
    // Its status says to clients that the same request may do later.
    shaped,
    ...(mended !== undefined && { mended }),
  };
}

/** What another server than the vendor's says, in the vendor's words; undefined where it says so itself. */
function mendedBody(
  { baseUrl, dialect, preset }: Host,
  reader: ErrorReader,
  status: number,
  body: JsonObject,
): string | undefined {
  const isVendor = baseUrl === undefined || preset?.name === gatewayDialect(dialect).service.preset;
  const said = isVendor ? body : (reader.asVendorError?.(status, body) ?? body);
  return said === body ? undefined : JSON.stringify(said);
}

/** How local servers say, with a 500, that a request is not valid: [H §9.1] and what was seen of llama.cpp, llama-cpp-python. */
const MISTAKE = /\bnot supported\b|\bdoes not support\b|\bmmproj\b|^\d+ validation errors?\b/i;

/** Whether the body of a 500 says that the request is not valid: a server that tells so works. */
export function tellsMistake(bytes: Uint8Array): boolean {
  return MISTAKE.test(textIn(parse(bytes)));
}

/** Where in its own code a server found that, which means nothing to who asked. */
const TRACE = /\n[ \t]*File "[\s\S]*$/;

/** Longest text of a failing server that is passed on, in characters. */
const TEXT_CHARACTERS = 1000;

/** What a body says of a failure; '' = nothing that is a text. */
function textIn(body: unknown): string {
  const error = isObject(body) ? body.error : undefined;
  const told = isObject(error) ? error.message : (error ?? (isObject(body) ? (body.message ?? body.detail) : body));
  return typeof told === 'string' ? told.slice(0, TEXT_CHARACTERS) : '';
}

/** Whether people run the server themselves: what it says of its own failure is for them. */
function isLocal({ preset }: Host): boolean {
  return preset !== undefined && isLocalPreset(preset.name);
}

/** What finds an error in an answer. */
export type AnswerReader = Pick<ServiceDialect, 'decodeResponse' | 'errorIn'>;

/** The error that a backend sent as if it were an answer. */
export function errorInAnswer(
  backend: Host,
  service: AnswerReader,
  body: Record<string, unknown>,
): CanonicalError | undefined {
  if (service.errorIn !== undefined) return service.errorIn(body);
  if ('output' in body || 'candidates' in body || !isShaped(backend.dialect, body)) return undefined;
  try {
    service.decodeResponse(body, { losses: createLosses(), domain: backend.domain });
  } catch (thrown) {
    if (thrown instanceof TranslationError) return thrown.toCanonical();
    throw thrown;
  }
  return undefined;
}

/** The client's error for a failure that came inside an answer: a refusal of our own key is no fault of the client. */
export function errorForClient(backend: Host, error: CanonicalError): CanonicalError {
  return isRefusedKey(backend, error.kind) ? OURS : error;
}

function isRefusedKey({ auth }: Host, kind: CanonicalError['kind']): boolean {
  return (kind === 'authentication' || kind === 'permission') && auth !== 'client';
}

/** Whose words an error is in: what stands in front of a publisher's server refuses in its own. */
function speakerOf({ dialect, publisher }: Host, body: unknown): DialectId {
  return publisher !== undefined && !isShaped(dialect, body) && isShaped('generateContent', body)
    ? 'generateContent'
    : dialect;
}

/** The same stands in a list where a stream was asked for. */
function unwrapped({ publisher }: Host, body: unknown): unknown {
  return publisher !== undefined && Array.isArray(body) && body.length === 1 ? body[0] : body;
}

/** Errors of the second video format are flat (media.md 7). */
function wrapped(body: unknown): unknown {
  return isObject(body) && typeof body.message === 'string' && !isObject(body.error) ? { error: body } : body;
}

function isShaped(dialect: DialectId, body: unknown): boolean {
  const error = isObject(body) ? body.error : undefined;
  return (
    isObject(body) &&
    isObject(error) &&
    typeof error.message === 'string' &&
    gatewayDialect(dialect).isError(body, error)
  );
}

/** An error that nests deeper than this is no error of any dialect. */
const ERROR_DEPTH = 128;

function parse(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  if (jsonDepth(text, ERROR_DEPTH)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const OURS: CanonicalError = {
  kind: 'upstream',
  message: 'the backend refused the credentials of this gateway',
  retry: false,
};

/**
 * What a client of another dialect may see: the words of a 4xx, with the mark that a field is one of the backend's
 * request; of a 5xx our own words (translation.md 7.1.2), or those of a server that its users run themselves.
 */
function shownError(error: CanonicalError, status: number, local: string | undefined): CanonicalError {
  if (status >= 500) return { ...error, message: local ?? ownWords(error.kind), path: undefined };
  if (error.path === undefined) return error;
  return { ...error, message: `${error.message} (upstream field)`, path: undefined };
}

function ownWords(kind: CanonicalError['kind']): string {
  switch (kind) {
    case 'overloaded':
      return 'the backend is overloaded';
    case 'timeout':
      return 'the backend did not answer in time';
    default:
      return 'the backend failed';
  }
}

/** Limits and hints that an answer's headers hold, for a client of a dialect. `now` in Unix ms. */
export function translateLimits(
  backend: Pick<ServiceDialect, 'decodeLimits'>,
  client: Pick<CallerDialect, 'encodeLimits'>,
  headers: Headers,
  now: number,
): Record<string, string> {
  return client.encodeLimits(backend.decodeLimits(headers, now), now);
}

/** The error for a stream without its final event. */
export const INCOMPLETE = {
  kind: 'upstream',
  message: 'the backend ended its answer without its final event',
  code: 'upstream_incomplete',
} as const;
