import { untoldKeys } from '../../../adapt/index.js';
import type { HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import { isObject } from '../../../wire/json.js';
import { DIRECT } from '../../nodes.js';
import { type BlockReader, type ForeignTool, type PairCodec, type ToolCodec, textOf } from './codec.js';
import { encodeServerTool } from './tools.js';

/** Searches of the web. */
export const webSearchTool: ToolCodec = {
  names: ['web_search'],
  keys: ['allowed_domains', 'blocked_domains', 'user_location', 'max_uses'],
};

/** The search of another service. */
export const encodeSearch: ForeignTool = (tool, request, context) => {
  const encoded = encodeServerTool(tool, webSearchTool, request, context);
  if (encoded !== undefined && !/^(?:web_search|google_?search$)/i.test(tool.type))
    context.losses.add(tool, 'tool.hosted', 'approximated', 'another search engine');
  return encoded;
};

export const webSearchBlocks: BlockReader = {
  decodeInput: ({ query }) => ({ action: 'search', query }),
  decodeOutput: (content) => ({ sources: Array.isArray(content) ? content.filter(isObject).map(decodeSource) : [] }),
};

export const webSearchPair: PairCodec = {
  encodeCall: ({ input }, id) => ({
    type: 'server_tool_use',
    id,
    name: 'web_search',
    input: { query: queryOf(input) },
    caller: DIRECT,
  }),
  encodeResult: (result, id) => ({
    type: 'web_search_tool_result',
    tool_use_id: id,
    content: encodeSources(result),
    caller: DIRECT,
  }),
  counts: 'webSearch',
  hiddenInput(input) {
    const { action, queries } = input;
    const hidden = action === undefined || action === 'search' ? [] : ['the opened page'];
    const query = queryOf(input);
    if (Array.isArray(queries) && (queries.length > 1 || queries.some((one) => one !== query)))
      hidden.push('further queries');
    return hidden;
  },
  hiddenOutput(result) {
    if (result.isError !== true) return untoldKeys(result, ['sources']);
    return [...untoldKeys(result, []), ...(isError(result.errorCode) ? [] : ['the reason'])];
  },
};

/** Reasons why a search may fail [M §2.3]; a fetch has them as well. */
export const SEARCH_ERRORS = [
  'invalid_tool_input',
  'unavailable',
  'max_uses_exceeded',
  'too_many_requests',
  'query_too_long',
  'request_too_large',
] as const;

function isError(code: string | undefined): code is string {
  return SEARCH_ERRORS.some((known) => known === code);
}

function decodeSource(hit: JsonObject): JsonObject {
  return { url: hit.url, title: hit.title, ...(typeof hit.page_age === 'string' && { pageAge: hit.page_age }) };
}

/** The one query that the block of a search holds. */
function queryOf(input: JsonObject): string {
  const [first] = Array.isArray(input.queries) ? input.queries : [];
  return textOf(input.query) || textOf(first) || textOf(input.url) || textOf(input.pattern);
}

/** Encrypted fields are empty: by that such a pair is known when it comes back (translation.md 5.1). */
function encodeSources({ isError: failed, errorCode, output }: HostedResultPart): unknown {
  if (failed === true)
    return { type: 'web_search_tool_result_error', error_code: isError(errorCode) ? errorCode : 'unavailable' };
  const sources = Array.isArray(output.sources) ? output.sources.filter(isObject) : [];
  return sources.map((source) => ({
    type: 'web_search_result',
    url: textOf(source.url),
    title: textOf(source.title),
    encrypted_content: '',
    page_age: typeof source.pageAge === 'string' ? source.pageAge : null,
  }));
}
