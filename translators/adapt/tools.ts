import { TranslationError } from '../canonical/errors.js';
import { type JsonObject, ptrOf } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { CustomTool, FunctionTool, Tool, ToolChoice, ToolRef } from '../canonical/tools.js';
import { isNamed } from '../canonical/tools.js';
import type { EncodeRequestContext } from '../context.js';
import type { TargetRules } from '../target/target.js';
import type { Contents } from './contents.js';
import { type Names, standsFor } from './names.js';
import { mayWrap } from './restore.js';

/** The schema under which a free text tool appears to targets that know only functions. */
const FREEFORM_SCHEMA: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
};

/** The tools of a request as the target declares them (translation.md 2.8): merged, flattened, under legal names. */
export function adaptTools(
  request: CanonicalRequest,
  contents: Contents,
  rules: TargetRules,
  names: Names,
  context: EncodeRequestContext,
): readonly Tool[] {
  const declared = contents.toolChanges && !rules.toolChanges ? withChanges(request, context) : request.tools;
  if (declared.length === 0) return declared;
  const byName = new Map<string, number>();
  const kept: Tool[] = [];
  for (const tool of declared) {
    if (!isNamed(tool)) {
      kept.push(tool);
      continue;
    }
    const alias = standsFor(tool) ? tool.name : names.alias(tool.name, tool.namespace);
    const key = keyOf(alias, rules.namespaces ? tool.namespace : undefined);
    const place = byName.get(key);
    if (place === undefined) {
      byName.set(key, kept.length);
      kept.push(tool);
    } else {
      context.losses.add(kept[place], 'tool.duplicate', 'dropped', 'replaced by a later tool of the same name');
      kept[place] = tool;
    }
  }
  return adaptEach(kept, rules, names, context);
}

/** Tools under the target's names and in forms that it has. */
export function adaptEach(
  tools: readonly Tool[],
  rules: Pick<TargetRules, 'namespaces' | 'customTools'>,
  names: Names,
  context: Pick<EncodeRequestContext, 'losses'>,
): readonly Tool[] {
  return tools.map((tool) => (isNamed(tool) ? adaptNamed(tool, rules, names, context) : tool));
}

/** Tools added in mid-history join those at the top; removals have no counterpart. */
function withChanges(request: CanonicalRequest, { losses }: EncodeRequestContext): readonly Tool[] {
  const added: Tool[] = [];
  for (const turn of request.turns) {
    for (const part of turn.parts) {
      if (part.kind !== 'toolChange') continue;
      added.push(...part.added);
      if (part.added.length > 0) losses.add(part, 'part.toolChange', 'moved', 'the tools are declared from the start');
      if (part.removed.length > 0) losses.add(part, 'part.toolChange', 'dropped', 'tools cannot be taken away');
    }
  }
  return added.length === 0 ? request.tools : [...request.tools, ...added];
}

/** The same for one tool with a name of the client's choice. */
export function adaptNamed(
  tool: FunctionTool | CustomTool,
  rules: Pick<TargetRules, 'namespaces' | 'customTools'>,
  names: Names,
  { losses }: Pick<EncodeRequestContext, 'losses'>,
): FunctionTool | CustomTool {
  if (standsFor(tool)) return tool;
  const alias = names.alias(tool.name, tool.namespace);
  let adapted = tool;
  if (tool.namespace !== undefined && !rules.namespaces) {
    losses.add(tool, 'tool.namespace', 'moved', 'the namespace became part of the name');
    adapted = { ...adapted, namespace: undefined, description: joined(tool.namespaceDescription, tool.description) };
  } else if (alias !== tool.name) {
    losses.add(tool, 'tool.name', 'moved', 'the tool is sent under another name');
  }
  if (alias !== adapted.name) adapted = { ...adapted, name: alias };
  if (adapted.kind === 'function' || rules.customTools) return adapted;
  losses.add(tool, 'tool.custom', 'approximated', 'the free text travels in a property called input');
  const { grammar, kind: _kind, ...fields } = adapted;
  return {
    ...fields,
    kind: 'function',
    description: joined(
      adapted.description,
      grammar && `Grammar of the input (${grammar.syntax}):\n${grammar.definition}`,
    ),
    schema: FREEFORM_SCHEMA,
  };
}

function joined(...texts: (string | undefined)[]): string | undefined {
  const present = texts.filter((text) => text !== undefined && text !== '');
  return present.length === 0 ? undefined : present.join('\n\n');
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Names of the adapted tools whose arguments are in an object under `value`. */
export function wrappedTools(tools: readonly Tool[], rules: TargetRules): ReadonlySet<string> {
  if (tools.length === 0) return NO_NAMES;
  const wrapped = new Set<string>();
  for (const tool of tools) {
    if (tool.kind !== 'function' || tool.schema === undefined || !mayWrap(tool.schema)) continue;
    if (rules.schemas.wrapsArguments(tool)) wrapped.add(tool.name);
  }
  return wrapped;
}

/** The tool choice under the target's names. Throws `unsupported` when it names a tool that is not declared. */
export function adaptToolChoice(
  choice: ToolChoice | undefined,
  tools: readonly Tool[],
  rules: TargetRules,
  names: Names,
): ToolChoice | undefined {
  if (choice?.only === undefined) return choice;
  const byName = new Map(tools.filter(isNamed).map((tool) => [keyOf(tool.name, tool.namespace), tool.kind]));
  const only = choice.only.map((ref) => adaptRef(ref, { tools, byName, rules, names, path: ptrOf(choice) }));
  return { ...choice, only };
}

/** What tells named tools apart: names are unique in their namespace. */
function keyOf(name: string, namespace = ''): string {
  return `${namespace}\0${name}`;
}

interface Choosing {
  readonly tools: readonly Tool[];
  /** Kinds of the tools with a name, by {@link keyOf}. */
  readonly byName: ReadonlyMap<string, 'function' | 'custom'>;
  readonly rules: TargetRules;
  readonly names: Names;
  readonly path: string;
}

function adaptRef(ref: ToolRef, { tools, byName, rules, names, path }: Choosing): ToolRef {
  if (ref.kind === 'client') return substituteRef(ref, tools);
  if (ref.kind !== 'function' && ref.kind !== 'custom') return ref;
  const plain = names.alias(ref.name, ref.namespace);
  // A name alone is that of a tool outside of namespaces, where there is one.
  const namespace = ref.namespace ?? (byName.has(keyOf(plain)) ? undefined : names.original(plain).namespace);
  const alias = names.alias(ref.name, namespace);
  const kind = byName.get(keyOf(alias, rules.namespaces ? namespace : undefined));
  if (kind === undefined) {
    throw new TranslationError('unsupported', 'tool choice names a tool that is not declared', { path });
  }
  return rules.namespaces && namespace !== undefined ? { kind, name: alias, namespace } : { kind, name: alias };
}

/** A built-in tool goes by the function that replaces it, where one does. */
function substituteRef(ref: Extract<ToolRef, { kind: 'client' }>, tools: readonly Tool[]): ToolRef {
  const tool = tools.find((candidate) => candidate.kind === 'function' && candidate.standsFor === ref.family);
  return tool?.kind === 'function' ? { kind: 'function', name: tool.name } : ref;
}
