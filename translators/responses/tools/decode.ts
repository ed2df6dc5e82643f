import type { JsonObject } from '../../canonical/node.js';
import type { CustomTool, FunctionTool, OpaqueTool, Tool } from '../../canonical/tools.js';
import {
  check,
  DIALECT,
  fault,
  keysOf,
  origin,
  type Reader,
  remember,
  rememberAll,
  sameJson,
  withExtra,
} from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeClientTool } from './client.js';
import { decodeHostedTool } from './hosted/families.js';

const FUNCTION = keysOf(wire.functionTool);
const CUSTOM = keysOf(wire.customTool);

/** Tools [R §2.6]; the children of namespaces are in the list like any other tool. */
export function decodeTools(nodes: unknown, ptr: string, reader: Reader): readonly Tool[] {
  const tools: Tool[] = [];
  (Array.isArray(nodes) ? nodes : []).forEach((node: JsonObject, index) => {
    tools.push(...decodeDeclared(node, `${ptr}/${index}`, reader));
  });
  return tools;
}

/** The tools that one entry of a list declares: more than one for a namespace. */
export function decodeDeclared(node: JsonObject, ptr: string, reader: Reader): readonly Tool[] {
  return node.type === 'namespace' ? decodeNamespace(node, ptr, reader) : [decodeTool(node, ptr, reader)];
}

function decodeTool(node: JsonObject, ptr: string, reader: Reader): Tool {
  return remember(decodeKind(node, ptr, reader), node);
}

function decodeKind(node: JsonObject, ptr: string, reader: Reader): Tool {
  if (typeof node.type !== 'string') throw fault(reader, `${ptr}/type`, 'expected the type of a tool');
  if (node.type === 'function') return decodeFunction(node, ptr, reader);
  if (node.type === 'custom') return decodeCustom(node, ptr, reader);
  return decodeHostedTool(node, ptr, reader) ?? decodeClientTool(node, ptr, reader) ?? opaqueTool(node, node.type, ptr);
}

function opaqueTool(node: JsonObject, type: string, ptr: string): OpaqueTool {
  return { kind: 'opaque', dialect: DIALECT, type, raw: node, src: { ptr } };
}

function decodeFunction(node: JsonObject, ptr: string, reader: Reader): FunctionTool {
  const tool = check(wire.functionTool, node, ptr, reader);
  return {
    kind: 'function',
    name: tool.name,
    description: tool.description ?? undefined,
    schema: tool.parameters ?? undefined,
    strict: tool.strict ?? undefined,
    ...origin(node, FUNCTION, ptr),
  };
}

function decodeCustom(node: JsonObject, ptr: string, reader: Reader): CustomTool {
  const { name, description, format } = check(wire.customTool, node, ptr, reader);
  const isText = sameJson(format, { type: 'text' });
  const tool: CustomTool = {
    kind: 'custom',
    name,
    description: description ?? undefined,
    ...origin(node, CUSTOM, ptr),
  };
  if (format === undefined || format === null || isText) return tool;
  if (format.type !== 'grammar') return withExtra(tool, 'format', format);
  const { syntax, definition } = check(wire.grammar, format, `${ptr}/format`, reader);
  const whole = Object.keys(format).length === 3;
  const limited: CustomTool = { ...tool, grammar: { syntax, definition } };
  return whole ? limited : withExtra(limited, 'format', format);
}

/** The children of a container that can be rebuilt from them; others stay whole. */
function decodeNamespace(node: JsonObject, ptr: string, reader: Reader): readonly Tool[] {
  const { name, description, tools, type: _type } = check(wire.namespaceTool, node, ptr, reader);
  const children: Tool[] = [];
  let whole = Object.keys(node).every(
    (key) => key === 'type' || key === 'name' || key === 'description' || key === 'tools',
  );
  tools.forEach((child, index) => {
    const tool = decodeTool(child, `${ptr}/tools/${index}`, reader);
    if (tool.kind === 'function' || tool.kind === 'custom') {
      children.push(remember({ ...tool, namespace: name, namespaceDescription: description ?? undefined }, child));
    } else {
      whole = false;
    }
  });
  if (children.length === 0) return [opaqueTool(node, 'namespace', ptr)];
  const [first, ...rest] = children;
  // The rest of the container rides whole on its first child.
  return rememberAll(whole || first === undefined ? children : [withExtra(first, 'namespace', node), ...rest], node);
}
