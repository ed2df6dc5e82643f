import type { JsonObject } from '../../../canonical/node.js';
import type { HostedFamily, HostedTool } from '../../../canonical/tools.js';
import { Keys } from '../../nodes.js';
import { codeExecTool } from './code-execution.js';
import type { ToolCodec } from './codec.js';
import { COMMON, decodeServerTool, encodeServerFields, isDated } from './tools.js';
import { urlFetchTool } from './web-fetch.js';
import { webSearchTool } from './web-search.js';

const TOOL_SEARCHES = ['tool_search_tool_regex', 'tool_search_tool_bm25'];

/** The declared tools of the families that the service runs; those of MCP servers are toolsets. */
const TOOLS: Readonly<Partial<Record<HostedFamily, ToolCodec>>> = {
  webSearch: webSearchTool,
  urlFetch: urlFetchTool,
  codeExec: codeExecTool,
  toolSearch: { names: TOOL_SEARCHES, keys: [] },
  advisor: { names: ['advisor'], keys: ['max_uses'] },
};

const BY_TOOL = new Map(
  Object.entries(TOOLS).flatMap(([family, { names, keys }]) => {
    const tool = { family: family as HostedFamily, known: new Keys([...COMMON, ...keys]) };
    return names.map((name) => [name, tool] as const);
  }),
);

/** Families by the tools that `server_tool_use` blocks name [M §2.3]. */
const BY_CALL: ReadonlyMap<string, HostedFamily> = new Map([
  ...[...BY_TOOL].map(([name, { family }]) => [name, family] as const),
  ['bash_code_execution', 'codeExec'],
  ['text_editor_code_execution', 'codeExec'],
]);

/** Families by the types of the blocks of their results. */
const BY_RESULT: ReadonlyMap<string, HostedFamily> = new Map([
  ['web_search_tool_result', 'webSearch'],
  ['web_fetch_tool_result', 'urlFetch'],
  ['code_execution_tool_result', 'codeExec'],
  ['bash_code_execution_tool_result', 'codeExec'],
  ['text_editor_code_execution_tool_result', 'codeExec'],
  ['mcp_tool_result', 'mcp'],
  ['tool_search_tool_result', 'toolSearch'],
  ['advisor_tool_result', 'advisor'],
]);

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
  for (const [name, { family, known }] of BY_TOOL)
    if (isDated(type, name)) return decodeServerTool(node, { family, name, type }, known, ptr);
  return undefined;
}

/** The name under which a hosted tool is called. */
export function hostedName(tool: { readonly family: HostedFamily; readonly type: string }): string | undefined {
  const names = TOOLS[tool.family]?.names ?? [];
  return names.find((name) => isDated(tool.type, name)) ?? names[0];
}

/** A hosted tool with the settings that this dialect has. */
export function encodeHostedTool(tool: HostedTool): JsonObject {
  return encodeServerFields(tool.type, hostedName(tool), tool.settings);
}
