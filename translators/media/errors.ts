import type { CanonicalError, ErrorKind } from '../canonical/errors.js';
import type { JsonObject } from '../canonical/node.js';
import type { EncodedError, EncodeErrorContext } from '../dialect.js';
import { fieldName } from '../wire/pointer.js';
import { errorHeaders } from '../wire/retry-after.js';

/** The media routes by the form of their errors: the image routes, the two formats of the video routes. */
export type MediaSurface = 'images' | 'videoA' | 'videoB';

interface Row {
  readonly status: number;
  readonly type: string;
  /** Gives way to the code of the error itself on the image routes. */
  readonly code: string | null;
}

const REQUEST = 'invalid_request_error';
const INTERNAL = 'internal_error';

/** media.md 7. */
const ROWS: Readonly<Record<ErrorKind, Row>> = {
  invalid_request: { status: 400, type: REQUEST, code: null },
  context_length: { status: 400, type: REQUEST, code: 'string_above_max_length' },
  content_policy: { status: 400, type: REQUEST, code: 'content_policy_violation' },
  authentication: { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
  billing: { status: 400, type: REQUEST, code: 'billing_hard_limit_reached' },
  permission: { status: 403, type: 'permission_error', code: 'insufficient_permissions' },
  not_found: { status: 404, type: REQUEST, code: null },
  conflict: { status: 409, type: REQUEST, code: null },
  too_large: { status: 413, type: REQUEST, code: null },
  rate_limit: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  timeout: { status: 504, type: 'server_error', code: INTERNAL },
  cancelled: { status: 499, type: 'server_error', code: INTERNAL },
  overloaded: { status: 503, type: 'server_error', code: INTERNAL },
  internal: { status: 500, type: 'server_error', code: INTERNAL },
  upstream: { status: 502, type: 'server_error', code: INTERNAL },
  unsupported: { status: 400, type: REQUEST, code: 'unsupported_translation' },
};

/** The code that format A has for every faulty request [S]. */
const FORMAT_A_CODE = 'invalid_parameter';

/** An error answer of a media route. Complete bodies: nothing that its form has is left out. */
export function encodeMediaError(
  surface: MediaSurface,
  error: CanonicalError,
  context: EncodeErrorContext,
): EncodedError {
  const row = rowOf(error);
  const headers = errorHeaders(error, context.requestId);
  return { status: statusOf(surface, error.status ?? row.status), body: BODIES[surface](error, row), headers };
}

/** Statuses that the video routes do not have [S]. */
const FOLDED: Readonly<Record<number, number>> = {
  408: 400,
  409: 400,
  413: 400,
  415: 400,
  502: 500,
  503: 500,
  504: 500,
};

function statusOf(surface: MediaSurface, status: number): number {
  return surface === 'images' ? status : (FOLDED[status] ?? status);
}

/** Unknown models are a fault of the request. */
function rowOf(error: CanonicalError): Row {
  const unknown = error.kind === 'not_found' && (error.model !== undefined || error.code === 'model_not_found');
  return unknown ? { status: 400, type: REQUEST, code: 'model_not_found' } : ROWS[error.kind];
}

const BODIES = {
  images: (error, row) => ({
    error: { message: error.message, type: row.type, param: paramOf(error), code: codeOf(error, row) },
  }),
  videoA: (error, row) => ({
    // The name of the field is an addition that clients of format A may pass over (media.md 7).
    error: { message: error.message, type: row.type, code: row.code ?? FORMAT_A_CODE, ...named(error) },
  }),
  videoB: (error, row) => ({ code: null, message: error.message, param: paramOf(error), type: row.type }),
} as const satisfies Record<MediaSurface, (error: CanonicalError, row: Row) => JsonObject>;

function named(error: CanonicalError): { readonly param?: string } {
  const param = paramOf(error);
  return param === null ? {} : { param };
}

/** The field a fault is about; null where it is about none of the request's own. */
function paramOf({ kind, path = '', model }: CanonicalError): string | null {
  if (kind === 'not_found' && model !== undefined) return 'model';
  return path.startsWith('/$') ? null : fieldName(path) || null;
}

/** Codes of this protocol are words; those of other protocols say nothing here. */
function codeOf({ code }: CanonicalError, row: Row): string | null {
  const own = code !== undefined && /^[a-z][a-z0-9_]*$/.test(code) ? code : undefined;
  return row.type === REQUEST ? (own ?? row.code) : row.code;
}
