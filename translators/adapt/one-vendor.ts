import type { Feature, Losses } from '../canonical/loss.js';
import type { CacheMark, JsonObject, Node } from '../canonical/node.js';
import type { CacheSettings, CanonicalRequest } from '../canonical/request.js';
import type { EncodeRequestContext } from '../dialect.js';
import { hash32 } from '../wire/hash.js';
import type { Sending } from '../wire/members.js';

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

const UNSAID_LIFE = 'the service chooses the cache lifetime';

/** What a target says of prompt caching in these dialects. */
interface CacheWords<C> {
  /** It accepts `prompt_cache_key`. */
  takesKey(context: C): boolean;
  /** A key that the client did not give helps there. */
  takesMadeKey(context: C): boolean;
  /** It has words for how long a prompt is cached (translation.md 2.2). */
  saysLife(context: C): boolean;
}

interface CacheSenders<C> {
  sendCacheKey(key: string, sending: Sending<C>, feature: Feature): string | undefined;
  /** The key of a request whose client marks its prompt instead. */
  keyOfPrompt(sending: Sending<C>): string | undefined;
  sendRetention(cache: CacheSettings, sending: Sending<C>): string | undefined;
  sendCacheOptions(cache: CacheSettings, sending: Sending<C>): JsonObject | undefined;
}

/** The senders of `prompt_cache_key`, `prompt_cache_retention` and `prompt_cache_options`. */
export function cacheSenders<C extends EncodeRequestContext>({
  takesKey,
  takesMadeKey,
  saysLife,
}: CacheWords<C>): CacheSenders<C> {
  return {
    sendCacheKey(key, { request, context }, feature) {
      const { losses } = context;
      const { at = {} } = request;
      const isOwn = at['cache.key'] !== undefined && at['cache.key'] !== at.user;
      if (takesKey(context)) {
        if (!isOwn) losses.add(at.user, feature, 'invented', 'taken from the id of the user');
        return idOf(key, request, feature, losses);
      }
      if (isOwn) losses.add(request, feature, 'dropped', 'not supported by the server');
      return undefined;
    },
    keyOfPrompt: ({ request, context }) =>
      takesMadeKey(context) && context.sameVendor !== true ? keyOfMarks(request, context.losses) : undefined,
    sendRetention(cache, { request, context }) {
      if (saysLife(context)) return retentionOf(cache, request);
      const { at = {} } = request;
      if (cache.ttl !== undefined) context.losses.add(at['cache.ttl'] ?? at.cache, 'cache.ttl', 'dropped', UNSAID_LIFE);
      return undefined;
    },
    sendCacheOptions: (cache, { request, context }) => (saysLife(context) ? cacheOptionsOf(cache, request) : undefined),
  };
}

/** How long that vendor's caches live: what else a mark says stays with the service that has such words [R §2.1]. */
const LIVES: ReadonlySet<string | undefined> = new Set([undefined, '30m', '12h']);

/** A foreign mark as a breakpoint of those dialects, which has no words for how long other services keep a prompt. */
export function breakpointOf({ ttl }: CacheMark): JsonObject {
  return ttl === undefined || !LIVES.has(ttl) ? { mode: 'explicit' } : { mode: 'explicit', ttl };
}

/** Reports what {@link breakpointOf} leaves out of marks that are sent, once for all. */
export function reportLives(sent: readonly (Node & { readonly cache?: CacheMark })[], losses: Losses): void {
  if (sent.some(({ cache }) => !LIVES.has(cache?.ttl))) losses.add(sent[0], 'cache.ttl', 'dropped', UNSAID_LIFE);
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
function keyOfMarks({ tools, instructions }: CanonicalRequest, losses: Losses): string | undefined {
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
