import { furtherKeys } from '../../../adapt/index.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedSettings, HostedTool, OpaqueTool, Tool } from '../../../canonical/tools.js';
import { isObject } from '../../../wire/json.js';
import {
  bagOf,
  check,
  DIALECT,
  finish,
  keep,
  keysOf,
  put,
  rawOf,
  remember,
  remembered,
  withExtra,
} from '../../nodes.js';
import * as wire from '../../wire/index.js';

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
    if (node.default_config !== undefined) kept = withExtra(kept, 'default_config', node.default_config);
    if (node.configs !== undefined) kept = withExtra(kept, 'configs', node.configs);
  }
  const server: Server = {
    label: toolset.mcp_server_name,
    approval: 'never',
    ...(allowed?.list !== undefined && { allowedTools: allowed.list }),
    ...(allowed === undefined && forbids(toolset.default_config, toolset.configs) && { restricted: true }),
  };
  return {
    kind: 'hosted',
    family: 'mcp',
    dialect: DIALECT,
    type: 'mcp_toolset',
    settings: { server },
    ...kept,
  };
}

/** The list of allowed tools that the switches of a toolset amount to; undefined when they mean something else. */
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
 * its own list) become tools of their own, and what only this dialect can express becomes opaque.
 */
export function joinServers(tools: readonly Tool[], servers: readonly JsonObject[], ptr: string): Tool[] {
  const joined = [...tools];
  const toolsets = new Map<string, number>();
  tools.forEach((tool, index) => {
    const label = isToolset(tool) ? tool.settings.server?.label : undefined;
    if (label !== undefined && !toolsets.has(label)) toolsets.set(label, index);
  });
  servers.forEach((node, index) => {
    const at = `${ptr}/${index}`;
    const server = check(wire.mcpServer, node, at);
    const slot = toolsets.get(server.name);
    const toolset = slot === undefined ? undefined : joined[slot];
    if (slot !== undefined && toolset !== undefined && isToolset(toolset))
      joined[slot] = joinServer(toolset, server, node, at);
    else joined.push(decodeLoneServer(server, node, at));
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

/** The type of a server that came without a toolset. */
export const LONE_SERVER = 'mcp_servers';

function joinServer(toolset: HostedTool, server: WireServer, node: JsonObject, ptr: string): HostedTool {
  const config = server.tool_configuration;
  const limited = config?.enabled === false || (config?.allowed_tools ?? undefined) !== undefined;
  const known: Server = {
    ...toolset.settings.server,
    label: server.name,
    ...address(server),
    ...(limited && { restricted: true }),
  };
  remember(known, node);
  const rest = serverRest(node, ptr);
  const kept = { src: toolset.src ?? { ptr }, ext: toolset.ext };
  const held = rest === undefined ? kept : withExtra(kept, 'server', rest);
  const src = { ...held.src, at: { ...held.src.at, server: ptr }, ...rawConfig(node) };
  const joined = { ...toolset, settings: { server: known }, ext: held.ext, src };
  const form = remembered(toolset);
  return form === undefined ? joined : remember(joined, form);
}

function address(server: WireServer): Pick<Server, 'url' | 'authorization'> {
  const token = server.authorization_token;
  return { url: server.url, ...(typeof token === 'string' && { authorization: token }) };
}

/** Keys of a server beyond those the model has. */
function serverRest(node: JsonObject, ptr: string): JsonObject | undefined {
  const kept = keep(node, SERVER, ptr);
  const rest: JsonObject = { ...kept.ext?.[DIALECT] };
  if (node.tool_configuration !== undefined && !isPlain(node.tool_configuration))
    rest.tool_configuration = node.tool_configuration;
  if (node.type !== 'url') rest.type = node.type;
  return Object.keys(rest).length === 0 ? undefined : furtherKeys(rest, ptr);
}

/** Whether the model holds all of the tool configuration of a server. */
function isPlain(config: unknown): boolean {
  return isObject(config) && Object.keys(config).every((key) => key === 'enabled' || key === 'allowed_tools');
}

/** A tool configuration that the model holds, as it was written. */
function rawConfig({ tool_configuration }: JsonObject): { readonly raw?: JsonObject } {
  return isPlain(tool_configuration) ? { raw: { tool_configuration } } : {};
}

function decodeLoneServer(server: WireServer, node: JsonObject, ptr: string): HostedTool | OpaqueTool {
  const config = server.tool_configuration;
  if (config?.enabled === false)
    return { kind: 'opaque', dialect: DIALECT, type: LONE_SERVER, raw: node, src: { ptr } };
  const allowed = config?.allowed_tools;
  const rest = serverRest(node, ptr);
  const known: Server = {
    label: server.name,
    approval: 'never',
    ...address(server),
    ...(allowed !== null && allowed !== undefined && { allowedTools: allowed }),
  };
  remember(known, node);
  return {
    kind: 'hosted',
    family: 'mcp',
    dialect: DIALECT,
    type: LONE_SERVER,
    settings: { server: known },
    src: { ptr, ...rawConfig(node) },
    ...(rest !== undefined && { ext: { [DIALECT]: { server: rest } } }),
  };
}

/** The toolset half; undefined for a server that came without one. */
export function encodeToolset(tool: HostedTool, own: boolean): JsonObject | undefined {
  if (own && tool.type === LONE_SERVER) return undefined;
  const out: JsonObject = { type: 'mcp_toolset', mcp_server_name: tool.settings.server?.label };
  const allowed = tool.settings.server?.allowedTools;
  if (allowed !== undefined) {
    out.default_config = { enabled: false };
    out.configs = Object.fromEntries(allowed.map((name) => [name, { enabled: true }]));
  }
  const encoded = finish(out, tool, own);
  delete encoded.server;
  return encoded;
}

/** The server halves of own tools, in the order of the tools. */
export function encodeOwnServers(tools: readonly Tool[]): JsonObject[] {
  return tools.flatMap((tool) => {
    if (tool.kind === 'opaque') return tool.type === LONE_SERVER ? [tool.raw] : [];
    return tool.kind === 'hosted' && tool.settings.server?.url !== undefined ? [encodeServer(tool, true)] : [];
  });
}

/** The server half. */
export function encodeServer(tool: HostedTool, own: boolean): JsonObject {
  const { server } = tool.settings;
  const form = own && server !== undefined ? remembered(server) : undefined;
  if (form !== undefined) return form;
  const out: JsonObject = { type: 'url', name: server?.label, url: server?.url };
  if (server?.authorization !== undefined) out.authorization_token = server.authorization;
  const rest = own ? bagOf(tool)?.server : undefined;
  if (isObject(rest)) for (const key in rest) put(out, key, rest[key]);
  if (own) Object.assign(out, rawOf(tool));
  return out;
}
