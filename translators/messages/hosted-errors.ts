/** Reasons why a search may fail ([M §2.3]). */
const SEARCH_ERRORS: ReadonlySet<string> = new Set([
  'invalid_tool_input',
  'unavailable',
  'max_uses_exceeded',
  'too_many_requests',
  'query_too_long',
  'request_too_large',
]);

/** Further reasons why a fetch may fail. */
const FETCH_ERRORS: ReadonlySet<string> = new Set([
  'url_too_long',
  'url_not_allowed',
  'url_not_in_prior_context',
  'url_not_accessible',
  'unsupported_content_type',
  'content_too_large',
]);

/** Whether a search fails for such a reason here. */
export function isSearchError(code: string | undefined): code is string {
  return code !== undefined && SEARCH_ERRORS.has(code);
}

/** Whether a fetch fails for such a reason here. */
export function isFetchError(code: string | undefined): code is string {
  return code !== undefined && (SEARCH_ERRORS.has(code) || FETCH_ERRORS.has(code));
}
