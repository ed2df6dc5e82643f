import { searchPlace } from '../../../adapt/index.js';
import { TranslationError } from '../../../canonical/errors.js';
import { fieldPlace, type JsonObject, placesOf, ptrOf } from '../../../canonical/node.js';
import type { CanonicalRequest } from '../../../canonical/request.js';
import type { HostedFamily, HostedSettings, HostedTool, UserLocation } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import { isObject, lookUp } from '../../../wire/json.js';
import {
  check,
  DIALECT,
  encodeCache,
  type Kept,
  type Keys,
  keep,
  keysOf,
  type Mutable,
  withExtra,
} from '../../nodes.js';
import * as wire from '../../wire/index.js';
import type { EncodedTool, ToolCodec } from './codec.js';

/** Keys that every typed tool may have. */
export const COMMON = ['type', 'name', 'cache_control'];
const LOCATION = keysOf(wire.userLocation);

/** Whether a type word is `prefix`, with or without a date behind it [M §2.5]. */
export function isDated(type: string, prefix: string): boolean {
  if (!type.startsWith(prefix)) return false;
  const rest = type.slice(prefix.length);
  return rest === '' || /^_\d{8}$/.test(rest);
}

/** A declared tool that the service runs, which may have the keys of `known`, settings among them. */
export function decodeServerTool(
  node: JsonObject,
  { family, name, type }: { readonly family: HostedFamily; readonly name: string; readonly type: string },
  known: Keys,
  ptr: string,
): HostedTool {
  const tool = check(wire.typedTool, node, ptr);
  const settings: Mutable<HostedSettings> = {};
  let kept = keep(node, known, ptr);
  if (known.has('allowed_domains') && tool.allowed_domains) settings.allowedDomains = tool.allowed_domains;
  if (known.has('blocked_domains') && tool.blocked_domains) settings.blockedDomains = tool.blocked_domains;
  if (known.has('max_uses') && typeof tool.max_uses === 'number') settings.maxUses = tool.max_uses;
  if (known.has('user_location') && tool.user_location) {
    settings.userLocation = decodeLocation(tool.user_location);
    kept = keepLocation(kept, node.user_location);
  }
  if (tool.name !== name) kept = withExtra(kept, 'name', tool.name);
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

/** A location with further keys is kept whole. */
function keepLocation(kept: Kept, location: unknown): Kept {
  if (!isObject(location)) return kept;
  const plain =
    location.type === 'approximate' &&
    Object.entries(location).every(([key, value]) => LOCATION.has(key) && typeof value === 'string');
  return plain ? kept : withExtra(kept, 'user_location', location);
}

/** A hosted tool with the settings that this dialect has. */
export function encodeServerFields(type: string, name: string | undefined, settings: HostedSettings): JsonObject {
  const out: JsonObject = { type, name };
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

/** The tool of another dialect as one that the service runs; undefined, with a loss, where the model has none. */
export function encodeServerTool(
  tool: HostedTool,
  { names, keys }: ToolCodec,
  request: CanonicalRequest,
  { losses, target }: EncodeRequestContext,
): EncodedTool | undefined {
  const ptr = ptrOf(tool);
  const type = lookUp(target.toolTypes, tool.family);
  if (type === undefined) {
    losses.add(tool, 'tool.hosted', 'dropped', 'the model does not support this tool');
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
  lose('contextSize', settings.contextSize !== undefined, 'the amount of search context cannot be chosen');
  lose('userLocation', settings.userLocation?.latitude !== undefined, 'coordinates are not supported');
  const { allowedDomains, blockedDomains } = settings;
  const both = allowedDomains !== undefined && blockedDomains !== undefined;
  lose('blockedDomains', both, 'domains can be allowed or blocked, not both');
  const userLocation = keys.includes('user_location') ? searchPlace(tool, losses) : undefined;
  const node = encodeServerFields(type, names[0], {
    ...(keys.includes('allowed_domains') && { allowedDomains }),
    ...(keys.includes('blocked_domains') && !both && { blockedDomains }),
    ...(userLocation !== undefined && { userLocation }),
    ...(keys.includes('max_uses') && { maxUses: usesOf(tool, request) }),
  });
  if (tool.cache !== undefined) node.cache_control = encodeCache(tool.cache);
  return { tool, node };
}

/** The cap over all hosted calls falls on each tool that can be capped (translation.md 2.2). */
function usesOf({ settings: { maxUses } }: HostedTool, { maxToolCalls: cap }: CanonicalRequest): number | undefined {
  return cap === undefined ? maxUses : Math.min(maxUses ?? cap, cap);
}

/** Reports the cap over all hosted calls; where none can be made there is nothing to cap (translation.md 0.8). */
export function reportCap(request: CanonicalRequest, all: readonly EncodedTool[], context: EncodeRequestContext): void {
  const hosted = all.filter(({ tool }) => tool.kind === 'hosted');
  if (request.maxToolCalls === undefined || hosted.length === 0) return;
  const capped = hosted.some(({ node }) => node.max_uses !== undefined);
  const detail = capped ? 'the cap counts for each hosted tool by itself' : 'calls of these tools cannot be capped';
  context.losses.add(request, 'maxToolCalls', capped ? 'approximated' : 'dropped', detail);
}
