import {
  adaptNamed,
  createNames,
  declaredNow,
  type HostFitting,
  type HostStep,
  type Renamed,
  unpackSummary,
  withLater,
  withLeftChoice,
} from '../../adapt/index.js';
import type { CallPart } from '../../canonical/content.js';
import { NO_TOOL_SEARCH } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { type HostedFamily, isNamed } from '../../canonical/tools.js';
import { isObject } from '../../wire/json.js';
import { type Changed, mapNodes, nodesIn, withMember } from '../../wire/shared-copies.js';
import { CLIENT } from '../nodes.js';
import { rules } from '../rules.js';
import { isClientTool } from './choice.js';
import { decodeDeclared } from './decode.js';
import { familyOfItem, familyOfTool } from './hosted/families.js';

/** The family of a tool that the service would run, or that only its clients have; searches for tools have steps of their own. */
export function hostFamilyOfTool({ type }: JsonObject): HostedFamily | 'client' | undefined {
  const family = isClientTool(type) ? 'client' : familyOfTool(String(type));
  return family === 'toolSearch' ? undefined : family;
}

const MCP_ITEMS: ReadonlySet<unknown> = new Set(['mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response']);

/** The family of what the service ran. */
export function hostFamilyOfItem({ type }: JsonObject): HostedFamily | undefined {
  return MCP_ITEMS.has(type) ? 'mcp' : familyOfItem(type);
}

/** Whether an item is what a call brought. */
export function isOutput({ type }: JsonObject): boolean {
  return typeof type === 'string' && /^\w+_call_output$/.test(type);
}

/** The texts in a list of parts that say something. */
export function textsOf(list: unknown): string[] {
  return nodesIn(list).flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []));
}

/** Tools that an item declares, or that a search finds, are declared from the start, and the search is left out. */
export const withFoundTools: HostStep = (body, fitting) => {
  const { unsupported, losses, places } = fitting;
  const found: JsonObject[] = [];
  const fitted = places.map(body, 'input', (item, path) => {
    if (unsupported.has('additionalTools') && item.type === 'additional_tools')
      losses.add(path, 'part.toolChange', 'moved', 'the tools are declared from the start');
    else if (unsupported.has('toolSearch') && (item.type === 'tool_search_call' || item.type === 'tool_search_output'))
      losses.add(path, 'tool.hosted', 'dropped', NO_TOOL_SEARCH);
    else return item;
    nodesIn(item.tools).forEach((tool, index) => {
      places.note(tool, `${path}/tools/${index}`);
      found.push(tool);
    });
    return [];
  });
  const all = found.length === 0 ? fitted : { ...fitted, tools: withLater(nodesIn(body.tools), found, fitting) };
  if (!unsupported.has('toolSearch')) return all;
  const declared = places.map(all, 'tools', (tool, path) => withoutSearch(tool, path, fitting));
  return withLeftChoice(declared, body, fitting);
};

/** A tool, or the tools of a namespace, without the mark of those that a search finds; nothing for the search itself. */
function withoutSearch(tool: JsonObject, path: string, fitting: HostFitting): Changed {
  if (tool.type === 'tool_search') {
    fitting.losses.add(path, 'tool.hosted', 'dropped', NO_TOOL_SEARCH);
    return [];
  }
  const tools = mapNodes(tool.tools, (child, index) => {
    fitting.places.note(child, `${path}/tools/${index}`);
    return withoutSearch(child, `${path}/tools/${index}`, fitting);
  });
  return declaredNow(withMember(tool, 'tools', tools), path, fitting);
}

/** Items that every host knows, or that features of their own are about. */
const KNOWN: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'item_reference',
  'tool_search_call',
  'tool_search_output',
  'additional_tools',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
]);

/** A compaction that was made here: what it holds is sent as text. */
function isOwnSummary({ encrypted_content: carrier }: JsonObject): boolean {
  return typeof carrier === 'string' && unpackSummary(carrier) !== undefined;
}

/** Items that only the service of the dialect knows: calls of built-in tools are those of functions, others are left out. */
export const withPlainItems: HostStep = (body, fitting) => {
  const { losses, places } = fitting;
  /** The ids of the calls of the older shell tool, by those of their items. */
  const shells = new Map(
    nodesIn(body.input)
      .filter(({ type }) => type === 'local_shell_call')
      .map(({ id, call_id }) => [id, call_id]),
  );
  return places.map(body, 'input', (item, path) => {
    if (KNOWN.has(item.type) || familyOfItem(item.type) !== undefined || isOwnSummary(item)) return item;
    const plain = plainCall(item, shells);
    if (plain !== undefined) {
      losses.add(path, 'call.family', 'approximated', 'the host supports function calls only');
      return plain;
    }
    const isSummary = item.type === 'compaction' || item.type === 'context_compaction';
    const feature = isSummary ? 'part.compaction' : 'part.opaque';
    losses.add(path, feature, 'dropped', 'the host does not support these items');
    return [];
  });
};

/**
 * The call of a function that says what the call of a built-in tool does, or its output in words. Outputs of the older shell tool
 * name the item of the call, or the call, as their own id [R §8 rule 40].
 */
function plainCall(item: JsonObject, shells: ReadonlyMap<unknown, unknown>): JsonObject | undefined {
  const { type, id, call_id: named, status: _status, ...rest } = item;
  const call_id = named ?? (type === 'local_shell_call_output' ? (shells.get(id) ?? id) : undefined);
  if (typeof type !== 'string' || typeof call_id !== 'string') return undefined;
  if (isOutput(item)) {
    const output = typeof rest.output === 'string' ? rest.output : JSON.stringify(rest);
    return { type: 'function_call_output', call_id, output };
  }
  const name = /^(\w+)_call$/.exec(type)?.[1];
  return name === undefined ? undefined : { type: 'function_call', call_id, name, arguments: JSON.stringify(rest) };
}

/**
 * Tools with free text input are functions of one string, and tools in namespaces have joined names (translation.md 2.7), in
 * the list, in the history and in the choice. Throws `invalid_request` for a tool that is none.
 */
export const withPlainFunctions: HostStep = (body, fitting) => {
  const { unsupported, places } = fitting;
  const manner = { customTools: !unsupported.has('customTools'), namespaces: !unsupported.has('namespaces') };
  const { tools: list, input, tool_choice: choice } = body;
  if (![...nodesIn(list), ...nodesIn(input), choice].some((node) => isForeign(node, manner))) return body;
  const declared = new Map(nodesIn(list).map((node) => [node, decodeNamed(node, places.of(node))] as const));
  const names = createNames(
    {
      tools: [...declared.values()].flat(),
      turns: [{ role: 'assistant', parts: nodesIn(input).flatMap(namesOfCall) }],
    },
    { names: rules.names, namespaces: manner.namespaces, fixedNames: [] },
  );
  const work: Work = { ...manner, fitting, names, custom: new Set() };
  fitting.renamed = work;
  const tools = mapNodes(list, (node) => fitTool(node, declared.get(node) ?? [], work));
  return {
    ...body,
    ...(list !== undefined && { tools: Array.isArray(tools) && tools !== list ? withLater([], tools, fitting) : list }),
    ...(input !== undefined && { input: mapNodes(input, (item) => places.keep(fitNode(item, work), item)) }),
    ...(choice !== undefined && { tool_choice: fitChoice(choice, work) }),
  };
};

/** What the host has of named tools. */
interface Manner {
  readonly customTools: boolean;
  readonly namespaces: boolean;
}

interface Work extends Manner, Renamed {
  readonly fitting: HostFitting;
  readonly custom: Set<string>;
}

/** The types of tools, of calls and of their outputs that are of free text, and of those that are of functions. */
const FUNCTIONS: ReadonlyMap<unknown, string> = new Map([
  ['custom', 'function'],
  ['custom_tool_call', 'function_call'],
  ['custom_tool_call_output', 'function_call_output'],
]);

/** Whether a tool, an item or a choice is one that the host does not have. */
function isForeign(node: unknown, manner: Manner): boolean {
  if (!isObject(node)) return false;
  if (!manner.customTools && FUNCTIONS.has(node.type)) return true;
  if (node.type === 'namespace' && !manner.namespaces) return true;
  if (node.type === 'namespace' || node.type === 'allowed_tools')
    return nodesIn(node.tools).some((tool) => isForeign(tool, manner));
  return !manner.namespaces && typeof node.namespace === 'string';
}

/** The tools with a name that an entry declares. */
function decodeNamed(node: JsonObject, path: string) {
  const named = node.type === 'function' || node.type === 'custom' || node.type === 'namespace';
  return named ? decodeDeclared(node, path, CLIENT).filter(isNamed) : [];
}

/** A call of the history, as far as names are concerned. */
function namesOfCall({ type, name, namespace }: JsonObject): CallPart[] {
  if ((type !== 'function_call' && type !== 'custom_tool_call') || typeof name !== 'string') return [];
  const within = typeof namespace === 'string' ? namespace : undefined;
  return [{ kind: 'call', callId: '', name, namespace: within, args: { value: {} } }];
}

/** An entry of the list as the host takes it; a namespace as the functions in it. */
function fitTool(node: JsonObject, tools: ReturnType<typeof decodeNamed>, work: Work): JsonObject | JsonObject[] {
  const { fitting, names, custom, ...manner } = work;
  if (!isForeign(node, manner)) return node;
  const fitted = (node.type === 'namespace' ? nodesIn(node.tools) : [node]).map((child) => {
    const tool = tools.find(({ name }) => name === child.name);
    if (tool === undefined) return child;
    const { kind, name, description, ...adapted } = adaptNamed(tool, manner, names, fitting);
    const named = { ...child, name, ...(description !== undefined && { description }) };
    if (kind === 'custom' || tool.kind === 'function') return fitting.places.keep(named, node);
    custom.add(name);
    const { format: _format, ...rest }: JsonObject = named;
    const parameters = 'schema' in adapted ? adapted.schema : undefined;
    return fitting.places.keep({ ...rest, type: 'function', parameters, strict: false }, node);
  });
  if (node.type !== 'namespace' || !manner.namespaces) return fitted;
  return fitting.places.keep({ ...node, tools: fitted }, node);
}

/** An item of the input, or what names a tool in a choice, with the type and the name that the host has. */
function fitNode(node: JsonObject, { fitting, names, ...manner }: Work): JsonObject {
  if (!isForeign(node, manner)) return node;
  const { namespace, ...bare } = node;
  const within = typeof namespace === 'string' ? namespace : undefined;
  const named =
    manner.namespaces || typeof node.name !== 'string' ? node : { ...bare, name: names.alias(node.name, within) };
  if (manner.customTools) return named;
  const plain = { ...named, type: FUNCTIONS.get(node.type) ?? node.type };
  if (node.type !== 'custom_tool_call') return plain;
  const { input = '', ...rest }: JsonObject = plain;
  const detail = 'the free text travels in a property called input';
  fitting.losses.add(fitting.places.of(node), 'call.freeform', 'approximated', detail);
  return { ...rest, arguments: JSON.stringify({ input }) };
}

function fitChoice(choice: unknown, work: Work): unknown {
  if (!isObject(choice) || !isForeign(choice, work)) return choice;
  if (choice.type !== 'allowed_tools') return fitNode(choice, work);
  return { ...choice, tools: mapNodes(choice.tools, (ref) => fitNode(ref, work)) };
}
