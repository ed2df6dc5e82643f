import {
  choiceAtHost,
  choiceOfLeft,
  chosenIn,
  type HostFitting,
  leavesOut,
  substituteFor,
  type WireChoice,
  withChosen,
} from '../../adapt/index.js';
import { NO_MCP, NO_TOOL_SEARCH } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { HostedFamily } from '../../canonical/tools.js';
import { isObject } from '../../wire/json.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';
import { foundTool } from '../nodes.js';
import { decodeTool } from '../tools/decode.js';
import { type Fit, mapBlocks } from './fitting.js';

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
      losses.add(path, 'tool.client', 'dropped', 'the host does not support this tool');
      return [];
    }
    losses.add(path, 'tool.client', 'approximated', `a function replaces the built-in ${tool.family} tool`);
    const { description, schema } = substitute;
    const { cache_control: mark } = node;
    const input_schema = tool.family === 'computer' ? COMPUTER : schema;
    return places.keep({ name, description, input_schema, ...(mark !== undefined && { cache_control: mark }) }, node);
  });
  return withLeftChoice(withMember(body, 'tools', tools), body, fitting);
};

/**
 * Tools that the service would run, servers of the MCP protocol among them, with their calls and results; tools that a search
 * finds are declared from the start.
 */
export const withoutHostedTools: Fit = (body, fitting) => {
  const { unsupported, losses, places } = fitting;
  const servers = unsupported.has('mcp') ? undefined : body.mcp_servers;
  if (servers !== body.mcp_servers) losses.add('/mcp_servers', 'tool.hosted', 'dropped', NO_MCP);
  const tools = mapNodes(body.tools, (node) => {
    const path = places.of(node);
    const tool = isTyped(node) ? decodeTool(node, path) : undefined;
    const family = tool?.kind === 'hosted' ? tool.family : undefined;
    if (family !== undefined && unsupported.has(family === 'mcp' ? 'mcp' : 'hostedTools')) {
      losses.add(path, 'tool.hosted', 'dropped', NO_TOOL[family] ?? 'the host does not support this tool');
      return [];
    }
    if (!unsupported.has('hostedTools') || node.defer_loading === undefined) return node;
    if (node.defer_loading === true)
      losses.add(`${path}/defer_loading`, 'ext.defer_loading', 'moved', 'the tool is declared from the start');
    return places.keep(withMember(node, 'defer_loading', undefined), node);
  });
  const bare = mapBlocks(body, fitting, (block, path) => {
    if (unsupported.has('hostedTools') && block.type === 'tool_reference') {
      losses.add(path, 'result.part', 'approximated', 'the tool that was found is named in a text');
      return { type: 'text', text: foundTool(block.tool_name) };
    }
    const feature = MCP.has(block.type) ? 'mcp' : isHosted(block) ? 'hostedTools' : undefined;
    if (feature === undefined || !unsupported.has(feature)) return block;
    losses.add(path, 'hosted.call', 'dropped', feature === 'mcp' ? NO_MCP : 'the host does not support these calls');
    return [];
  });
  return withLeftChoice(withMember(withMember(bare, 'tools', tools), 'mcp_servers', servers), body, fitting);
};

/** What is told of tools of a family, where that is more than that the host has none. */
const NO_TOOL: Readonly<Partial<Record<HostedFamily, string>>> = { mcp: NO_MCP, toolSearch: NO_TOOL_SEARCH };

const MCP: ReadonlySet<unknown> = new Set(['mcp_tool_use', 'mcp_tool_result']);

/** Whether a tool is of a type that the service fixes, and no function of the client. */
function isTyped({ type }: JsonObject): boolean {
  return typeof type === 'string' && type !== 'custom';
}

/** Results of hosted tools end as those of clients do not: `web_search_tool_result`. */
const HOSTED_RESULT = /_tool_result$/;

function isHosted({ type }: JsonObject): boolean {
  return typeof type === 'string' && (type === 'server_tool_use' || HOSTED_RESULT.test(type));
}

/** The choice among the tools of a body. */
function readChoice(choice: unknown): WireChoice {
  if (!isObject(choice)) return { mode: undefined };
  const { type, name, ...rest } = choice;
  if (type !== 'tool') return { mode: type === 'any' ? 'required' : type };
  return {
    mode: 'required',
    refs: [name],
    names: (ref, tool) => tool.name === ref,
    bare: () => ({ ...rest, type: 'any' }),
  };
}

/** For hosts that do not read a choice among tools, or not all of its forms. */
export const withOfferedTools: Fit = (body, fitting) =>
  withChosen(body, choiceAtHost(chosenIn(body), readChoice(body.tool_choice), fitting));

/** A body whose tools have changed, without a choice of one that is not sent. */
function withLeftChoice(body: JsonObject, before: JsonObject, { losses }: HostFitting): JsonObject {
  return withChosen(body, choiceOfLeft(before.tools, chosenIn(body), readChoice(body.tool_choice), losses));
}

/** No switch for calls at once, where it is not read. */
export const withoutParallelSwitch: Fit = leavesOut(
  '/tool_choice/disable_parallel_tool_use',
  'toolChoice.parallel',
  'the host does not support this switch',
  (value) => value === true,
);
