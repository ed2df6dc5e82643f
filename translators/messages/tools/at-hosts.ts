import { declaredNow, type HostStep, substituteFor, withLeftChoice, withoutTools } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { HostedFamily } from '../../canonical/tools.js';
import { withMember } from '../../wire/shared-copies.js';
import { foundTool } from '../nodes.js';
import { COMPUTER_SCHEMA } from './computer.js';
import { decodeTool } from './decode.js';

/** A tool of a type that the service fixes, and no function of the client. Throws `invalid_request` for one that cannot be read. */
function typedTool(node: JsonObject, path: string) {
  return typeof node.type === 'string' && node.type !== 'custom' ? decodeTool(node, path) : undefined;
}

/** The family of a tool that the service would run. Throws as {@link typedTool} does. */
export function familyOfTool(node: JsonObject, path: string): HostedFamily | undefined {
  const tool = typedTool(node, path);
  return tool?.kind === 'hosted' ? tool.family : undefined;
}

/** The family of a call that the service ran, or of its result; `other` for any but those of the MCP protocol. */
export function familyOfCall({ type }: JsonObject): HostedFamily | undefined {
  if (type === 'mcp_tool_use' || type === 'mcp_tool_result') return 'mcp';
  const isHosted = typeof type === 'string' && (type === 'server_tool_use' || type.endsWith('_tool_result'));
  return isHosted ? 'other' : undefined;
}

/** Built-in tools of the client are functions of the same names, so that their calls need no change. */
export const withClientFunctions: HostStep = (body, fitting) => {
  const { losses, places } = fitting;
  const changed = places.map(body, 'tools', (node, path) => {
    const tool = typedTool(node, path);
    if (tool?.kind !== 'client') return node;
    const substitute = substituteFor(tool);
    const name = tool.name ?? substitute?.name;
    if (substitute === undefined || name === undefined) {
      losses.add(path, 'tool.client', 'dropped', 'the host does not support this tool');
      return [];
    }
    losses.add(path, 'tool.client', 'approximated', `a function replaces the built-in ${tool.family} tool`);
    const { description, schema } = substitute;
    const input_schema = tool.family === 'computer' ? COMPUTER_SCHEMA : schema;
    return withMember({ name, description, input_schema }, 'cache_control', node.cache_control);
  });
  return withLeftChoice(changed, body, fitting);
};

/** Tools that the service would run, with their calls and results; tools that a search finds are declared from the start. */
export const withoutHostedTools: HostStep = withoutTools({
  tool: (tool, path, fitting) => (fitting.unsupported.has('hostedTools') ? declaredNow(tool, path, fitting) : tool),
  call(block, path, { unsupported, losses }) {
    if (!unsupported.has('hostedTools') || block.type !== 'tool_reference') return block;
    losses.add(path, 'result.part', 'approximated', 'the tool that was found is named in a text');
    return { type: 'text', text: foundTool(block.tool_name) };
  },
});
