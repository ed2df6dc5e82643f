import type { JsonObject } from '../canonical/node.js';
import type { Usage } from '../canonical/response.js';
import { isObject } from '../wire/json.js';
import { hasShape, keep, keysOf, type Mutable, restore, stow } from './nodes.js';
import * as wire from './wire.js';

const USAGE = keysOf(wire.usage);
const COUNTERS = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const;

/**
 * Token counts of an answer (translation.md 5.3): the wire's input leaves the cache out, the model's holds everything.
 * What is no number counts as not said.
 */
export function decodeUsage(node: JsonObject, ptr: string): Usage {
  const uncached = count(node.input_tokens);
  const cacheRead = count(node.cache_read_input_tokens);
  const cacheWrite = count(node.cache_creation_input_tokens);
  let kept = keep(node, USAGE, ptr);
  const out: Mutable<Usage> = {};
  if (uncached !== undefined) out.input = uncached + (cacheRead ?? 0) + (cacheWrite ?? 0);
  if (cacheRead !== undefined) out.cacheRead = cacheRead;
  if (cacheWrite !== undefined) out.cacheWrite = cacheWrite;
  const output = count(node.output_tokens);
  if (output !== undefined) out.output = output;
  for (const key of ['cache_creation', 'output_tokens_details', 'server_tool_use'] as const) {
    const value = node[key];
    if (isObject(value) && !readDetails(out, key, value, cacheWrite)) kept = stow(kept, key, value);
  }
  for (const key of COUNTERS) {
    const value = node[key];
    if (value !== undefined && value !== null && count(value) === undefined) kept = stow(kept, key, value);
  }
  // The tier is told beside the counts, and belongs to the answer.
  if (typeof node.service_tier === 'string')
    kept = { ...kept, src: { ptr, shape: [...(kept.src.shape ?? []), 'tier'] } };
  return { ...out, ...kept };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Reads one object of details; false when it says more than the model holds. */
function readDetails(
  out: Mutable<Usage>,
  key: 'cache_creation' | 'output_tokens_details' | 'server_tool_use',
  value: JsonObject,
  cacheWrite: number | undefined,
): boolean {
  const known = Object.keys(value).length;
  switch (key) {
    case 'cache_creation': {
      const long = count(value.ephemeral_1h_input_tokens);
      const short = count(value.ephemeral_5m_input_tokens);
      if (long !== undefined) out.cacheWrite1h = long;
      return known === 2 && long !== undefined && short === (cacheWrite ?? -1) - long;
    }
    case 'output_tokens_details': {
      const thinking = count(value.thinking_tokens);
      if (thinking !== undefined) out.reasoning = thinking;
      return known === 1 && thinking !== undefined;
    }
    case 'server_tool_use': {
      const webSearch = count(value.web_search_requests);
      const webFetch = count(value.web_fetch_requests);
      const found = { ...(webSearch !== undefined && { webSearch }), ...(webFetch !== undefined && { webFetch }) };
      out.hosted = found;
      return known === Object.keys(found).length;
    }
  }
}

/** The tier that is told beside the counts. */
export function tierOf(node: JsonObject): string | undefined {
  return typeof node.service_tier === 'string' ? node.service_tier : undefined;
}

/** Counts of this dialect as they came. */
export function encodeOwnUsage(usage: Usage, tier: string | undefined): JsonObject {
  const out: JsonObject = {};
  if (usage.input !== undefined) {
    out.input_tokens = usage.input - (usage.cacheRead ?? 0) - (usage.cacheWrite ?? 0);
  }
  if (usage.cacheWrite !== undefined) out.cache_creation_input_tokens = usage.cacheWrite;
  if (usage.cacheRead !== undefined) out.cache_read_input_tokens = usage.cacheRead;
  if (usage.output !== undefined) out.output_tokens = usage.output;
  addDetails(out, usage);
  if (tier !== undefined && hasShape(usage, 'tier')) out.service_tier = tier;
  return restore(out, usage);
}

function addDetails(out: JsonObject, { cacheWrite, cacheWrite1h, reasoning, hosted }: Usage): void {
  if (cacheWrite1h !== undefined) {
    out.cache_creation = {
      ephemeral_5m_input_tokens: Math.max(0, (cacheWrite ?? cacheWrite1h) - cacheWrite1h),
      ephemeral_1h_input_tokens: cacheWrite1h,
    };
  }
  if (reasoning !== undefined) out.output_tokens_details = { thinking_tokens: reasoning };
  if (hosted === undefined) return;
  const { webSearch, webFetch } = hosted;
  if (webSearch === undefined && webFetch === undefined) return;
  out.server_tool_use = {
    ...(webSearch !== undefined && { web_search_requests: webSearch }),
    ...(webFetch !== undefined && { web_fetch_requests: webFetch }),
  };
}

/** Counts of another service. The four basic counters are always there; `exact` is false when one had to be clamped. */
export function encodeForeignUsage(usage: Usage): { readonly node: JsonObject; readonly exact: boolean } {
  const read = usage.cacheRead ?? 0;
  const written = usage.cacheWrite ?? 0;
  const rest = (usage.input ?? 0) - read - written;
  const node: JsonObject = {
    input_tokens: Math.max(0, rest),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: usage.output ?? 0,
  };
  addDetails(node, usage);
  // Clients count on both numbers where there is one of them [M §4.3].
  if (isObject(node.server_tool_use))
    node.server_tool_use = { web_search_requests: 0, web_fetch_requests: 0, ...node.server_tool_use };
  return { node, exact: rest >= 0 || usage.input === undefined };
}
