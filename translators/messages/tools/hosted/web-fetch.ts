import { untoldKeys } from '../../../adapt/index.js';
import type { HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import { isObject } from '../../../wire/json.js';
import { DIRECT } from '../../nodes.js';
import { type BlockReader, type PairCodec, type ToolCodec, textOf } from './codec.js';
import { SEARCH_ERRORS } from './web-search.js';

/** Pages that the service fetches. */
export const urlFetchTool: ToolCodec = {
  names: ['web_fetch'],
  keys: ['allowed_domains', 'blocked_domains', 'max_uses'],
};

export const urlFetchBlocks: BlockReader = {
  decodeOutput: (content) => (isObject(content) ? decodePage(content) : {}),
};

export const urlFetchPair: PairCodec = {
  encodeCall: ({ input }, id) => ({
    type: 'server_tool_use',
    id,
    name: 'web_fetch',
    input: { url: textOf(input.url) },
    caller: DIRECT,
  }),
  encodeResult: (result, id) => ({
    type: 'web_fetch_tool_result',
    tool_use_id: id,
    content: encodePage(result),
    caller: DIRECT,
  }),
  counts: 'webFetch',
  hiddenOutput(result) {
    const { isError, errorCode, output } = result;
    if (isError === true)
      return [...untoldKeys(result, ['url', 'status']), ...(isFetchError(errorCode) ? [] : ['the reason'])];
    return untoldKeys(result, ['url', 'title', 'text', ...(output.status === 'success' ? ['status'] : [])]);
  },
  inventedOutput: ({ isError, output }) =>
    isError !== true && typeof output.text !== 'string'
      ? 'the content of the page is unknown; its document is empty'
      : undefined,
};

/** Reasons why a fetch may fail. */
const FETCH_ERRORS: ReadonlySet<string> = new Set([
  ...SEARCH_ERRORS,
  'url_too_long',
  'url_not_allowed',
  'url_not_in_prior_context',
  'url_not_accessible',
  'unsupported_content_type',
  'content_too_large',
]);

function isFetchError(code: string | undefined): code is string {
  return code !== undefined && FETCH_ERRORS.has(code);
}

function decodePage(content: JsonObject): JsonObject {
  const document = isObject(content.content) ? content.content : {};
  const source = isObject(document.source) ? document.source : {};
  return {
    url: content.url,
    ...(typeof document.title === 'string' && { title: document.title }),
    ...(source.type === 'text' && typeof source.data === 'string' && { text: source.data }),
  };
}

function encodePage({ isError, errorCode, output }: HostedResultPart): JsonObject {
  if (isError === true) {
    const error_code = isFetchError(errorCode) ? errorCode : 'url_not_accessible';
    return { type: 'web_fetch_tool_result_error', error_code };
  }
  const source = { type: 'text', media_type: 'text/plain', data: textOf(output.text) };
  const title = typeof output.title === 'string' ? output.title : null;
  // The vendor's schema has `citations` here, as null; its service leaves it out, and some clients refuse the null.
  const content = { type: 'document', source, title };
  return { type: 'web_fetch_result', url: textOf(output.url), retrieved_at: null, content };
}
