import { searchPlace } from '../../../adapt/index.js';
import { TranslationError } from '../../../canonical/errors.js';
import { NO_TOOL_SEARCH } from '../../../canonical/loss.js';
import { fieldPlace, type JsonObject, placesOf } from '../../../canonical/node.js';
import type { CanonicalRequest } from '../../../canonical/request.js';
import type { FunctionTool, HostedFamily, HostedSettings, HostedTool, UserLocation } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import { isObject } from '../../../wire/json.js';
import { check, DIALECT, decodeCache, encodeCache, type Kept, keep, keysOf, type Mutable, stow } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import type { EncodedTool } from '../encode.js';
import { encodeForeignServer } from './mcp.js';

export const COMMON = ['type', 'name', 'cache_control'];
const LOCATION = keysOf(wire.userLocation);

/** Tool families by the beginning of the type word, which ends in a date [M §2.5]. */
export const HOSTED: readonly (readonly [string, HostedFamily, name: string | undefined, keys: readonly string[]])[] = [
  ['web_search', 'webSearch', 'web_search', ['allowed_domains', 'blocked_domains', 'user_location', 'max_uses']],
  ['web_fetch', 'urlFetch', 'web_fetch', ['allowed_domains', 'blocked_domains', 'max_uses']],
  ['code_execution', 'codeExec', 'code_execution', []],
  ['tool_search_tool_regex', 'toolSearch', 'tool_search_tool_regex', []],
  ['tool_search_tool_bm25', 'toolSearch', 'tool_search_tool_bm25', []],
  ['advisor', 'advisor', 'advisor', ['max_uses']],
];

export function isDated(type: string, prefix: string): boolean {
  if (!type.startsWith(prefix)) return false;
  const rest = type.slice(prefix.length);
  return rest === '' || /^_\d{8}$/.test(rest);
}

export function decodeHosted(node: JsonObject, type: string, row: (typeof HOSTED)[number], ptr: string): HostedTool {
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

export function cached(tool: {
  readonly cache_control?: Parameters<typeof decodeCache>[0];
}): Pick<FunctionTool, 'cache'> {
  const cache = decodeCache(tool.cache_control);
  return cache === undefined ? {} : { cache };
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

export function encodeForeignHostedTool(
  tool: HostedTool,
  request: CanonicalRequest,
  context: EncodeRequestContext,
): EncodedTool | undefined {
  switch (tool.family) {
    case 'webSearch':
    case 'urlFetch':
    case 'codeExec':
      return encodeServerTool(tool, tool.family, request, context);
    case 'mcp':
      return encodeForeignServer(tool, context);
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
    default:
      return tool.family satisfies never;
  }
}

function encodeServerTool(
  tool: HostedTool,
  family: 'webSearch' | 'urlFetch' | 'codeExec',
  request: CanonicalRequest,
  { losses, profile }: EncodeRequestContext,
): EncodedTool | undefined {
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
export function reportCap(
  { maxToolCalls, at }: CanonicalRequest,
  all: readonly EncodedTool[],
  context: EncodeRequestContext,
): void {
  const hosted = all.filter(({ tool }) => tool.kind === 'hosted');
  if (maxToolCalls === undefined || hosted.length === 0) return;
  const capped = hosted.some(({ node }) => node.max_uses !== undefined);
  const detail = capped ? 'the cap counts for each hosted tool by itself' : 'calls of these tools cannot be capped';
  context.losses.add(at?.maxToolCalls ?? '', 'maxToolCalls', capped ? 'approximated' : 'dropped', detail);
}
