import type { Feature, Losses } from '../canonical/loss.js';
import type { CacheMark, JsonObject, Node } from '../canonical/node.js';
import type { CacheSettings, CanonicalRequest } from '../canonical/request.js';
import { hash32 } from '../wire/hash.js';

const LONGEST_ID = 64;

/** An id as a member of those dialects takes it: as it is, or its hash, which is reported. */
export function idOf(id: string, request: CanonicalRequest, feature: Feature, losses: Losses): string {
  if (id.length <= LONGEST_ID) return id;
  losses.add(request, feature, 'approximated', 'too long, so its hash is sent');
  return hash32(id, 52);
}

/** The settings with what `prompt_cache_retention` says. */
export function readRetention(
  retention: string,
  { out: { cache } }: { readonly out: Cached },
): CacheSettings | undefined {
  return retention === '' ? undefined : { ...cache, auto: true, ...(retention === '24h' && { ttl: retention }) };
}

/** The settings with what `prompt_cache_options`, checked, says. */
export function readCacheOptions(
  cache: CacheSettings | undefined,
  { mode, ttl }: { readonly mode?: string | null | undefined; readonly ttl?: string | null | undefined },
): CacheSettings {
  return { ...cache, auto: mode !== 'explicit', ...(ttl && { ttl }) };
}

type Cached = Pick<CanonicalRequest, 'cache' | 'at'>;

/** `prompt_cache_retention` for settings that came from there. */
export function retentionOf({ auto, ttl }: CacheSettings, { at }: Cached): string | undefined {
  const isPlace = auto !== undefined && at?.['cache.ttl'] === '/prompt_cache_retention';
  return isPlace ? (ttl ?? 'in_memory') : undefined;
}

/** `prompt_cache_options` for all others. */
export function cacheOptionsOf({ auto, ttl }: CacheSettings, { at }: Cached): JsonObject | undefined {
  if (auto === undefined || at?.['cache.ttl'] === '/prompt_cache_retention') return undefined;
  return { ...(!auto && { mode: 'explicit' }), ...(ttl !== undefined && { ttl }) };
}

/** How long that vendor's caches live: what else a mark says stays with the service that has such words [R §2.1]. */
const LIVES: ReadonlySet<string | undefined> = new Set([undefined, '30m', '12h']);

/** A foreign mark as a breakpoint of those dialects, which has no words for how long other services keep a prompt. */
export function breakpointOf({ ttl }: CacheMark): JsonObject {
  return ttl === undefined || !LIVES.has(ttl) ? { mode: 'explicit' } : { mode: 'explicit', ttl };
}

/** Reports what {@link breakpointOf} leaves out of marks that are sent, once for all. */
export function reportLives(sent: readonly (Node & { readonly cache?: CacheMark })[], losses: Losses): void {
  if (sent.some(({ cache }) => !LIVES.has(cache?.ttl)))
    losses.add(sent[0], 'cache.ttl', 'dropped', 'the service chooses the cache lifetime');
}

/** Reports marks that are not sent, by their paths: once for all, at the first. */
export function reportLostMarks(paths: readonly string[], losses: Losses): void {
  const [first, ...others] = paths;
  if (first === undefined) return;
  const marks = others.length === 0 ? 'the mark has' : `${paths.length} marks have`;
  losses.add(first, 'cache.mark', 'dropped', `${marks} no equivalent in the target`);
}

/**
 * The key for a request whose client marks the beginning of its prompt and knows no keys (configuration.md#prompt-caches): a hash of what
 * stands up to the first mark; it is reported. undefined where the first mark stands in the conversation: it moves on with
 * each turn, and so would the key.
 */
export function keyOfMarks({ tools, instructions }: CanonicalRequest, losses: Losses): string | undefined {
  const parts = instructions.flatMap((instruction) => instruction.parts);
  const tool = tools.findIndex(({ cache }) => cache !== undefined);
  const part = parts.findIndex(({ cache }) => cache !== undefined);
  if (tool < 0 && part < 0) return undefined;
  losses.add('', 'cache.key', 'invented', 'derived from the prompt up to the first cache breakpoint');
  const marked = tool < 0 ? [tools, parts.slice(0, part + 1)] : [tools.slice(0, tool + 1)];
  return hash32(JSON.stringify(marked), 32);
}

/** Tiers of service that the dialects of that vendor have alike. */
const TIERS: ReadonlySet<string> = new Set(['auto', 'default', 'flex', 'scale', 'priority']);

/** The word for a tier that another dialect of the same vendor named; undefined for one that only that dialect has. */
export function sameTier(word: string): string | undefined {
  return TIERS.has(word) ? word : undefined;
}
