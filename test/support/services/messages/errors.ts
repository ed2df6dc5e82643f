const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/**
 * The error envelope of the messages dialect [M §6]; the type follows from the status unless given.
 * @param detail `code` becomes `details.error_code`
 */
export function errorBody(
  status: number,
  message: string,
  requestId: string | null,
  detail: { readonly type?: string; readonly code?: string } = {},
) {
  const fallback = status < 500 ? 'invalid_request_error' : 'api_error';
  const details = detail.code === undefined ? {} : { details: { error_code: detail.code } };
  return {
    type: 'error',
    error: { type: detail.type ?? TYPES[status] ?? fallback, message, ...details },
    ...(requestId === null ? {} : { request_id: requestId }),
  };
}
