const TYPES: Readonly<Record<number, { readonly type: string; readonly code: string | null }>> = {
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
};

/** The error body of the responses dialect; all four keys are always there [R §6]. */
export function errorBody(
  status: number,
  message: string,
  detail: { readonly type?: string; readonly code?: string; readonly param?: string } = {},
) {
  const fallback = { type: status < 500 ? 'invalid_request_error' : 'server_error', code: null };
  const { type, code } = TYPES[status] ?? (status >= 500 ? { ...fallback, code: 'server_error' } : fallback);
  return {
    error: { message, type: detail.type ?? type, param: detail.param ?? null, code: detail.code ?? code },
  };
}
