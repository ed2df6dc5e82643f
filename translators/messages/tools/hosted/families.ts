import { pictureOf } from '../../../adapt/index.js';
import { NO_TOOL_SEARCH } from '../../../canonical/loss.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedFamily, HostedTool } from '../../../canonical/tools.js';
import { codeExec } from './code-execution.js';
import { dropTool, type HostedCodec } from './codec.js';
import { mcp } from './mcp.js';
import { decodeServerTool, encodeServerFields, isDated } from './tools.js';
import { urlFetch } from './web-fetch.js';
import { webSearch } from './web-search.js';

const TOOL_SEARCHES = ['tool_search_tool_regex', 'tool_search_tool_bm25'];

/** Every family of hosted tools. */
export const hostedCodecs: Readonly<Record<HostedFamily, HostedCodec>> = {
  webSearch,
  urlFetch,
  codeExec,
  mcp,
  toolSearch: {
    tool: { names: TOOL_SEARCHES, keys: [] },
    encodeForeignTool: dropTool(NO_TOOL_SEARCH),
    blocks: { names: TOOL_SEARCHES, results: ['tool_search_tool_result'] },
  },
  advisor: {
    tool: { names: ['advisor'], keys: ['max_uses'] },
    encodeForeignTool: dropTool('the service has no advisor tool'),
    blocks: { names: ['advisor'], results: ['advisor_tool_result'] },
  },
  fileSearch: { encodeForeignTool: dropTool('the service has no file search tool') },
  imageGen: { encodeForeignTool: dropTool('the service has no image generation tool'), picture: pictureOf },
  maps: { encodeForeignTool: dropTool('the service has no maps tool') },
  other: { encodeForeignTool: dropTool('this hosted tool has no equivalent at the service') },
};

const FAMILIES = Object.keys(hostedCodecs) as HostedFamily[];

/** Families by one of the words that their codecs list. */
function familiesBy(words: (codec: HostedCodec) => readonly string[] | undefined): ReadonlyMap<string, HostedFamily> {
  return new Map(
    FAMILIES.flatMap((family) => (words(hostedCodecs[family]) ?? []).map((word) => [word, family] as const)),
  );
}

const BY_TOOL = familiesBy(({ tool }) => tool?.names);
const BY_CALL = familiesBy(({ blocks }) => blocks?.names);
const BY_RESULT = familiesBy(({ blocks }) => blocks?.results);

/** What a `server_tool_use` block is of, by the name of its tool [M §2.3]. */
export function familyOfCall(name: string): HostedFamily | undefined {
  return BY_CALL.get(name);
}

/** What a result block is of, by its type; undefined for blocks that are no results of server tools. */
export function familyOfResult(type: string): HostedFamily | undefined {
  return BY_RESULT.get(type);
}

/** A declared tool that the service runs; undefined for other types. */
export function decodeHostedTool(node: JsonObject, type: string, ptr: string): HostedTool | undefined {
  for (const [name, family] of BY_TOOL)
    if (isDated(type, name))
      return decodeServerTool(node, { family, name, type }, hostedCodecs[family].tool?.keys ?? [], ptr);
  return undefined;
}

/** The name under which a hosted tool is called. */
export function hostedName(tool: { readonly family: HostedFamily; readonly type: string }): string | undefined {
  const names = hostedCodecs[tool.family].tool?.names ?? [];
  return names.find((name) => isDated(tool.type, name)) ?? names[0];
}

/** A hosted tool with the settings that this dialect has. */
export function encodeHostedTool(tool: HostedTool): JsonObject {
  return encodeServerFields(tool.type, hostedName(tool), tool.settings);
}
