import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { Tool, ToolChoice, ToolRef } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { invalid, keep, keysOf, type Mutable, restore } from '../nodes.js';
import * as wire from '../wire/index.js';
import { isSingle } from './hosted/mcp.js';
import { hostedName } from './hosted/tools.js';

const CHOICE = keysOf(wire.request.shape.tool_choice.unwrap().unwrap());
const PTR = '/tool_choice';

/** The choice between calling and not calling. Throws for a type that is unknown. */
export function decodeToolChoice(
  choice: NonNullable<wire.Request['tool_choice']>,
  node: JsonObject,
  tools: readonly Tool[],
): ToolChoice {
  const out: Mutable<ToolChoice> = { mode: modeOf(choice.type), ...keep(node, CHOICE, PTR) };
  if (choice.type === 'tool') {
    if (typeof choice.name !== 'string') throw invalid(`${PTR}/name`, 'field required');
    out.only = [refOf(choice.name, tools)];
  }
  if (typeof choice.disable_parallel_tool_use === 'boolean') {
    out.parallel = !choice.disable_parallel_tool_use;
    out.src = { ptr: PTR, ...out.src, at: { parallel: `${PTR}/disable_parallel_tool_use` } };
  }
  return out;
}

function modeOf(type: string): ToolChoice['mode'] {
  switch (type) {
    case 'auto':
    case 'none':
      return type;
    case 'any':
    case 'tool':
      return 'required';
    default:
      throw invalid(`${PTR}/type`, 'expected auto, any, tool or none');
  }
}

function refOf(name: string, tools: readonly Tool[]): ToolRef {
  for (const tool of tools) {
    if (tool.kind === 'hosted' && hostedName(tool) === name)
      return { kind: 'hosted', family: tool.family, type: tool.type };
    if (tool.kind === 'client' && tool.name === name) return { kind: 'client', family: tool.family, type: tool.type };
  }
  return { kind: 'function', name };
}

/** A choice as it came. */
export function encodeOwnToolChoice(choice: ToolChoice, tools: readonly Tool[]): JsonObject {
  const only = choice.only?.[0];
  const out: JsonObject = { type: only !== undefined ? 'tool' : choice.mode === 'required' ? 'any' : choice.mode };
  const name = only && nameOf(only, tools);
  if (name !== undefined) out.name = name;
  if (choice.parallel !== undefined) out.disable_parallel_tool_use = !choice.parallel;
  return restore(out, choice);
}

/** The name under which a forced tool is called. */
function nameOf(ref: ToolRef, tools: readonly Tool[]): string | undefined {
  switch (ref.kind) {
    case 'function':
    case 'custom':
      return ref.name;
    case 'hosted':
      return hostedName(ref);
    case 'client':
      for (const tool of tools) if (tool.kind === 'client' && tool.family === ref.family) return tool.name;
      return undefined;
    case 'mcp':
    case 'opaque':
      return undefined;
  }
}

export function encodeForeignToolChoice(
  choice: ToolChoice,
  request: CanonicalRequest,
  { losses, profile }: EncodeRequestContext,
): JsonObject {
  const ref = isSingle(choice) ? choice.only?.[0] : undefined;
  const name = ref && nameOf(ref, request.tools);
  const out: JsonObject =
    name !== undefined ? { type: 'tool', name } : { type: choice.mode === 'required' ? 'any' : choice.mode };
  if (choice.parallel === false && choice.mode !== 'none') out.disable_parallel_tool_use = true;
  if (choice.validated === true) {
    const how = profile.strictTools ? 'tools whose schemas qualify are strict' : 'calls are not held to their schemas';
    losses.add(choice.src?.ptr ?? '', 'toolChoice', 'approximated', how);
  }
  return out;
}
