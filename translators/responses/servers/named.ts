import { adaptNamed, createNames } from '../../adapt/index.js';
import type { CallPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { isNamed } from '../../canonical/tools.js';
import { isObject } from '../../wire/json.js';
import { mapNodes, nodesIn } from '../../wire/shared-copies.js';
import { CLIENT } from '../nodes.js';
import { rules } from '../rules.js';
import { decodeDeclared } from '../tools/decode.js';
import type { Fit, Fitting, Renamed } from './fitting.js';

/**
 * Tools with free text input are functions of one string, and tools in namespaces have joined names (translation.md 2.7), in
 * the list, in the history and in the choice. Throws `invalid_request` for a tool that is none.
 */
export const withPlainFunctions: Fit = (body, fitting) => {
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
  const fitted = mapNodes(list, (node) => fitTool(node, declared.get(node) ?? [], work));
  return {
    ...body,
    ...(list !== undefined && { tools: fitted === list ? list : unique(fitted, fitting) }),
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
  readonly fitting: Fitting;
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

/** The list without functions that a later one of the same name replaces. */
function unique(tools: unknown, { losses, places }: Fitting): unknown {
  const isFunction = ({ type }: JsonObject): boolean => type === 'function';
  const last = new Map(
    nodesIn(tools)
      .filter(isFunction)
      .map((tool) => [tool.name, tool]),
  );
  return mapNodes(tools, (tool) => {
    if (!isFunction(tool) || last.get(tool.name) === tool) return tool;
    losses.add(places.of(tool), 'tool.duplicate', 'dropped', 'replaced by a later tool of the same name');
    return [];
  });
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
