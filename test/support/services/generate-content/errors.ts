const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};

const TYPE = 'type.googleapis.com/google.rpc.';

/** The error body of the generateContent dialect; on 429 the delay is in the details and in the message [G §7]. */
export function errorBody(code: number, message: string, details: readonly object[] = []) {
  const status = STATUSES[code] ?? (code < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
  return { error: { code, message, status, ...(details.length > 0 ? { details } : {}) } };
}

/** The detail that tells when to come back. */
export function retryInfo(seconds: number): object {
  return { '@type': `${TYPE}RetryInfo`, retryDelay: `${seconds}s` };
}

/** The detail that lists what is wrong with a body, by snake_case path. */
export function badRequest(violations: readonly { readonly field: string; readonly description: string }[]): object {
  return { '@type': `${TYPE}BadRequest`, fieldViolations: violations };
}
