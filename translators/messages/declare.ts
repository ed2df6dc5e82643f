import { DEFAULT_DISPLAY } from '../adapt/client-tools/display.js';
import { dropTool } from '../adapt/losses.js';
import { searchPlace } from '../adapt/search-place.js';
import { createToolIndex, createToolRefs } from '../adapt/tool-refs.js';
import { TranslationError } from '../canonical/errors.js';
import { NO_TOOL_SEARCH } from '../canonical/loss.js';
import { fieldPlace, type JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type {
  ClientTool,
  FunctionTool,
  HostedSettings,
  HostedTool,
  Tool,
  ToolChoice,
  ToolRef,
} from '../canonical/tools.js';
import type { EncodeRequestContext } from '../dialect.js';
import {
  countOptional,
  describeChanges,
  messagesToolSchema,
  type RootResult,
  toStrictMessages,
} from '../schema/index.js';
import { encodeServer, encodeToolset } from './mcp.js';
import { DIALECT, encodeCache } from './nodes.js';
import { nameOf } from './tool-choice.js';
import { encodeClient, encodeHosted } from './tools.js';

/** The tools of a foreign request as the service takes them, and the choice among them. */
export interface Declared {
  readonly tools: readonly JsonObject[];
  readonly servers: readonly JsonObject[];
  readonly choice?: JsonObject;
}

/** Grammars of strict tools share one budget [M §2.8]. */
const MAX_STRICT = 20;
const MAX_OPTIONAL = 24;

interface Declaration {
  readonly tool: Tool;
  readonly node: JsonObject;
  readonly server?: JsonObject;
}

/** Declares what the service can have of a request's tools (translation.md 2.8, 2.9). */
export function declareTools(request: CanonicalRequest, context: EncodeRequestContext): Declared {
  const strict = strictBudget(context, request.toolChoice?.validated === true);
  const all: Declaration[] = [];
  const hosted = new Set<string>();
  for (const tool of request.tools) {
    if (tool.kind === 'hosted') {
      const key = tool.settings.server === undefined ? tool.family : `server ${tool.settings.server.label}`;
      if (hosted.has(key)) {
        context.losses.add(tool.src?.ptr ?? '', 'tool.duplicate', 'dropped', 'a tool of the service stands there once');
        continue;
      }
      hosted.add(key);
    }
    const declaration = declare(tool, request, strict, context);
    if (declaration === undefined) continue;
    // A tool that is dropped is one loss, whatever keys it had.
    dropTool(tool, DIALECT, context.losses);
    all.push(declaration);
  }
  const { toolChoice } = request;
  if (toolChoice !== undefined) refuseLost(toolChoice, request, all);
  reportCap(request, all, context);
  const chosen = toolChoice === undefined || all.length === 0 ? all : filtered(all, toolChoice, context);
  return {
    tools: chosen.map(({ node }) => node),
    servers: chosen.flatMap(({ server }) => (server === undefined ? [] : [server])),
    ...(toolChoice !== undefined && chosen.length > 0 && { choice: encodeChoice(toolChoice, request, context) }),
  };
}

/** Forcing a tool that cannot be had is refused, as is forcing any when none is left (translation.md 0.10). */
function refuseLost(choice: ToolChoice, request: CanonicalRequest, all: readonly Declaration[]): void {
  const path = choice.src?.ptr ?? '';
  if (choice.mode !== 'required') return;
  if (all.length === 0 && request.tools.length > 0) {
    throw new TranslationError('unsupported', 'a call is forced, but the backend can have none of the tools', { path });
  }
  const { only } = choice;
  if (only === undefined) return;
  const declared = createToolIndex(all.map(({ tool }) => tool));
  if (!only.some((ref) => declared.has(ref))) {
    throw new TranslationError('unsupported', 'the forced tool cannot be had on this backend', { path });
  }
}

type StrictBudget = (tool: FunctionTool) => JsonObject | undefined;

/** Hands out strict schemas as long as the budget lasts; undefined = the tool is not strict. */
function strictBudget({ losses, profile }: EncodeRequestContext, validated: boolean): StrictBudget {
  let tools = 0;
  let optional = 0;
  return (tool) => {
    if (tool.strict !== true && !(validated && profile.strictTools)) return undefined;
    const ptr = tool.src?.ptr ?? '';
    if (!profile.strictTools) {
      losses.add(ptr, 'tool.strict', 'dropped', 'the model does not hold calls to their schemas');
      return undefined;
    }
    const result = toStrictMessages(tool.schema);
    const loose = countOptional(result.schema);
    if (tools + 1 > MAX_STRICT || optional + loose > MAX_OPTIONAL) {
      if (tool.strict === true)
        losses.add(ptr, 'tool.strict', 'approximated', 'the budget for strict tools is used up');
      return undefined;
    }
    if (tool.strict !== true && !qualifies(result)) return undefined;
    tools += 1;
    optional += loose;
    if (result.wrapped) losses.add(ptr, 'schema.root', 'approximated', 'the arguments stand in the key value');
    const changes = describeChanges(result.changes);
    if (changes !== undefined) losses.add(ptr, 'tool.schema', 'approximated', changes);
    return result.schema;
  };
}

/** Whether a schema is as good as strict: nothing of it changes but that its objects are closed. */
function qualifies({ changes, wrapped }: RootResult): boolean {
  return !wrapped && changes.every(({ effect, keyword }) => effect === 'same' || keyword === 'additionalProperties');
}

function declare(
  tool: Tool,
  request: CanonicalRequest,
  strict: StrictBudget,
  context: EncodeRequestContext,
): Declaration | undefined {
  const { losses } = context;
  const ptr = tool.src?.ptr ?? '';
  switch (tool.kind) {
    case 'function':
      return { tool, node: declareFunction(tool, strict, context) };
    case 'hosted':
      return declareHosted(tool, request, context);
    case 'client':
      return declareClient(tool, context);
    case 'opaque':
      losses.add(ptr, 'tool.opaque', 'dropped', `only the ${tool.dialect} dialect has it`);
      return undefined;
    case 'custom':
      losses.add(ptr, 'tool.custom', 'dropped', 'the service has no tools with free text input');
      return undefined;
  }
}

/** A built-in tool in the version that the model lists; others have no counterpart (translation.md 2.8). */
function declareClient(tool: ClientTool, { losses }: EncodeRequestContext): Declaration | undefined {
  const ptr = tool.src?.ptr ?? '';
  if (tool.dialect !== DIALECT) {
    losses.add(ptr, 'tool.client', 'dropped', `there is no counterpart of the built-in ${tool.family} tool`);
    return undefined;
  }
  if (tool.environment !== undefined) {
    losses.add(ptr, 'tool.client', 'approximated', 'what the computer is cannot be told');
  }
  const display = tool.family === 'computer' ? displayOf(tool, losses) : undefined;
  const node = encodeClient({ ...tool, display });
  if (tool.cache !== undefined) node.cache_control = encodeCache(tool.cache);
  return { tool, node };
}

function displayOf(tool: ClientTool, losses: EncodeRequestContext['losses']): ClientTool['display'] {
  const { width, height } = tool.display ?? {};
  if (width !== undefined && height !== undefined) return tool.display;
  losses.add(tool.src?.ptr ?? '', 'tool.client', 'invented', 'the size of the display');
  return DEFAULT_DISPLAY;
}

function declareFunction(tool: FunctionTool, strict: StrictBudget, { losses }: EncodeRequestContext): JsonObject {
  const out: JsonObject = { name: tool.name };
  if (tool.description !== undefined && tool.description !== '') out.description = tool.description;
  const held = strict(tool);
  if (held !== undefined) {
    out.input_schema = held;
    out.strict = true;
  } else {
    const result = messagesToolSchema(tool.schema, tool.strict);
    const ptr = tool.src?.ptr ?? '';
    if (result.wrapped) losses.add(ptr, 'schema.root', 'approximated', 'the arguments stand in the key value');
    const changes = describeChanges(result.changes);
    if (changes !== undefined) losses.add(ptr, 'tool.schema', 'approximated', changes);
    out.input_schema = result.schema;
  }
  if (tool.inputExamples !== undefined) out.input_examples = tool.inputExamples;
  if (tool.cache !== undefined) out.cache_control = encodeCache(tool.cache);
  return out;
}

function declareHosted(
  tool: HostedTool,
  request: CanonicalRequest,
  context: EncodeRequestContext,
): Declaration | undefined {
  switch (tool.family) {
    case 'webSearch':
    case 'urlFetch':
    case 'codeExec':
      return declareServerTool(tool, tool.family, request, context);
    case 'mcp':
      return declareMcp(tool, context);
    case 'toolSearch':
      context.losses.add(tool.src?.ptr ?? '', 'tool.hosted', 'dropped', NO_TOOL_SEARCH);
      return undefined;
    case 'fileSearch':
    case 'imageGen':
    case 'maps':
    case 'advisor':
    case 'other':
      context.losses.add(
        tool.src?.ptr ?? '',
        'tool.hosted',
        'dropped',
        `the service has no ${tool.family} tool for this`,
      );
      return undefined;
  }
}

function declareServerTool(
  tool: HostedTool,
  family: 'webSearch' | 'urlFetch' | 'codeExec',
  request: CanonicalRequest,
  { losses, profile }: EncodeRequestContext,
): Declaration | undefined {
  const ptr = tool.src?.ptr ?? '';
  const type = profile.toolTypes[family];
  if (type === undefined) {
    losses.add(ptr, 'tool.hosted', 'dropped', 'the model has no such tool');
    return undefined;
  }
  const { settings } = tool;
  if (settings.containerId !== undefined || (settings.fileIds?.length ?? 0) > 0) {
    throw new TranslationError('unsupported', 'containers and files of another service are unknown to this backend', {
      path: ptr,
    });
  }
  const lose = (field: keyof HostedSettings, present: boolean, detail: string): void => {
    if (present) losses.add(fieldPlace(tool, field), 'tool.hosted.settings', 'dropped', detail);
  };
  if (family === 'webSearch' && !/^(?:web_search|googleSearch$)/.test(tool.type))
    losses.add(ptr, 'tool.hosted', 'approximated', 'another search engine');
  lose('contextSize', settings.contextSize !== undefined, 'the amount of search context cannot be chosen');
  lose('userLocation', settings.userLocation?.latitude !== undefined, 'coordinates are not taken');
  const allowed = settings.allowedDomains;
  const both = allowed !== undefined && settings.blockedDomains !== undefined;
  lose('blockedDomains', both, 'domains are allowed or blocked, not both');
  const place = family === 'webSearch' ? searchPlace(tool, losses) : undefined;
  const node = encodeHosted({
    ...tool,
    type,
    settings: {
      ...(family !== 'codeExec' && allowed !== undefined && { allowedDomains: allowed }),
      ...(family !== 'codeExec' && !both && settings.blockedDomains && { blockedDomains: settings.blockedDomains }),
      ...(place !== undefined && { userLocation: place }),
      ...(family !== 'codeExec' && usesOf(tool, request)),
    },
  });
  if (tool.cache !== undefined) node.cache_control = encodeCache(tool.cache);
  return { tool, node };
}

/** The cap over all hosted calls falls on each tool that can be capped (translation.md 2.2). */
function usesOf(tool: HostedTool, { maxToolCalls: cap }: CanonicalRequest): { readonly maxUses?: number } {
  const own = tool.settings.maxUses;
  if (cap === undefined) return own === undefined ? {} : { maxUses: own };
  return { maxUses: Math.min(own ?? cap, cap) };
}

/** Reports the cap over all hosted calls; where none can be made there is nothing to cap (translation.md 0.8). */
function reportCap(
  { maxToolCalls, at }: CanonicalRequest,
  all: readonly Declaration[],
  context: EncodeRequestContext,
): void {
  const hosted = all.filter(({ tool }) => tool.kind === 'hosted');
  if (maxToolCalls === undefined || hosted.length === 0) return;
  const capped = hosted.some(({ node }) => node.max_uses !== undefined);
  const detail = capped ? 'the cap counts for each hosted tool by itself' : 'calls of these tools cannot be capped';
  context.losses.add(at?.maxToolCalls ?? '', 'maxToolCalls', capped ? 'approximated' : 'dropped', detail);
}

function declareMcp(tool: HostedTool, { losses }: EncodeRequestContext): Declaration {
  const { server } = tool.settings;
  const path = tool.src?.ptr ?? '';
  const refuse = (message: string): never => {
    throw new TranslationError('unsupported', message, { path });
  };
  if (server?.connectorId !== undefined) refuse('connectors of another service are unknown to this backend');
  if (server?.url === undefined) return refuse('an MCP server is named by its URL here');
  // Absent means always where consent exists at all (translation.md 2.8).
  if (server.approval !== 'never') refuse('the backend runs MCP tools without asking for consent');
  const others = Object.keys(server.headers ?? {}).filter((name) => name.toLowerCase() !== 'authorization');
  if (others.length > 0) {
    const detail = 'no headers are sent to MCP servers but the token';
    losses.add(fieldPlace(tool, 'headers'), 'tool.hosted.settings', 'dropped', detail);
  }
  const named = {
    ...tool,
    settings: { server: { ...server, authorization: server.authorization ?? bearer(server.headers) } },
  };
  const node = encodeToolset(named, false);
  if (node === undefined) return refuse('an MCP server needs a label');
  return { tool, node, server: encodeServer(named, false) };
}

function bearer(headers: Readonly<Record<string, string>> | undefined): string | undefined {
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (name.toLowerCase() === 'authorization') return value.replace(/^bearer\s+/i, '');
  }
  return undefined;
}

/** A list of several tools, or of tools that may be called, is told by declaring no others (decision 34). */
function filtered(
  all: readonly Declaration[],
  choice: ToolChoice,
  { losses }: EncodeRequestContext,
): readonly Declaration[] {
  const { only } = choice;
  if (only === undefined || isSingle(choice)) return all;
  const listed = createToolRefs(only);
  const kept = all.filter(({ tool }) => listed.names(tool));
  losses.add(choice.src?.ptr ?? '', 'toolChoice.list', 'moved', 'only the tools of the list are declared');
  const servers = toolsByServer(only);
  return kept.map((declaration) => onlyTools(declaration, servers));
}

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
function onlyTools(declaration: Declaration, servers: ReadonlyMap<string, readonly string[]>): Declaration {
  const { tool, node } = declaration;
  const label = tool.kind === 'hosted' && tool.family === 'mcp' ? tool.settings.server?.label : undefined;
  const names = label === undefined ? undefined : servers.get(label);
  if (names === undefined) return declaration;
  const configs = Object.fromEntries(names.map((name) => [name, { enabled: true }]));
  return { ...declaration, node: { ...node, default_config: { enabled: false }, configs } };
}

function encodeChoice(
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
