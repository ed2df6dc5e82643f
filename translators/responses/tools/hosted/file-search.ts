import type { JsonObject } from '../../../canonical/node.js';
import type { HostedTool } from '../../../canonical/tools.js';
import { check, Keys, origin, type Reader } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import { type HostedCodec, hostedTool, type ItemCodec, type ItemContent, listOf } from './codec.js';

const TYPE = 'file_search_call';

/** Search in the service's vector stores. */
export const fileSearch: HostedCodec = {
  tool: {
    types: ['file_search'],
    decode: decodeTool,
    fields: ({ settings }) => ({ vector_store_ids: settings.storeIds ?? [] }),
  },
  item: { type: TYPE, decode: decodeItem },
};

export const fileSearchItem: ItemCodec = {
  type: TYPE,
  opening: ['response.file_search_call.in_progress', 'response.file_search_call.searching'],
  completed: 'response.file_search_call.completed',
  cut: 'incomplete',
  head: () => ({ queries: [], results: null }),
  whole: (call, result) => ({ queries: listOf(call.input.queries), results: listOf(result?.output.results) }),
  shownKeys: ['results'],
};

/** Keys that the model holds; the others stay in the bag. */
const TOOL = new Keys(['type', 'vector_store_ids']);

function decodeTool(node: JsonObject, ptr: string, reader: Reader): HostedTool {
  const { vector_store_ids: storeIds } = check(wire.fileSearchTool, node, ptr, reader);
  return hostedTool('fileSearch', 'file_search', { storeIds }, origin(node, TOOL, ptr));
}

function decodeItem(node: JsonObject, ptr: string, reader: Reader): ItemContent {
  const { queries, results, status } = check(wire.fileSearchCall, node, ptr, reader);
  return { input: { queries: queries ?? [] }, output: { results: results ?? [] }, status: status ?? undefined };
}
