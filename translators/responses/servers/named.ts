import { adaptNamed, createNames, type Names } from '../../adapt/index.js';
import type { CallPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { isNamed, type Tool } from '../../canonical/tools.js';
import { isObject } from '../../wire/json.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';
import { CLIENT } from '../nodes.js';
import { rules } from '../rules.js';
import { decodeDeclared } from '../tools/decode.js';
import type { Fit, Fitting } from './fitting.js';

/**
 * Tools with free text input are functions of one string, and tools in namespaces have joined names (translation.md 2.7), in
 * the list, in the history and in the choice. Throws `invalid_request` for a tool that is none.
 */
export const withPlainFunctions: Fit = (body, fitting) => {
  const manner = { customTools: !fitting.lacks.has('customTools'), namespaces: !fitting.lacks.has('namespaces') };
  if (!trips(body, manner)) return body;
  const { places } = fitting;
  const nodes: readonly JsonObject[] = Array.isArray(body.tools) ? body.tools.filter(isObject) : [];
  const declared = new Map(nodes.map((node) => [node, decodeTools(node, places.of(node))] as const));
  const names = createNames(
    { tools: [...declared.values()].flat(), turns: [{ role: 'assistant', parts: callsOf(body.input) }] },
    { names: rules.names, namespaces: manner.namespaces, fixedNames: [] },
  );
  fitting.names = names;
  const work: Work = { ...manner, fitting, names };
  const tools = unique(
    mapNodes(body.tools, (node) => fitTool(node, declared.get(node) ?? [], work)),
    body.tools,
    fitting,
  );
  const input = mapNodes(body.input, (item) => places.keep(fitItem(item, work), item));
  return withMember(
    withMember(withMember(body, 'tools', tools), 'input', input),
    'tool_choice',
    fitChoice(body.tool_choice, work),
  );
};

interface Work {
  readonly customTools: boolean;
  readonly namespaces: boolean;
  readonly fitting: Fitting;
  readonly names: Names;
}

type Manner = Pick<Work, 'customTools' | 'namespaces'>;

function trips({ tools, input, tool_choice: choice }: JsonObject, manner: Manner): boolean {
  const nodes: readonly unknown[] = [...listOf(tools), ...listOf(input), choice];
  return nodes.some((node) => isObject(node) && isForeign(node, manner));
}

const CUSTOM: ReadonlySet<unknown> = new Set(['custom', 'custom_tool_call', 'custom_tool_call_output']);

/** Whether a tool, an item or a choice is one that the host does not have. */
function isForeign(node: JsonObject, manner: Manner): boolean {
  if (!manner.customTools && CUSTOM.has(node.type)) return true;
  if (node.type === 'namespace') {
    return !manner.namespaces || listOf(node.tools).some((tool) => isObject(tool) && isForeign(tool, manner));
  }
  if (node.type === 'allowed_tools') return listOf(node.tools).some((ref) => isObject(ref) && isForeign(ref, manner));
  return !manner.namespaces && typeof node.namespace === 'string';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The tools with a name that an entry declares. */
function decodeTools(node: JsonObject, path: string): readonly Tool[] {
  const named = node.type === 'function' || node.type === 'custom' || node.type === 'namespace';
  return named ? decodeDeclared(node, path, CLIENT).filter(isNamed) : [];
}

/** The calls of a history, as far as names are concerned. */
function callsOf(input: unknown): CallPart[] {
  return listOf(input).flatMap((item): CallPart[] => {
    if (!isObject(item) || (item.type !== 'function_call' && item.type !== 'custom_tool_call')) return [];
    if (typeof item.name !== 'string') return [];
    const namespace = typeof item.namespace === 'string' ? item.namespace : undefined;
    return [{ kind: 'call', callId: '', name: item.name, namespace, args: { value: {} } }];
  });
}

/** An entry of the list as the host takes it; a namespace as the functions in it. */
function fitTool(node: JsonObject, tools: readonly Tool[], work: Work): JsonObject | readonly JsonObject[] {
  const { fitting, namespaces } = work;
  if (!isForeign(node, work)) return node;
  const children: readonly unknown[] = node.type === 'namespace' ? listOf(node.tools) : [node];
  const fitted = children.filter(isObject).map((child) => {
    const tool = tools.find((one) => isNamed(one) && one.name === child.name);
    return tool === undefined ? child : fitNamed(child, tool, work);
  });
  for (const one of fitted) fitting.places.keep(one, node);
  if (node.type === 'namespace' && namespaces) return fitting.places.keep({ ...node, tools: fitted }, node);
  return fitted;
}

function fitNamed(node: JsonObject, tool: Tool, { fitting, names, ...manner }: Work): JsonObject {
  if (!isNamed(tool)) return node;
  const adapted = adaptNamed(tool, manner, names, fitting);
  const { format: _format, ...rest } = node;
  const described = adapted.description === undefined ? {} : { description: adapted.description };
  if (adapted.kind === 'custom' || tool.kind === 'function') return { ...node, name: adapted.name, ...described };
  fitting.custom.add(adapted.name);
  return { ...rest, type: 'function', name: adapted.name, ...described, parameters: adapted.schema, strict: false };
}

/** The list without functions that a later one of the same name replaces; the list as it came where it has not changed. */
function unique(tools: unknown, before: unknown, { losses, places }: Fitting): unknown {
  if (tools === before || !Array.isArray(tools)) return tools;
  const last = new Map<unknown, unknown>();
  for (const tool of tools) if (isObject(tool) && tool.type === 'function') last.set(tool.name, tool);
  return tools.filter((tool) => {
    const replaced = isObject(tool) && tool.type === 'function' && last.get(tool.name) !== tool;
    if (replaced) losses.add(places.of(tool), 'tool.duplicate', 'dropped', 'a later tool has the same name');
    return !replaced;
  });
}

function fitItem(item: JsonObject, { customTools, namespaces, fitting, names }: Work): JsonObject {
  if (!isForeign(item, { customTools, namespaces })) return item;
  const { namespace, ...bare } = item;
  const named: JsonObject =
    !namespaces && typeof namespace === 'string' && typeof item.name === 'string'
      ? { ...bare, name: names.alias(item.name, namespace) }
      : item;
  if (customTools || item.type === 'function_call' || item.type === 'function_call_output') return named;
  if (item.type === 'custom_tool_call_output') return { ...named, type: 'function_call_output' };
  if (item.type !== 'custom_tool_call') return named;
  const { input, ...rest } = named;
  fitting.losses.add(
    fitting.places.of(item),
    'call.freeform',
    'approximated',
    'the free text travels in a property called input',
  );
  return { ...rest, type: 'function_call', arguments: JSON.stringify({ input: input ?? '' }) };
}

function fitChoice(choice: unknown, work: Work): unknown {
  if (!isObject(choice) || !isForeign(choice, work)) return choice;
  if (choice.type === 'allowed_tools') {
    return { ...choice, tools: mapNodes(choice.tools, (ref) => fitRef(ref, work)) };
  }
  return fitRef(choice, work);
}

function fitRef(ref: JsonObject, work: Work): JsonObject {
  if (!isForeign(ref, work) || typeof ref.name !== 'string') return ref;
  const { namespace, ...bare } = ref;
  const type = work.customTools ? ref.type : 'function';
  if (work.namespaces) return { ...ref, type };
  return { ...bare, type, name: work.names.alias(ref.name, typeof namespace === 'string' ? namespace : undefined) };
}
