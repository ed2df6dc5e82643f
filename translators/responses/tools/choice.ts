import type { WireChoice } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { ClientFamily, HostedFamily, Tool, ToolChoice, ToolRef } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { check, complete, DIALECT, fault, keysOf, origin, type Reader, remember, remembered } from '../nodes.js';
import * as wire from '../wire/index.js';
import { familyOfTool } from './hosted/families.js';

const REF = keysOf(wire.toolRef);
const ALLOWED = keysOf(wire.allowedTools);

const CLIENT_TOOLS: Readonly<Record<string, ClientFamily>> = {
  computer: 'computer',
  computer_use: 'computer',
  computer_use_preview: 'computer',
  apply_patch: 'patch',
  shell: 'shell',
  local_shell: 'localShell',
};

/** Whether a type is one of tools of clients that are no functions, and that only the service of the dialect has. */
export function isClientTool(type: unknown): boolean {
  return typeof type === 'string' && Object.hasOwn(CLIENT_TOOLS, type);
}

/** Types that only this dialect knows; `mcp` without its server is one. */
const OWN: ReadonlySet<string> = new Set(['mcp', 'programmatic_tool_calling']);

/**
 * `tool_choice` and `parallel_tool_calls` [R §2.3]; undefined when neither is given. Throws `invalid_request` for a type
 * that is neither known nor that of a declared tool (translation.md 0.14).
 */
export function decodeToolChoice(
  choice: string | JsonObject | null | undefined,
  parallel: boolean | null | undefined,
  declared: readonly JsonObject[],
  reader: Reader,
): ToolChoice | undefined {
  const ptr = '/tool_choice';
  const more = typeof parallel === 'boolean' ? { parallel } : {};
  const at = typeof parallel === 'boolean' ? { at: { parallel: '/parallel_tool_calls' } } : {};
  if (choice === undefined || choice === null) {
    return parallel === undefined || parallel === null
      ? undefined
      : { mode: 'auto', ...more, src: { ptr: '/parallel_tool_calls' } };
  }
  if (typeof choice === 'string') {
    if (choice !== 'auto' && choice !== 'required' && choice !== 'none')
      throw fault(reader, ptr, 'expected none, auto or required');
    return { mode: choice, ...more, src: { ptr, ...at } };
  }
  const isList = choice.type === 'allowed_tools';
  const { ext, src } = origin(choice, isList ? ALLOWED : REF, ptr);
  const { mode, tools } = isList ? check(wire.allowedTools, choice, ptr, reader) : FORCED;
  const only = tools?.map((node, index) => decodeRef(node, `${ptr}/tools/${index}`, declared, reader)) ?? [
    decodeRef(choice, ptr, declared, reader),
  ];
  return remember({ mode, only, ...more, ext, src: { ...src, ...at } }, choice);
}

/** What a choice that names one tool says beside its name. */
const FORCED = { mode: 'required', tools: undefined } as const;

function decodeRef(node: JsonObject, ptr: string, declared: readonly JsonObject[], reader: Reader): ToolRef {
  const { type, name, namespace, server_label: server } = check(wire.toolRef, node, ptr, reader);
  if (type === 'function' || type === 'custom') {
    if (!name) throw fault(reader, `${ptr}/name`, 'expected the name of a tool');
    return namespace ? { kind: type, name, namespace } : { kind: type, name };
  }
  if (type === 'mcp' && server) return name ? { kind: 'mcp', server, name } : { kind: 'mcp', server };
  const hosted = hostedFamily(type);
  if (hosted !== undefined) return { kind: 'hosted', family: hosted, type };
  const client = CLIENT_TOOLS[type];
  if (client !== undefined) return { kind: 'client', family: client, type };
  if (!OWN.has(type) && !declared.some((tool) => tool.type === type)) {
    throw fault(reader, `${ptr}/type`, 'expected the type of a tool');
  }
  return { kind: 'opaque', dialect: DIALECT, raw: node };
}

function encodeRef(ref: ToolRef): JsonObject {
  switch (ref.kind) {
    case 'function':
    case 'custom':
      return ref.namespace === undefined
        ? { type: ref.kind, name: ref.name }
        : { type: ref.kind, name: ref.name, namespace: ref.namespace };
    case 'mcp':
      return ref.name === undefined
        ? { type: 'mcp', server_label: ref.server }
        : { type: 'mcp', server_label: ref.server, name: ref.name };
    case 'hosted':
    case 'client':
      return { type: ref.type };
    case 'opaque':
      return ref.raw;
  }
}

/** The choice as it came. */
export function encodeOwnToolChoice(choice: ToolChoice, body: JsonObject): void {
  if (choice.parallel !== undefined) body.parallel_tool_calls = choice.parallel;
  const form = remembered(choice);
  const [first, ...rest] = choice.only ?? [];
  const isSingle = first !== undefined && rest.length === 0 && choice.mode === 'required';
  if (form !== undefined) body.tool_choice = form;
  else if (isSingle) body.tool_choice = complete(encodeRef(first), choice);
  else if (choice.only !== undefined) {
    body.tool_choice = complete(
      { type: 'allowed_tools', mode: choice.mode, tools: choice.only.map(encodeRef) },
      choice,
    );
  } else if (choice.src?.ptr !== '/parallel_tool_calls') body.tool_choice = choice.mode;
}

/**
 * The choice of a foreign request for the tools that are printed (translation.md 2.9). Throws `unsupported` when it
 * forces a tool that is not among them.
 */
export function encodeForeignToolChoice(
  { toolChoice: choice, tools: declared }: CanonicalRequest,
  printed: readonly JsonObject[],
  body: JsonObject,
  context: EncodeRequestContext,
): void {
  if (choice === undefined) return;
  if (printed.length === 0) {
    if (choice.mode === 'required' && declared.length > 0) throw forced(choice);
    return;
  }
  if (choice.parallel !== undefined) body.parallel_tool_calls = choice.parallel;
  if (choice.only === undefined) {
    body.tool_choice = choice.mode;
    return;
  }
  const refs: JsonObject[] = [];
  const available = availableTools(declared, printed);
  for (const ref of choice.only) {
    const known = foreignRef(ref, available);
    if (known !== undefined) refs.push(known);
    else if (choice.only.length === 1 && choice.mode === 'required') throw forced(choice);
    else context.losses.add(choice, 'toolChoice.list', 'approximated', 'a listed tool is not available');
  }
  const [first] = refs;
  if (first === undefined) throw forced(choice);
  body.tool_choice =
    refs.length === 1 && choice.mode === 'required' ? first : { type: 'allowed_tools', mode: choice.mode, tools: refs };
}

function forced(choice: ToolChoice): TranslationError {
  return new TranslationError('unsupported', 'tool choice forces a tool that the target does not have', {
    path: ptrOf(choice),
  });
}

/** What a choice may name: types of printed tools by family, servers by label, functions and custom tools by name. */
interface AvailableTools {
  readonly hosted: ReadonlyMap<string | undefined, unknown>;
  readonly client: ReadonlyMap<string | undefined, unknown>;
  readonly servers: ReadonlySet<unknown>;
  readonly names: ReadonlySet<string>;
}

function availableTools(declared: readonly Tool[], printed: readonly JsonObject[]): AvailableTools {
  const hosted = new Map<string | undefined, unknown>();
  const client = new Map<string | undefined, unknown>();
  for (const tool of printed) {
    const family = hostedFamily(String(tool.type));
    if (!hosted.has(family)) hosted.set(family, tool.type);
    const counterpart = CLIENT_TOOLS[String(tool.type)];
    if (!client.has(counterpart)) client.set(counterpart, tool.type);
  }
  return {
    hosted,
    client,
    servers: new Set(printed.map((tool) => tool.server_label)),
    names: new Set(declared.flatMap((tool) => ('name' in tool && tool.name !== undefined ? [tool.name] : []))),
  };
}

/** A tool of another service goes by the type of its counterpart. */
function foreignRef(ref: ToolRef, available: AvailableTools): JsonObject | undefined {
  if (ref.kind === 'opaque') return undefined;
  if (ref.kind === 'hosted' || ref.kind === 'client') {
    const type = available[ref.kind].get(ref.family);
    return type === undefined ? undefined : { type };
  }
  const node = encodeRef(ref);
  if (ref.kind === 'mcp') return available.servers.has(ref.server) ? node : undefined;
  return available.names.has(ref.name) ? node : undefined;
}

/** The family of a tool that is chosen by its type; servers are chosen by their label. */
function hostedFamily(type: string): HostedFamily | undefined {
  return type === 'mcp' ? undefined : familyOfTool(type);
}

/** Types of tools that may be within others, and that every host has. A choice calls others by their type, in words of its own. */
const NAMED: ReadonlySet<unknown> = new Set(['function', 'custom']);

/** What a choice calls a tool by, beside its type. */
function calledIn({ name, server_label: server }: JsonObject): unknown {
  return name ?? server;
}

/** A choice as steps for hosts read and write it. */
export function readChoice(choice: unknown): WireChoice {
  if (!isObject(choice)) return { mode: typeof choice === 'string' ? choice : undefined };
  const isAllowed = choice.type === 'allowed_tools';
  const list: readonly unknown[] | undefined = isAllowed && Array.isArray(choice.tools) ? choice.tools : undefined;
  return {
    mode: list === undefined ? 'required' : choice.mode,
    refs: list ?? (isAllowed ? [] : [choice]),
    isList: list !== undefined,
    names: (ref, tool) => isObject(ref) && ref.type === tool.type && calledIn(ref) === calledIn(tool),
    stays: (ref, left) => !isObject(ref) || NAMED.has(ref.type) || left.some(({ type }) => type === ref.type),
    bare: () => (list === undefined ? 'required' : choice.mode),
    only: (refs) => ({ ...choice, tools: refs }),
  };
}
