import { substituteFor } from '../../adapt/index.js';
import { NO_TOOL_SEARCH } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';
import { foundTool } from '../nodes.js';
import { decodeTool } from '../tools/decode.js';
import { type Fit, type Fitting, mapBlocks } from './fitting.js';

/** Actions of the computer with what they take [M §2.5]. */
const COMPUTER: JsonObject = {
  type: 'object',
  properties: {
    action: {
      type: 'string',
      enum: [
        'screenshot',
        'left_click',
        'right_click',
        'middle_click',
        'double_click',
        'triple_click',
        'mouse_move',
        'left_click_drag',
        'left_mouse_down',
        'left_mouse_up',
        'scroll',
        'type',
        'key',
        'hold_key',
        'wait',
        'cursor_position',
      ],
    },
    coordinate: { type: 'array', items: { type: 'integer' }, description: 'x and y in pixels' },
    start_coordinate: {
      type: 'array',
      items: { type: 'integer' },
      description: 'For left_click_drag: where it begins',
    },
    text: { type: 'string', description: 'For type and key: the text, or keys such as ctrl+c' },
    scroll_direction: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
    scroll_amount: { type: 'integer' },
    duration: { type: 'number', description: 'For wait and hold_key: seconds' },
  },
  required: ['action'],
};

/** Built-in tools of the client are functions of the same names, so that their calls need no change. */
export const withClientFunctions: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  const tools = mapNodes(body.tools, (node) => {
    if (!isTyped(node)) return node;
    const path = places.of(node);
    const tool = decodeTool(node, path);
    if (tool.kind !== 'client') return node;
    const substitute = substituteFor(tool);
    const name = tool.name ?? substitute?.name;
    if (substitute === undefined || name === undefined) {
      losses.add(path, 'tool.client', 'dropped', 'the host has no such tool');
      return [];
    }
    losses.add(path, 'tool.client', 'approximated', `a function replaces the built-in ${tool.family} tool`);
    const { description, schema } = substitute;
    const { cache_control: mark } = node;
    const input_schema = tool.family === 'computer' ? COMPUTER : schema;
    return places.keep({ name, description, input_schema, ...(mark !== undefined && { cache_control: mark }) }, node);
  });
  return chosen(withMember(body, 'tools', tools), body, fitting);
};

/** Tools that the service would run, with their calls and results; tools that a search finds are declared from the start. */
export const withoutHostedTools: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  const tools = mapNodes(body.tools, (node) => {
    const path = places.of(node);
    const tool = isTyped(node) ? decodeTool(node, path) : undefined;
    if (tool?.kind === 'hosted' && tool.family !== 'mcp') {
      losses.add(
        path,
        'tool.hosted',
        'dropped',
        tool.family === 'toolSearch' ? NO_TOOL_SEARCH : 'the host has no such tool',
      );
      return [];
    }
    if (node.defer_loading === true)
      losses.add(`${path}/defer_loading`, 'ext.defer_loading', 'moved', 'the tool is declared from the start');
    return places.keep(withMember(node, 'defer_loading', undefined), node);
  });
  const bare = mapBlocks(body, fitting, (block, path) => {
    if (block.type === 'tool_reference') {
      losses.add(path, 'result.part', 'approximated', 'the tool that was found is named in words');
      return { type: 'text', text: foundTool(block.tool_name) };
    }
    if (!isHosted(block)) return block;
    losses.add(path, 'hosted.call', 'dropped', 'the host has no such calls');
    return [];
  });
  return chosen(withMember(bare, 'tools', tools), body, fitting);
};

/** Servers of the MCP protocol, with the calls of their tools. */
export const withoutMcp: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  const detail = 'the host calls no servers of the protocol';
  if (body.mcp_servers !== undefined) losses.add('/mcp_servers', 'tool.hosted', 'dropped', detail);
  const tools = mapNodes(body.tools, (node) => {
    if (node.type !== 'mcp_toolset') return node;
    losses.add(places.of(node), 'tool.hosted', 'dropped', detail);
    return [];
  });
  const bare = mapBlocks(body, fitting, (block, path) => {
    if (block.type !== 'mcp_tool_use' && block.type !== 'mcp_tool_result') return block;
    losses.add(path, 'hosted.call', 'dropped', detail);
    return [];
  });
  return chosen(withMember(withMember(bare, 'tools', tools), 'mcp_servers', undefined), body, fitting);
};

/** Whether a tool is of a type that the service fixes, and no function of the client. */
function isTyped({ type }: JsonObject): boolean {
  return typeof type === 'string' && type !== 'custom';
}

/** Results of hosted tools end as those of clients do not: `web_search_tool_result`. */
const HOSTED_RESULT = /_tool_result$/;

function isHosted({ type }: JsonObject): boolean {
  if (typeof type !== 'string' || type === 'mcp_tool_result') return false;
  return type === 'server_tool_use' || HOSTED_RESULT.test(type);
}

/** The body, if its tools have changed, without a choice of tools that are not sent, and without an empty list of them. */
function chosen(body: JsonObject, before: JsonObject, { losses }: Fitting): JsonObject {
  const { tool_choice: choice, tools } = body;
  if (tools === before.tools || !Array.isArray(tools)) return body;
  const forced = isObject(choice) && (choice.type === 'any' || choice.type === 'tool');
  if (tools.length === 0) {
    if (forced) losses.add('/tool_choice', 'toolChoice', 'dropped', 'none of the tools is sent');
    return withMember(withMember(body, 'tools', undefined), 'tool_choice', undefined);
  }
  if (!isObject(choice) || choice.type !== 'tool') return body;
  if (tools.some((tool) => isObject(tool) && tool.name === choice.name)) return body;
  losses.add('/tool_choice', 'toolChoice', 'dropped', 'the tool is not sent');
  return withMember(body, 'tool_choice', undefined);
}

/** A choice among tools, for hosts that ignore it (`ignored`) or know no names in it: others are not declared. */
function chooseByTools(ignored: boolean): Fit {
  return (body, { losses }) => {
    const { tool_choice: choice, tools } = body;
    if (!isObject(choice) || !Array.isArray(tools)) return body;
    if (choice.type === 'none' && ignored) {
      losses.add('/tool_choice', 'toolChoice', 'approximated', 'the tools are left out, because the host ignores it');
      return withMember(withMember(body, 'tools', undefined), 'tool_choice', undefined);
    }
    if (choice.type === 'any' && ignored)
      losses.add('/tool_choice', 'toolChoice', 'approximated', 'the host may answer without a call');
    if (choice.type !== 'tool') return body;
    const offered = tools.filter((tool) => isObject(tool) && tool.name === choice.name);
    if (offered.length === 0) return body;
    losses.add('/tool_choice', 'toolChoice', 'approximated', 'only the tool that it names is offered');
    const { name: _name, ...rest } = choice;
    return { ...body, tools: offered, tool_choice: { ...rest, type: 'any' } };
  };
}

/** For hosts that ignore the choice. */
export const withOfferedTools = chooseByTools(true);
/** For hosts that know the words of the choice, but no names in it. */
export const withWordsOfChoice = chooseByTools(false);

/** For hosts that do not know the choice of no tool: none is declared. */
export const withoutNone: Fit = (body, { losses }) => {
  const { tool_choice: choice, tools } = body;
  if (!isObject(choice) || choice.type !== 'none' || !Array.isArray(tools)) return body;
  losses.add('/tool_choice', 'toolChoice', 'approximated', 'the tools are left out, because the host ignores it');
  return withMember(withMember(body, 'tools', undefined), 'tool_choice', undefined);
};

/** No switch for calls at once, where it is not read. */
export const withoutParallelSwitch: Fit = (body, { losses }) => {
  const { tool_choice: choice } = body;
  if (!isObject(choice) || choice.disable_parallel_tool_use !== true) return body;
  const path = '/tool_choice/disable_parallel_tool_use';
  losses.add(path, 'toolChoice.parallel', 'dropped', 'the host has no such switch');
  return { ...body, tool_choice: withMember(choice, 'disable_parallel_tool_use', undefined) };
};
