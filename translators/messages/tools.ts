import { type JsonObject, placesOf } from '../canonical/node.js';
import type {
  ClientFamily,
  ClientTool,
  FunctionTool,
  HostedFamily,
  HostedSettings,
  HostedTool,
  Tool,
  UserLocation,
} from '../canonical/tools.js';
import { isObject } from '../wire/json.js';
import { decodeToolset, encodeToolset, SERVER_PLACE } from './mcp.js';
import {
  check,
  DIALECT,
  decodeCache,
  finish,
  hasShape,
  invalid,
  type Kept,
  keep,
  keysOf,
  type Mutable,
  stow,
} from './nodes.js';
import * as wire from './wire.js';

const CUSTOM = keysOf(wire.customTool);
const COMMON = ['type', 'name', 'cache_control'];
const LOCATION = keysOf(wire.userLocation);

/** Tool families by the beginning of the type word, which ends in a date [M §2.5]. */
const HOSTED: readonly (readonly [string, HostedFamily, name: string | undefined, keys: readonly string[]])[] = [
  ['web_search', 'webSearch', 'web_search', ['allowed_domains', 'blocked_domains', 'user_location', 'max_uses']],
  ['web_fetch', 'urlFetch', 'web_fetch', ['allowed_domains', 'blocked_domains', 'max_uses']],
  ['code_execution', 'codeExec', 'code_execution', []],
  ['tool_search_tool_regex', 'toolSearch', 'tool_search_tool_regex', []],
  ['tool_search_tool_bm25', 'toolSearch', 'tool_search_tool_bm25', []],
  ['advisor', 'advisor', 'advisor', ['max_uses']],
];

const CLIENT: readonly (readonly [string, ClientFamily])[] = [
  ['computer', 'computer'],
  ['bash', 'bash'],
  ['text_editor', 'editor'],
  ['memory', 'memory'],
  ['browser_toolset', 'browser'],
];

/** One declared tool. A type that is unknown becomes a tool that only this dialect knows. */
export function decodeTool(node: unknown, ptr: string): Tool {
  if (!isObject(node)) throw invalid(ptr, 'expected a tool');
  const { type } = node;
  if (type === undefined || type === null || type === 'custom') return decodeFunction(node, ptr);
  if (typeof type !== 'string') throw invalid(`${ptr}/type`, 'expected a string');
  if (type === 'mcp_toolset') return decodeToolset(node, ptr);
  const hosted = HOSTED.find(([prefix]) => isDated(type, prefix));
  if (hosted !== undefined) return decodeHosted(node, type, hosted, ptr);
  const client = CLIENT.find(([prefix]) => isDated(type, prefix) || type.startsWith(`${prefix}_toolset_`));
  if (client !== undefined) return decodeClient(node, type, client[1], ptr);
  return { kind: 'opaque', dialect: DIALECT, type, raw: node, src: { ptr } };
}

function isDated(type: string, prefix: string): boolean {
  if (!type.startsWith(prefix)) return false;
  const rest = type.slice(prefix.length);
  return rest === '' || /^_\d{8}$/.test(rest);
}

function decodeFunction(node: JsonObject, ptr: string): FunctionTool {
  const tool = check(wire.customTool, node, ptr);
  const part: Mutable<FunctionTool> = {
    kind: 'function',
    name: tool.name,
    schema: tool.input_schema,
    ...keep(node, CUSTOM, ptr, 'type' in node ? undefined : ['bare']),
  };
  if (typeof tool.description === 'string') part.description = tool.description;
  if (typeof tool.strict === 'boolean') part.strict = tool.strict;
  if (tool.input_examples !== undefined && tool.input_examples !== null) part.inputExamples = tool.input_examples;
  const cache = decodeCache(tool.cache_control);
  if (cache !== undefined) part.cache = cache;
  return part;
}

function decodeHosted(node: JsonObject, type: string, row: (typeof HOSTED)[number], ptr: string): HostedTool {
  const [, family, name, keys] = row;
  const tool = check(wire.typedTool, node, ptr);
  const settings: Mutable<HostedSettings> = {};
  let kept = keep(node, new Set([...COMMON, ...keys]), ptr);
  if (keys.includes('allowed_domains') && tool.allowed_domains) settings.allowedDomains = tool.allowed_domains;
  if (keys.includes('blocked_domains') && tool.blocked_domains) settings.blockedDomains = tool.blocked_domains;
  if (keys.includes('max_uses') && typeof tool.max_uses === 'number') settings.maxUses = tool.max_uses;
  if (keys.includes('user_location') && tool.user_location) {
    settings.userLocation = decodeLocation(tool.user_location);
    kept = keepLocation(kept, node.user_location);
  }
  if (tool.name !== name) kept = stow(kept, 'name', tool.name);
  const places = placesOf(settings, {
    allowedDomains: `${ptr}/allowed_domains`,
    blockedDomains: `${ptr}/blocked_domains`,
    maxUses: `${ptr}/max_uses`,
    userLocation: `${ptr}/user_location`,
  });
  return {
    kind: 'hosted',
    family,
    dialect: DIALECT,
    type,
    settings,
    ...cached(tool),
    ...kept,
    src: { ...kept.src, ...places },
  };
}

function decodeLocation(location: UserLocation | { readonly [key: string]: unknown }): UserLocation {
  const out: Mutable<UserLocation> = {};
  for (const key of ['city', 'region', 'country', 'timezone'] as const) {
    const value = location[key];
    if (typeof value === 'string') out[key] = value;
  }
  return out;
}

/** A location that says more than its place is kept whole. */
function keepLocation(kept: Kept, location: unknown): Kept {
  if (!isObject(location)) return kept;
  const plain =
    location.type === 'approximate' &&
    Object.entries(location).every(([key, value]) => LOCATION.has(key) && typeof value === 'string');
  return plain ? kept : stow(kept, 'user_location', location);
}

function cached(tool: { readonly cache_control?: Parameters<typeof decodeCache>[0] }): Pick<FunctionTool, 'cache'> {
  const cache = decodeCache(tool.cache_control);
  return cache === undefined ? {} : { cache };
}

const CLIENT_KEYS = new Set([...COMMON, 'display_width_px', 'display_height_px']);

function decodeClient(node: JsonObject, type: string, family: ClientFamily, ptr: string): ClientTool {
  const tool = check(wire.typedTool, node, ptr);
  const { display_width_px: width, display_height_px: height } = tool;
  return {
    kind: 'client',
    family,
    dialect: DIALECT,
    type,
    ...(typeof tool.name === 'string' && { name: tool.name }),
    ...(type.includes('_toolset_') && { toolset: true }),
    ...((typeof width === 'number' || typeof height === 'number') && {
      display: { width: width ?? undefined, height: height ?? undefined },
    }),
    ...cached(tool),
    ...keep(node, CLIENT_KEYS, ptr),
  };
}

/** A tool as it came. MCP servers that came without a toolset have no place in the list. */
export function encodeOwnTool(tool: Tool): JsonObject | undefined {
  switch (tool.kind) {
    case 'function':
      return finish(encodeFunction(tool), tool, true);
    case 'hosted':
      if (tool.family === 'mcp') return encodeToolset(tool, true);
      return finish(encodeHosted(tool), tool, true);
    case 'client':
      return finish(encodeClient(tool), tool, true);
    case 'opaque':
      return tool.type === SERVER_PLACE ? undefined : tool.raw;
    case 'custom':
      throw new TypeError('a custom tool has no form in this dialect');
  }
}

function encodeFunction(tool: FunctionTool): JsonObject {
  const out: JsonObject = hasShape(tool, 'bare') ? {} : { type: 'custom' };
  out.name = tool.name;
  if (tool.description !== undefined) out.description = tool.description;
  out.input_schema = tool.schema ?? { type: 'object', properties: {} };
  if (tool.strict !== undefined) out.strict = tool.strict;
  if (tool.inputExamples !== undefined) out.input_examples = tool.inputExamples;
  return out;
}

/** The name a hosted family has on the wire. */
export function hostedName(tool: { readonly family: HostedFamily; readonly type: string }): string | undefined {
  const row = HOSTED.find(([prefix, family]) => family === tool.family && isDated(tool.type, prefix));
  return (row ?? HOSTED.find(([, family]) => family === tool.family))?.[2];
}

/** A hosted tool with the settings this dialect has. */
export function encodeHosted(tool: HostedTool): JsonObject {
  const { settings } = tool;
  const out: JsonObject = { type: tool.type, name: hostedName(tool) };
  if (settings.allowedDomains !== undefined) out.allowed_domains = settings.allowedDomains;
  if (settings.blockedDomains !== undefined) out.blocked_domains = settings.blockedDomains;
  if (settings.userLocation !== undefined) out.user_location = encodeLocation(settings.userLocation);
  if (settings.maxUses !== undefined) out.max_uses = settings.maxUses;
  return out;
}

function encodeLocation(location: UserLocation): JsonObject {
  const out: JsonObject = { type: 'approximate' };
  for (const key of ['city', 'region', 'country', 'timezone'] as const) {
    if (location[key] !== undefined) out[key] = location[key];
  }
  return out;
}

/** A built-in tool of the client. */
export function encodeClient(tool: ClientTool): JsonObject {
  const out: JsonObject = { type: tool.type };
  if (tool.name !== undefined) out.name = tool.name;
  if (tool.display?.width !== undefined) out.display_width_px = tool.display.width;
  if (tool.display?.height !== undefined) out.display_height_px = tool.display.height;
  return out;
}
