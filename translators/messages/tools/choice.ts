import { createToolRefs, type WireChoice } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { Tool, ToolChoice, ToolRef } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { invalid, keep, keysOf, type Mutable, remember, remembered, restore } from '../nodes.js';
import * as wire from '../wire/index.js';
import type { EncodedTool } from './hosted/codec.js';
import { hostedName } from './hosted/families.js';

const CHOICE = keysOf(wire.toolChoice);
const PTR = '/tool_choice';

/** The choice between calling and not calling. Throws for a type that is unknown. */
export function decodeToolChoice(choice: wire.ToolChoice, node: JsonObject, tools: readonly Tool[]): ToolChoice {
  const out: Mutable<ToolChoice> = { mode: modeOf(choice.type), ...keep(node, CHOICE, PTR) };
  if (choice.type === 'tool') {
    if (typeof choice.name !== 'string') throw invalid(`${PTR}/name`, 'field required');
    out.only = [refOf(choice.name, tools)];
  }
  if (typeof choice.disable_parallel_tool_use === 'boolean') {
    out.parallel = !choice.disable_parallel_tool_use;
    out.src = { ptr: PTR, ...out.src, at: { parallel: `${PTR}/disable_parallel_tool_use` } };
  }
  return remember(out, node);
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
  const form = remembered(choice);
  if (form !== undefined) return form;
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
  { losses, target }: EncodeRequestContext,
): JsonObject {
  const ref = isSingle(choice) ? choice.only?.[0] : undefined;
  const name = ref && nameOf(ref, request.tools);
  const out: JsonObject =
    name !== undefined ? { type: 'tool', name } : { type: choice.mode === 'required' ? 'any' : choice.mode };
  if (choice.parallel === false && choice.mode !== 'none') out.disable_parallel_tool_use = true;
  if (choice.validated === true) {
    const how = target.strictTools ? 'tools with suitable schemas are strict' : 'tool schemas are not enforced';
    losses.add(choice, 'toolChoice', 'approximated', how);
  }
  return out;
}

/** A list of several tools, or of tools that may be called, is expressed by declaring no others (translation.md 2.9). */
export function filtered(
  all: readonly EncodedTool[],
  choice: ToolChoice,
  { losses }: EncodeRequestContext,
): readonly EncodedTool[] {
  const { only } = choice;
  if (only === undefined || isSingle(choice)) return all;
  const listed = createToolRefs(only);
  const kept = all.filter(({ tool }) => listed.names(tool));
  losses.add(choice, 'toolChoice.list', 'moved', 'only the tools of the list are declared');
  const servers = toolsByServer(only);
  return kept.map((declaration) => onlyTools(declaration, servers));
}

/** Whether the choice forces one tool, which it can name. */
function isSingle({ mode, only }: ToolChoice): boolean {
  return mode === 'required' && only?.length === 1 && only[0]?.kind !== 'mcp';
}

/** The tools of MCP servers that a list names one by one, by the label of their server. */
function toolsByServer(only: readonly ToolRef[]): ReadonlyMap<string, readonly string[]> {
  const servers = new Map<string, string[]>();
  for (const ref of only) {
    if (ref.kind !== 'mcp' || ref.name === undefined) continue;
    const names = servers.get(ref.server);
    if (names === undefined) servers.set(ref.server, [ref.name]);
    else names.push(ref.name);
  }
  return servers;
}

/** One tool of an MCP server: the others of that server are switched off. */
function onlyTools(declaration: EncodedTool, servers: ReadonlyMap<string, readonly string[]>): EncodedTool {
  const { tool, node } = declaration;
  const label = tool.kind === 'hosted' && tool.family === 'mcp' ? tool.settings.server?.label : undefined;
  const names = label === undefined ? undefined : servers.get(label);
  if (names === undefined) return declaration;
  const configs = Object.fromEntries(names.map((name) => [name, { enabled: true }]));
  return { ...declaration, node: { ...node, default_config: { enabled: false }, configs } };
}

/** A choice as steps for hosts read and write it. */
export function readChoice(choice: unknown): WireChoice {
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
