import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import { hash32 } from '../../../wire/hash.js';
import { isObject, parseJson } from '../../../wire/json.js';
import { SHOWN_HOSTED, SHOWN_MCP } from '../../edge/withhold.js';
import { DIRECT, rawOf, restore, textBlock } from '../../nodes.js';

/** A hosted call as it came. */
export function encodeOwnHostedCall(part: HostedCallPart): JsonObject {
  const raw = rawOf(part);
  if (part.family === 'mcp') {
    const { server, name } = part.input;
    return restore({ type: 'mcp_tool_use', id: part.callId, name, server_name: server, input: raw.input ?? {} }, part);
  }
  return restore({ type: 'server_tool_use', id: part.callId, ...raw }, part);
}

/** A hosted result as it came. */
export function encodeOwnHostedResult(part: HostedResultPart): JsonObject {
  return restore({ tool_use_id: part.callId, ...rawOf(part) }, part);
}

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

/** Hosted calls of another service as pairs of this dialect (translation.md 5.1). Undefined: the family has no pair here. */
export function encodeForeignHosted(
  part: HostedCallPart | HostedResultPart,
  responseId: string,
): JsonObject | undefined {
  const hash = hash32(`${responseId}:${part.callId}`, 20);
  const id = part.family === 'mcp' ? SHOWN_MCP + hash : SHOWN_HOSTED + hash;
  return part.kind === 'hostedCall' ? encodeForeignHostedCall(part, id) : encodeForeignHostedResult(part, id);
}

function encodeForeignHostedCall({ family, input }: HostedCallPart, id: string): JsonObject | undefined {
  switch (family) {
    case 'webSearch':
      return { type: 'server_tool_use', id, name: 'web_search', input: { query: queryOf(input) }, caller: DIRECT };
    case 'urlFetch':
      return { type: 'server_tool_use', id, name: 'web_fetch', input: { url: word(input.url) }, caller: DIRECT };
    case 'codeExec':
      return { type: 'server_tool_use', id, name: 'code_execution', input: { code: word(input.code) }, caller: DIRECT };
    case 'mcp': {
      const parsed = parseJson(typeof input.arguments === 'string' ? input.arguments : '{}');
      const args = parsed.ok && isObject(parsed.value) ? parsed.value : {};
      return { type: 'mcp_tool_use', id, name: word(input.name), server_name: word(input.server), input: args };
    }
    case 'fileSearch':
    case 'imageGen':
    case 'toolSearch':
    case 'maps':
    case 'advisor':
    case 'other':
      return undefined;
    default:
      return family satisfies never;
  }
}

/** The one query that a search tells here. */
export function queryOf(input: JsonObject): string {
  const [first] = Array.isArray(input.queries) ? input.queries : [];
  return word(input.query) || word(first) || word(input.url) || word(input.pattern);
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function encodeForeignHostedResult(part: HostedResultPart, id: string): JsonObject | undefined {
  const { output } = part;
  switch (part.family) {
    case 'webSearch':
      return { type: 'web_search_tool_result', tool_use_id: id, content: encodeSearch(part), caller: DIRECT };
    case 'urlFetch':
      return { type: 'web_fetch_tool_result', tool_use_id: id, content: encodeFetch(part), caller: DIRECT };
    case 'codeExec':
      return { type: 'code_execution_tool_result', tool_use_id: id, content: encodeExecution(part) };
    case 'mcp': {
      const content = [textBlock(word(output.text))];
      return { type: 'mcp_tool_result', tool_use_id: id, is_error: part.isError === true, content };
    }
    case 'fileSearch':
    case 'imageGen':
    case 'toolSearch':
    case 'maps':
    case 'advisor':
    case 'other':
      return undefined;
    default:
      return part.family satisfies never;
  }
}

/** Encrypted fields are empty: by that such a pair is known when it comes back (translation.md 9.29). */
function encodeSearch(part: HostedResultPart): unknown {
  if (part.isError === true)
    return {
      type: 'web_search_tool_result_error',
      error_code: isSearchError(part.errorCode) ? part.errorCode : 'unavailable',
    };
  const sources = Array.isArray(part.output.sources) ? part.output.sources.filter(isObject) : [];
  return sources.map((source) => ({
    type: 'web_search_result',
    url: word(source.url),
    title: word(source.title),
    encrypted_content: '',
    page_age: typeof source.pageAge === 'string' ? source.pageAge : null,
  }));
}

function encodeFetch({ isError, errorCode, output }: HostedResultPart): JsonObject {
  if (isError === true)
    return {
      type: 'web_fetch_tool_result_error',
      error_code: isFetchError(errorCode) ? errorCode : 'url_not_accessible',
    };
  const source = { type: 'text', media_type: 'text/plain', data: word(output.text) };
  const title = typeof output.title === 'string' ? output.title : null;
  // The vendor's schema has `citations` here, as null; its service leaves it out, and some clients refuse the null.
  const content = { type: 'document', source, title };
  return { type: 'web_fetch_result', url: word(output.url), retrieved_at: null, content };
}

function encodeExecution({ output, isError }: HostedResultPart): JsonObject {
  if (output.timedOut === true) {
    return { type: 'code_execution_tool_result_error', error_code: 'execution_time_exceeded' };
  }
  return {
    type: 'code_execution_result',
    stdout: word(output.stdout),
    stderr: word(output.stderr),
    return_code: typeof output.exitCode === 'number' ? output.exitCode : isError === true ? 1 : 0,
    content: [],
  };
}
