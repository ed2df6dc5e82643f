import { NO_TOOL_SEARCH } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';
import { familyOfItem, familyOfTool } from '../tools/hosted/families.js';
import type { Fit, Fitting } from './fitting.js';

/** Tools that are found are declared from the start, and the search is left out. */
export const withoutToolSearch: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  const found: JsonObject[] = [];
  const input = mapNodes(body.input, (item) => {
    if (item.type !== 'tool_search_call' && item.type !== 'tool_search_output') return item;
    losses.add(places.of(item), 'tool.hosted', 'dropped', NO_TOOL_SEARCH);
    found.push(...toolsOf(item, fitting));
    return [];
  });
  const tools = mapNodes(body.tools, (tool) => {
    if (tool.type !== 'tool_search') return declaredNow(tool, fitting);
    losses.add(places.of(tool), 'tool.hosted', 'dropped', NO_TOOL_SEARCH);
    return [];
  });
  const declared = found.map((tool) => declaredNow(tool, fitting));
  return chosen(declare({ ...body, input, tools }, body, declared, fitting), body, fitting);
};

/** A tool, or the tools of a namespace, without the mark of those that a search finds. */
function declaredNow(tool: JsonObject, fitting: Fitting): JsonObject {
  const { losses, places } = fitting;
  const path = places.of(tool);
  const tools = mapNodes(tool.tools, (child, index) => {
    places.note(child, `${path}/tools/${index}`);
    return declaredNow(child, fitting);
  });
  if (tool.defer_loading === true) {
    losses.add(`${path}/defer_loading`, 'ext.defer_loading', 'moved', 'the tool is declared from the start');
  }
  return places.keep(withMember(withMember(tool, 'tools', tools), 'defer_loading', undefined), tool);
}

/** Tools that an item declares are among the others. */
export const withoutAdditionalTools: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  const found: JsonObject[] = [];
  const input = mapNodes(body.input, (item) => {
    if (item.type !== 'additional_tools') return item;
    const path = places.of(item);
    losses.add(path, 'part.toolChange', 'moved', 'the tools are declared from the start');
    found.push(...toolsOf(item, fitting));
    return [];
  });
  return declare({ ...body, input }, body, found, fitting);
};

/** The tools of an item, with their places. */
function toolsOf(item: JsonObject, { places }: Fitting): JsonObject[] {
  const tools = toolsIn(item);
  tools.forEach((tool, index) => {
    places.note(tool, `${places.of(item)}/tools/${index}`);
  });
  return tools;
}

function toolsIn({ tools }: JsonObject): JsonObject[] {
  return Array.isArray(tools) ? tools.filter(isObject) : [];
}

/** The body with more tools behind its own: one of a name that is there already takes the place of the older. */
function declare(
  next: JsonObject,
  body: JsonObject,
  found: readonly JsonObject[],
  { losses, places }: Fitting,
): JsonObject {
  if (next.input === body.input && next.tools === body.tools && found.length === 0) return body;
  const tools: JsonObject[] = toolsIn(next);
  for (const tool of found) {
    const same = typeof tool.name === 'string' && tool.type !== 'namespace' ? tool.name : undefined;
    const place = tools.findIndex(({ type, name }) => same !== undefined && type === tool.type && name === same);
    if (place === -1) {
      tools.push(tool);
      continue;
    }
    losses.add(places.of(tools[place]), 'tool.duplicate', 'dropped', 'a later tool has the same name');
    tools[place] = tool;
  }
  const input = withMember(body, 'input', next.input);
  return found.length === 0 ? withMember(input, 'tools', next.tools) : { ...input, tools };
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

/** Tools that the service would run, with their calls. */
export const withoutHostedTools: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  const isHosted = (family: string | undefined): boolean =>
    family !== undefined && family !== 'mcp' && family !== 'toolSearch';
  const tools = mapNodes(body.tools, (tool) => {
    const client = CLIENT_TOOLS.has(tool.type);
    if (!client && !isHosted(familyOfTool(String(tool.type)))) return tool;
    losses.add(places.of(tool), client ? 'tool.client' : 'tool.hosted', 'dropped', 'the host has no such tool');
    return [];
  });
  const input = mapNodes(body.input, (item) => {
    if (!isHosted(familyOfItem(item.type))) return item;
    losses.add(places.of(item), 'hosted.call', 'dropped', 'the host has no such calls');
    return [];
  });
  return chosen(withMember(withMember(body, 'input', input), 'tools', tools), body, fitting);
};

const MCP_ITEMS: ReadonlySet<unknown> = new Set([
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
]);

/** Servers of the MCP protocol, with what they did. */
export const withoutMcp: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  const tools = mapNodes(body.tools, (tool) => {
    if (tool.type !== 'mcp') return tool;
    losses.add(places.of(tool), 'tool.hosted', 'dropped', 'the host calls no servers of the protocol');
    return [];
  });
  const input = mapNodes(body.input, (item) => {
    if (!MCP_ITEMS.has(item.type)) return item;
    losses.add(places.of(item), 'hosted.call', 'dropped', 'the host calls no servers of the protocol');
    return [];
  });
  return chosen(withMember(withMember(body, 'input', input), 'tools', tools), body, fitting);
};

/** The body, if its tools have changed, without a choice of tools that are not sent, and without an empty list of them. */
function chosen(body: JsonObject, before: JsonObject, { losses }: Fitting): JsonObject {
  const { tool_choice: choice, tools } = body;
  if (tools === before.tools) return body;
  const sent = toolsIn(body);
  if (Array.isArray(tools) && sent.length === 0) {
    const forced = choice === 'required' || isObject(choice);
    if (forced) losses.add('/tool_choice', 'toolChoice', 'dropped', 'none of the tools is sent');
    return withMember(withMember(body, 'tools', undefined), 'tool_choice', undefined);
  }
  if (!isObject(choice)) return body;
  const types = new Set(sent.map(({ type }) => type));
  const isSent = ({ type }: JsonObject): boolean => type === 'function' || type === 'custom' || types.has(type);
  if (choice.type !== 'allowed_tools') {
    if (isSent(choice)) return body;
    losses.add('/tool_choice', 'toolChoice', 'dropped', 'the tool is not sent');
    return withMember(body, 'tool_choice', undefined);
  }
  const allowed = mapNodes(choice.tools, (ref) => (isSent(ref) ? ref : []));
  if (allowed === choice.tools) return body;
  losses.add('/tool_choice', 'toolChoice.list', 'approximated', 'a listed tool is not sent');
  const none = Array.isArray(allowed) && allowed.length === 0;
  return withMember(body, 'tool_choice', none ? undefined : { ...choice, tools: allowed });
}
