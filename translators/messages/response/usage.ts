import { furtherKeys } from '../../adapt/index.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Usage } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { keep, keysOf, type Mutable, remembered, restore, withExtra } from '../nodes.js';
import type { HostedCounts } from '../tools/hosted/report.js';
import * as wire from '../wire/index.js';

const USAGE = keysOf(wire.usage);
const COUNTERS = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const;

/**
 * Token counts of an answer (translation.md 5.3): the wire's input leaves the cache out, the model's holds everything.
 * What is no number counts as absent.
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
    if (!isObject(value) || decodeDetails(out, key, value, cacheWrite)) continue;
    const further = Object.keys(value).filter((name) => key === 'cache_creation' || !DETAILS.has(name));
    kept = withExtra(kept, key, furtherKeys({ ...value }, `${ptr}/${key}`, further));
  }
  for (const key of COUNTERS) {
    const value = node[key];
    if (value !== undefined && value !== null && count(value) === undefined) kept = withExtra(kept, key, value);
  }
  if (isApart(node)) out.apart = true;
  return { ...out, ...kept };
}

/** Words for a region and a speed that have the common price. */
const COMMON: ReadonlySet<unknown> = new Set([undefined, null, 'not_available', 'global', 'standard']);

/** Beside sampling, steps such as a compaction or an advisor's answer are billed that the counts leave out. */
function isApart(usage: JsonObject): boolean {
  const { inference_geo: geo, speed, iterations, cache_creation: written } = usage;
  if (!COMMON.has(geo) || !COMMON.has(speed)) return true;
  if (isObject(written)) {
    const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } = written;
    if ((count(short) ?? 0) + (count(long) ?? 0) !== (count(usage.cache_creation_input_tokens) ?? 0)) return true;
  }
  return Array.isArray(iterations) && iterations.some((step) => isObject(step) && step.type !== 'message');
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** What the model has fields for of details; those of writes to the cache are kept only where they do not add up. */
const DETAILS: ReadonlySet<string> = new Set(['thinking_tokens', 'web_search_requests', 'web_fetch_requests']);

/** Reads one object of details; false when it holds more than the model has fields for. */
function decodeDetails(
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

/** The tier, which is among the counts. */
export function tierOf(node: JsonObject): string | undefined {
  return typeof node.service_tier === 'string' ? node.service_tier : undefined;
}

/** Counts of this dialect as they came. */
export function encodeOwnUsage(usage: Usage, tier: string | undefined): JsonObject {
  const form = remembered(usage);
  if (form !== undefined) return form;
  const out: JsonObject = {};
  if (usage.input !== undefined) {
    out.input_tokens = usage.input - (usage.cacheRead ?? 0) - (usage.cacheWrite ?? 0);
  }
  if (usage.cacheWrite !== undefined) out.cache_creation_input_tokens = usage.cacheWrite;
  if (usage.cacheRead !== undefined) out.cache_read_input_tokens = usage.cacheRead;
  if (usage.output !== undefined) out.output_tokens = usage.output;
  Object.assign(out, detailsOf(usage));
  if (tier !== undefined) out.service_tier = tier;
  return restore(out, usage);
}

function detailsOf({ cacheWrite, cacheWrite1h, reasoning, hosted }: Usage): JsonObject {
  const out: JsonObject = {};
  if (cacheWrite1h !== undefined) {
    out.cache_creation = {
      ephemeral_5m_input_tokens: Math.max(0, (cacheWrite ?? cacheWrite1h) - cacheWrite1h),
      ephemeral_1h_input_tokens: cacheWrite1h,
    };
  }
  if (reasoning !== undefined) out.output_tokens_details = { thinking_tokens: reasoning };
  const { webSearch, webFetch } = hosted ?? {};
  if (webSearch !== undefined || webFetch !== undefined) {
    out.server_tool_use = {
      ...(webSearch !== undefined && { web_search_requests: webSearch }),
      ...(webFetch !== undefined && { web_fetch_requests: webFetch }),
    };
  }
  return out;
}

/**
 * Counts of another service, as the last event of a stream has them [M §5.5]. The four basic counters are always there;
 * `exact` is false when one had to be clamped. Clients' types want every key.
 */
export function encodeForeignUsage(usage: Usage): { readonly node: JsonObject; readonly exact: boolean } {
  const read = usage.cacheRead ?? 0;
  const written = usage.cacheWrite ?? 0;
  const rest = (usage.input ?? 0) - read - written;
  const { output_tokens_details = null, server_tool_use: calls } = detailsOf(usage);
  const node: JsonObject = {
    input_tokens: Math.max(0, rest),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: usage.output ?? 0,
    output_tokens_details,
    // Clients count on both numbers where there is one of them [M §4.3].
    server_tool_use: isObject(calls) ? { web_search_requests: 0, web_fetch_requests: 0, ...calls } : null,
  };
  return { node, exact: rest >= 0 || usage.input === undefined };
}

/**
 * Counts of another service for a client, without what {@link usageExtras} adds. A counter that is required and unknown reads as 0 (translation.md 5.3); hosted
 * calls that the backend did not count are those in `shown`.
 */
export function countForClient(usage: Usage, shown: HostedCounts, losses: Losses): JsonObject {
  const { node, exact } = encodeForeignUsage({ ...usage, hosted: hostedOf(usage, shown, losses) });
  if (!exact)
    losses.add('', 'usage', 'approximated', 'cached tokens exceed the input; uncached input is reported as 0');
  if ((usage.toolInput ?? 0) > 0)
    losses.add('', 'usage', 'approximated', 'the input tokens of tool results are not reported separately');
  if (usage.input === undefined)
    losses.add('', 'usage.input', 'invented', 'the backend reported no count; reported as 0');
  if (usage.output === undefined)
    losses.add('', 'usage.output', 'invented', 'the backend reported no count; reported as 0');
  return node;
}

function hostedOf({ hosted }: Usage, shown: HostedCounts, losses: Losses): Usage['hosted'] {
  const searches = hosted?.webSearch === undefined && shown.webSearch > 0;
  const fetches = hosted?.webFetch === undefined && shown.webFetch > 0;
  if (!searches && !fetches) return hosted;
  losses.add('', 'usage', 'invented', 'the backend did not count hosted calls; those in the answer are counted');
  return { ...hosted, ...(searches && { webSearch: shown.webSearch }), ...(fetches && { webFetch: shown.webFetch }) };
}

/** What whole answers and first events of a stream have in addition to the counts of its last event. */
export function usageExtras(usage: Usage, tier: string | undefined): JsonObject {
  const { cache_creation = null } = detailsOf(usage);
  return { cache_creation, inference_geo: null, service_tier: encodeTier(tier) ?? null, speed: null };
}

/** What every answer to a call of the beta has among its counts [M §4.3]. */
export function betaCounts({ asksBeta }: Pick<EncodeResponseContext, 'asksBeta'>): JsonObject {
  return asksBeta === true ? { fallback_credit: null, iterations: null } : {};
}

/**
 * Reports a tier that the client does not see: it has no word, or is known only after the first event of a stream, which
 * alone can hold it [M §5.5] and held `sent`. The standard tier is the one that is assumed.
 */
export function reportTier(tier: string | undefined, sent: string | undefined, losses: Losses): void {
  const word = encodeTier(tier);
  if (tier === undefined || (word ?? '') === (encodeTier(sent) ?? 'standard')) return;
  losses.add(
    '',
    'tier',
    'dropped',
    word === undefined ? 'the target has no such tier' : 'only the first event can report the service tier',
  );
}

/** Words for the tier that was used [M §4.3]; undefined for tiers of other services that have none. */
function encodeTier(tier: string | undefined): string | undefined {
  const word = tier?.toLowerCase();
  if (word === 'default' || word === 'standard') return 'standard';
  return word === 'priority' || word === 'batch' ? word : undefined;
}
