import { createToolRefs, furtherKeys } from '../../../adapt/index.js';
import { TranslationError } from '../../../canonical/errors.js';
import { fieldPlace, type JsonObject } from '../../../canonical/node.js';
import type { HostedSettings, HostedTool, OpaqueTool, Tool, ToolChoice, ToolRef } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import { isObject } from '../../../wire/json.js';
import { bagOf, check, DIALECT, decodeCache, finish, keep, keysOf, put, rawOf, stow } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import type { EncodedTool } from '../encode.js';

type Server = NonNullable<HostedSettings['server']>;

const TOOLSET = keysOf(wire.mcpToolset);
const SERVER = keysOf(wire.mcpServer);

/**
 * One half of an MCP server: which of its tools may be used. The other half is joined by {@link joinServers}. The service
 * knows no consent, so that none is ever asked for.
 */
export function decodeToolset(node: JsonObject, ptr: string): HostedTool {
  const toolset = check(wire.mcpToolset, node, ptr);
  const allowed = allowedBy(toolset.default_config ?? undefined, toolset.configs ?? undefined);
  let kept = keep(node, TOOLSET, ptr);
  if (allowed === undefined) {
    if (node.default_config !== undefined) kept = stow(kept, 'default_config', node.default_config);
    if (node.configs !== undefined) kept = stow(kept, 'configs', node.configs);
  }
  const server: Server = {
    label: toolset.mcp_server_name,
    approval: 'never',
    ...(allowed?.list !== undefined && { allowedTools: allowed.list }),
    ...(allowed === undefined && forbids(toolset.default_config, toolset.configs) && { restricted: true }),
  };
  const cache = decodeCache(toolset.cache_control);
  return {
    kind: 'hosted',
    family: 'mcp',
    dialect: DIALECT,
    type: 'mcp_toolset',
    settings: { server },
    ...(cache !== undefined && { cache }),
    ...kept,
  };
}

/** The list of allowed tools that the switches of a toolset amount to; undefined when they say something else. */
function allowedBy(
  base: JsonObject | undefined,
  configs: JsonObject | undefined,
): { readonly list: readonly string[] | undefined } | undefined {
  if (base === undefined && configs === undefined) return { list: undefined };
  if (base?.enabled !== false || Object.keys(base).length !== 1 || configs === undefined) return undefined;
  const entries = Object.entries(configs);
  const simple = entries.every(
    ([, config]) => isObject(config) && config.enabled === true && Object.keys(config).length === 1,
  );
  return simple ? { list: entries.map(([name]) => name) } : undefined;
}

/** Whether some switch of a toolset is off. */
function forbids(base: JsonObject | null | undefined, configs: JsonObject | null | undefined): boolean {
  return [base, ...Object.values(configs ?? {})].some((config) => isObject(config) && config.enabled === false);
}

/**
 * Joins the servers of a request to the toolsets that name them. Servers without a toolset (the older form, which holds
 * its own list) become tools of their own, and what only this dialect can say becomes opaque.
 */
export function joinServers(tools: readonly Tool[], servers: readonly JsonObject[], ptr: string): Tool[] {
  const joined = [...tools];
  const toolsets = new Map<string, number>();
  tools.forEach((tool, place) => {
    const label = isToolset(tool) ? tool.settings.server?.label : undefined;
    if (label !== undefined && !toolsets.has(label)) toolsets.set(label, place);
  });
  servers.forEach((node, index) => {
    const at = `${ptr}/${index}`;
    const server = check(wire.mcpServer, node, at);
    const place = toolsets.get(server.name);
    const toolset = place === undefined ? undefined : joined[place];
    if (place !== undefined && toolset !== undefined && isToolset(toolset))
      joined[place] = joinServer(toolset, server, node, at);
    else joined.push(lonelyServer(server, node, at));
  });
  return joined;
}

function isToolset(tool: Tool): tool is HostedTool {
  return tool.kind === 'hosted' && tool.type === 'mcp_toolset';
}

interface WireServer {
  readonly name: string;
  readonly url: string;
  readonly authorization_token?: string | null;
  readonly tool_configuration?: {
    readonly enabled?: boolean | null;
    readonly allowed_tools?: readonly string[] | null;
  } | null;
}

/** Stands in for a type where a server came without a toolset. */
export const SERVER_PLACE = 'mcp_servers';

function joinServer(toolset: HostedTool, server: WireServer, node: JsonObject, ptr: string): HostedTool {
  const config = server.tool_configuration;
  const limited = config?.enabled === false || (config?.allowed_tools ?? undefined) !== undefined;
  const known: Server = {
    ...toolset.settings.server,
    label: server.name,
    ...address(server),
    ...(limited && { restricted: true }),
  };
  const rest = serverRest(node, ptr);
  const kept = { src: toolset.src ?? { ptr }, ext: toolset.ext };
  const held = rest === undefined ? kept : stow(kept, 'server', rest);
  const shape = [...(held.src.shape ?? []), `at:${ptr}`];
  return { ...toolset, settings: { server: known }, ext: held.ext, src: { ...held.src, shape, ...rawConfig(node) } };
}

function address(server: WireServer): Pick<Server, 'url' | 'authorization'> {
  const token = server.authorization_token;
  return { url: server.url, ...(typeof token === 'string' && { authorization: token }) };
}

/** Keys of a server beyond those the model has. */
function serverRest(node: JsonObject, ptr: string): JsonObject | undefined {
  const kept = keep(node, SERVER, ptr);
  const rest: JsonObject = { ...kept.ext?.[DIALECT] };
  for (const word of kept.src.shape ?? []) if (word.startsWith('null:')) put(rest, word.slice(5), null);
  if (node.tool_configuration !== undefined && !isPlain(node.tool_configuration))
    rest.tool_configuration = node.tool_configuration;
  if (node.type !== 'url') rest.type = node.type;
  return Object.keys(rest).length === 0 ? undefined : furtherKeys(rest, ptr);
}

/** Whether the model holds all that the tool configuration of a server says. */
function isPlain(config: unknown): boolean {
  return isObject(config) && Object.keys(config).every((key) => key === 'enabled' || key === 'allowed_tools');
}

/** A tool configuration that the model holds, as it was written. */
function rawConfig({ tool_configuration }: JsonObject): { readonly raw?: JsonObject } {
  return isPlain(tool_configuration) ? { raw: { tool_configuration } } : {};
}

function lonelyServer(server: WireServer, node: JsonObject, ptr: string): HostedTool | OpaqueTool {
  const config = server.tool_configuration;
  if (config?.enabled === false)
    return { kind: 'opaque', dialect: DIALECT, type: SERVER_PLACE, raw: node, src: { ptr } };
  const allowed = config?.allowed_tools;
  const rest = serverRest(node, ptr);
  const known: Server = {
    label: server.name,
    approval: 'never',
    ...address(server),
    ...(allowed !== null && allowed !== undefined && { allowedTools: allowed }),
  };
  return {
    kind: 'hosted',
    family: 'mcp',
    dialect: DIALECT,
    type: SERVER_PLACE,
    settings: { server: known },
    src: { ptr, shape: [`at:${ptr}`], ...rawConfig(node) },
    ...(rest !== undefined && { ext: { [DIALECT]: { server: rest } } }),
  };
}

/** The toolset half; undefined for a server that came without one. */
export function encodeToolset(tool: HostedTool, own: boolean): JsonObject | undefined {
  if (own && tool.type === SERVER_PLACE) return undefined;
  const out: JsonObject = { type: 'mcp_toolset', mcp_server_name: tool.settings.server?.label };
  const allowed = tool.settings.server?.allowedTools;
  if (allowed !== undefined) {
    out.default_config = { enabled: false };
    out.configs = Object.fromEntries(allowed.map((name) => [name, { enabled: true }]));
  }
  const printed = finish(out, tool, own);
  delete printed.server;
  return printed;
}

/** The server halves of own tools, in the order they came in. */
export function encodeOwnServers(tools: readonly Tool[]): JsonObject[] {
  const placed: { readonly at: number; readonly node: JsonObject }[] = [];
  for (const tool of tools) {
    if (tool.kind === 'opaque' && tool.type === SERVER_PLACE) {
      placed.push({ at: indexOf(tool.src?.ptr), node: tool.raw });
    } else if (tool.kind === 'hosted' && tool.family === 'mcp') {
      const at = tool.src?.shape?.find((word) => word.startsWith('at:'))?.slice(3);
      if (at !== undefined) placed.push({ at: indexOf(at), node: encodeServer(tool, true) });
    }
  }
  return placed.sort((a, b) => a.at - b.at).map(({ node }) => node);
}

function indexOf(ptr: string | undefined): number {
  return Number(ptr?.slice(ptr.lastIndexOf('/') + 1) ?? 0);
}

/** The server half. */
function encodeServer(tool: HostedTool, own: boolean): JsonObject {
  const { server } = tool.settings;
  const out: JsonObject = { type: 'url', name: server?.label, url: server?.url };
  if (server?.authorization !== undefined) out.authorization_token = server.authorization;
  const rest = own ? bagOf(tool)?.server : undefined;
  if (isObject(rest)) for (const key in rest) put(out, key, rest[key]);
  if (own) Object.assign(out, rawOf(tool));
  return out;
}

export function encodeForeignServer(tool: HostedTool, { losses }: EncodeRequestContext): EncodedTool {
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

/** A list of several tools, or of tools that may be called, is told by declaring no others (translation.md 9.34). */
export function filtered(
  all: readonly EncodedTool[],
  choice: ToolChoice,
  { losses }: EncodeRequestContext,
): readonly EncodedTool[] {
  const { only } = choice;
  if (only === undefined || isSingle(choice)) return all;
  const listed = createToolRefs(only);
  const kept = all.filter(({ tool }) => listed.names(tool));
  losses.add(choice.src?.ptr ?? '', 'toolChoice.list', 'moved', 'only the tools of the list are declared');
  const servers = toolsByServer(only);
  return kept.map((declaration) => onlyTools(declaration, servers));
}

export function isSingle({ mode, only }: ToolChoice): boolean {
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
