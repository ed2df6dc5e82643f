import type { RefusalDetail } from '../http.js';

const TYPES: Readonly<Record<number, { readonly type: string; readonly code: string | null }>> = {
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
};

/** The error body of the responses dialect; all four keys are always there [R §6]. */
export function errorBody(status: number, message: string, detail: RefusalDetail = {}) {
  const fallback = { type: status < 500 ? 'invalid_request_error' : 'server_error', code: null };
  const { type, code } = TYPES[status] ?? (status >= 500 ? { ...fallback, code: 'server_error' } : fallback);
  return {
    error: { message, type: detail.type ?? type, param: detail.param ?? null, code: detail.code ?? code },
  };
}

const VIDEO_TYPES: Readonly<Record<number, readonly [type: string, code: string]>> = {
  401: ['authentication_error', 'invalid_api_key'],
  403: ['permission_error', 'insufficient_permissions'],
  404: ['invalid_request_error', 'not_found'],
  429: ['rate_limit_error', 'rate_limit_exceeded'],
};

/** The error body of the video routes: three strings [media §7]. */
export function videoErrorBody(status: number, message: string) {
  const [type, code] =
    VIDEO_TYPES[status] ??
    (status < 500 ? ['invalid_request_error', 'invalid_parameter'] : ['server_error', 'internal_error']);
  return { error: { message, type, code } };
}
