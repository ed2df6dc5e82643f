import { NO_MCP, NO_TOOL_SEARCH } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { HostedFamily } from '../../canonical/tools.js';
import { type Changed, mapNodes, nodesIn, withMember } from '../../wire/shared-copies.js';
import { familyOfItem, familyOfTool } from '../tools/hosted/families.js';
import type { Fit, Fitting } from './fitting.js';
import { withLeftChoice } from './settings.js';

/** Tools that an item declares, or that a search finds, are declared from the start, and the search is left out. */
export const withFoundTools: Fit = (body, fitting) => {
  const { unsupported, losses, places } = fitting;
  const found: JsonObject[] = [];
  const input = mapNodes(body.input, (item) => {
    if (unsupported.has('additionalTools') && item.type === 'additional_tools')
      losses.add(places.of(item), 'part.toolChange', 'moved', 'the tools are declared from the start');
    else if (unsupported.has('toolSearch') && (item.type === 'tool_search_call' || item.type === 'tool_search_output'))
      losses.add(places.of(item), 'tool.hosted', 'dropped', NO_TOOL_SEARCH);
    else return item;
    nodesIn(item.tools).forEach((tool, index) => {
      places.note(tool, `${places.of(item)}/tools/${index}`);
      found.push(tool);
    });
    return [];
  });
  const all = found.length === 0 ? body.tools : declared([...nodesIn(body.tools)], found, fitting);
  const tools = unsupported.has('toolSearch') ? mapNodes(all, (tool) => declaredNow(tool, fitting)) : all;
  const fitted = withMember(withMember(body, 'input', input), 'tools', tools);
  return unsupported.has('toolSearch') ? withLeftChoice(fitted, body, fitting) : fitted;
};

/** The tools with more behind them: one of a name that is there already takes the place of the older. */
function declared(tools: JsonObject[], found: readonly JsonObject[], { losses, places }: Fitting): JsonObject[] {
  for (const tool of found) {
    const same = typeof tool.name === 'string' && tool.type !== 'namespace' ? tool.name : undefined;
    const place = tools.findIndex(({ type, name }) => same !== undefined && type === tool.type && name === same);
    if (place !== -1)
      losses.add(places.of(tools[place]), 'tool.duplicate', 'dropped', 'replaced by a later tool of the same name');
    tools[place === -1 ? tools.length : place] = tool;
  }
  return tools;
}

/** A tool, or the tools of a namespace, without the mark of those that a search finds; nothing for the search itself. */
function declaredNow(tool: JsonObject, fitting: Fitting): Changed {
  const { losses, places } = fitting;
  const path = places.of(tool);
  if (tool.type === 'tool_search') {
    losses.add(path, 'tool.hosted', 'dropped', NO_TOOL_SEARCH);
    return [];
  }
  const tools = mapNodes(tool.tools, (child, index) => {
    places.note(child, `${path}/tools/${index}`);
    return declaredNow(child, fitting);
  });
  if (tool.defer_loading === true)
    losses.add(`${path}/defer_loading`, 'ext.defer_loading', 'moved', 'the tool is declared from the start');
  return places.keep(withMember(withMember(tool, 'tools', tools), 'defer_loading', undefined), tool);
}

/** Tools of clients that are no functions, and that only the service of the dialect has. */
const CLIENT_TOOLS: ReadonlySet<unknown> = new Set([
  'computer',
  'computer_use',
  'computer_use_preview',
  'apply_patch',
  'shell',
  'local_shell',
]);

/** Tools that a host does not have, with the items of their calls; `lost` says how a tool that is one of them is told. */
function withoutTools(
  lost: (tool: JsonObject) => 'tool.client' | 'tool.hosted' | undefined,
  isCall: (item: JsonObject) => boolean,
  [ofTool, ofCall]: readonly [string, string],
): Fit {
  return (body, fitting) => {
    const { losses, places } = fitting;
    const tools = mapNodes(body.tools, (tool) => {
      const feature = lost(tool);
      if (feature === undefined) return tool;
      losses.add(places.of(tool), feature, 'dropped', ofTool);
      return [];
    });
    const input = mapNodes(body.input, (item) => {
      if (!isCall(item)) return item;
      losses.add(places.of(item), 'hosted.call', 'dropped', ofCall);
      return [];
    });
    return withLeftChoice(withMember(withMember(body, 'input', input), 'tools', tools), body, fitting);
  };
}

function isHosted(family: HostedFamily | undefined): boolean {
  return family !== undefined && family !== 'mcp' && family !== 'toolSearch';
}

/** Tools that the service would run, with their calls. */
export const withoutHostedTools: Fit = withoutTools(
  ({ type }) =>
    CLIENT_TOOLS.has(type) ? 'tool.client' : isHosted(familyOfTool(String(type))) ? 'tool.hosted' : undefined,
  ({ type }) => isHosted(familyOfItem(type)),
  ['the host does not support this tool', 'the host does not support these calls'],
);

const MCP_ITEMS: ReadonlySet<unknown> = new Set([
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
]);

/** Servers of the MCP protocol, with what they did. */
export const withoutMcp: Fit = withoutTools(
  ({ type }) => (type === 'mcp' ? 'tool.hosted' : undefined),
  ({ type }) => MCP_ITEMS.has(type),
  [NO_MCP, NO_MCP],
);
