import type { JsonObject } from '../canonical/node.js';
import type { CacheSettings, CanonicalRequest } from '../canonical/request.js';

/** How one vendor's dialects are told to cache the prompt [R §2.1, H §2.1]. */
export interface PromptCacheFields {
  readonly prompt_cache_key?: string | null | undefined;
  readonly prompt_cache_retention?: string | null | undefined;
}

/** The settings in those fields; `options` is `prompt_cache_options`, checked. */
export function decodePromptCache(
  { prompt_cache_key: key, prompt_cache_retention: retention }: PromptCacheFields,
  options: { readonly mode?: string | null | undefined; readonly ttl?: string | null | undefined } | undefined,
): CacheSettings | undefined {
  if (!key && !retention && options === undefined) return undefined;
  return {
    ...(key && { key }),
    ...(retention && { auto: true }),
    ...(retention === '24h' && { ttl: retention }),
    ...(options !== undefined && { auto: options.mode !== 'explicit' }),
    ...(options?.ttl && { ttl: options.ttl }),
  };
}

/** The fields for settings; a retention goes back to where it came from. */
export function encodePromptCache({ cache, at }: Pick<CanonicalRequest, 'cache' | 'at'>): JsonObject {
  const key = cache?.key !== undefined && { prompt_cache_key: cache.key };
  if (cache?.auto === undefined) return { ...key };
  if (at?.['cache.ttl'] === '/prompt_cache_retention')
    return { ...key, prompt_cache_retention: cache.ttl ?? 'in_memory' };
  const options = { ...(!cache.auto && { mode: 'explicit' }), ...(cache.ttl !== undefined && { ttl: cache.ttl }) };
  return { ...key, prompt_cache_options: options };
}

/** Tiers of service that the dialects of that vendor have alike. */
const TIERS: ReadonlySet<string> = new Set(['auto', 'default', 'flex', 'scale', 'priority']);

/** The word for a tier that another dialect of the same vendor named; undefined for one that only that dialect has. */
export function sameTier(word: string): string | undefined {
  return TIERS.has(word) ? word : undefined;
}
