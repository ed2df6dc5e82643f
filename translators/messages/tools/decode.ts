import type { JsonObject } from '../../canonical/node.js';
import type { ClientFamily, ClientTool, FunctionTool, Tool } from '../../canonical/tools.js';
import { isObject } from '../../wire/json.js';
import { check, DIALECT, invalid, Keys, keep, keysOf, type Mutable, remember } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeHostedTool } from './hosted/families.js';
import { decodeToolset } from './hosted/mcp-servers.js';
import { COMMON, isDated } from './hosted/tools.js';

const CUSTOM = keysOf(wire.customTool);

const CLIENT: readonly (readonly [string, ClientFamily])[] = [
  ['computer', 'computer'],
  ['bash', 'bash'],
  ['text_editor', 'editor'],
  ['memory', 'memory'],
  ['browser_toolset', 'browser'],
];

/** One declared tool. A type that is unknown becomes a tool that only this dialect knows. */
export function decodeTool(node: unknown, ptr: string): Tool {
  if (!isObject(node)) throw invalid(ptr, 'expected a tool');
  return remember(decodeKind(node, ptr), node);
}

function decodeKind(node: JsonObject, ptr: string): Tool {
  const { type } = node;
  if (type === undefined || type === null || type === 'custom') return decodeFunction(node, ptr);
  if (typeof type !== 'string') throw invalid(`${ptr}/type`, 'expected a string');
  if (type === 'mcp_toolset') return decodeToolset(node, ptr);
  const hosted = decodeHostedTool(node, type, ptr);
  if (hosted !== undefined) return hosted;
  const client = CLIENT.find(([prefix]) => isDated(type, prefix) || type.startsWith(`${prefix}_toolset_`));
  if (client !== undefined) return decodeClient(node, type, client[1], ptr);
  return { kind: 'opaque', dialect: DIALECT, type, raw: node, src: { ptr } };
}

function decodeFunction(node: JsonObject, ptr: string): FunctionTool {
  const tool = check(wire.customTool, node, ptr);
  const part: Mutable<FunctionTool> = {
    kind: 'function',
    name: tool.name,
    schema: tool.input_schema,
    ...keep(node, CUSTOM, ptr),
  };
  if (typeof tool.description === 'string') part.description = tool.description;
  if (typeof tool.strict === 'boolean') part.strict = tool.strict;
  if (tool.input_examples !== undefined && tool.input_examples !== null) part.inputExamples = tool.input_examples;
  return part;
}

const CLIENT_KEYS = new Keys([...COMMON, 'display_width_px', 'display_height_px']);

function decodeClient(node: JsonObject, type: string, family: ClientFamily, ptr: string): ClientTool {
  const tool = check(wire.typedTool, node, ptr);
  const { display_width_px: width, display_height_px: height } = tool;
  return {
    kind: 'client',
    family,
    dialect: DIALECT,
    type,
    ...(typeof tool.name === 'string' && { name: tool.name }),
    ...(type.includes('_toolset_') && { toolset: true }),
    ...((typeof width === 'number' || typeof height === 'number') && {
      display: { width: width ?? undefined, height: height ?? undefined },
    }),
    ...keep(node, CLIENT_KEYS, ptr),
  };
}
