import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Usage } from '../../canonical/response.js';
import type { ServerFlags } from '../../target/server-words.js';
import { countsOtherMedia } from '../../wire/counts.js';
import { isObject } from '../../wire/json.js';
import { bagOf, DIALECT, put, remember, remembered } from '../nodes.js';

/** Keys that the model has fields for; the two of objects for the members named. */
const KNOWN: ReadonlySet<string> = new Set([
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'prompt_tokens_details',
  'completion_tokens_details',
  'prompt_cache_hit_tokens',
  'prompt_cache_miss_tokens',
  'cached_tokens',
  'num_cached_tokens',
  'cache_creation_input_tokens',
]);
const KNOWN_DETAILS: ReadonlySet<string> = new Set([
  'cached_tokens',
  'cache_write_tokens',
  'cache_creation_tokens',
  'created_cache_tokens',
  'reasoning_tokens',
]);

/** Counts of searches that servers make beside the tokens. */
const SEARCHES = ['num_search_queries', 'num_sources_used', 'server_tool_use', 'search_context_size'] as const;

/** Counts of a server, and what of them did not add up. */
export interface CountedUsage {
  readonly usage: Usage;
  /** A sentence for a loss; absent where everything adds up. */
  readonly odd?: string;
}

/**
 * Reads token counts (translation.md 5.3). Some servers count reasoning or sound beside the others, and a cached
 * prefix of their own beside the prompt [H §6.3]. undefined for what holds no counts.
 */
export function decodeUsage(value: unknown, form: ServerFlags['usageForm']): CountedUsage | undefined {
  if (!isObject(value)) return undefined;
  const prompt = countOf(value.prompt_tokens);
  const completion = countOf(value.completion_tokens);
  if (prompt === undefined && completion === undefined) return undefined;
  const total = countOf(value.total_tokens);
  const inside = isObject(value.prompt_tokens_details) ? value.prompt_tokens_details : {};
  const made = isObject(value.completion_tokens_details) ? value.completion_tokens_details : {};
  const cached = first(
    inside.cached_tokens,
    value.prompt_cache_hit_tokens,
    value.cached_tokens,
    value.num_cached_tokens,
  );
  const written = first(
    inside.cache_write_tokens,
    inside.cache_creation_tokens,
    inside.created_cache_tokens,
    value.cache_creation_input_tokens,
  );
  const sums = settleSums(prompt, completion, total, countOf(made.reasoning_tokens), form);
  const cacheRead = atMost(cached, sums.input);
  const room = sums.input === undefined ? undefined : sums.input - (cacheRead ?? 0);
  const cacheWrite = atMost(written, room);
  const odd =
    cacheRead !== cached || cacheWrite !== written ? 'a part of the input was counted larger than the whole' : sums.odd;
  const telemetry = figures(value, inside, made);
  const isPlain = odd === undefined && sums.input === prompt && sums.output === completion;
  const usage: Usage = {
    ...(sums.input !== undefined && { input: sums.input }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(sums.output !== undefined && { output: sums.output }),
    ...(sums.reasoning !== undefined && { reasoning: sums.reasoning }),
    ...((odd !== undefined || countsOtherMedia(inside) || countsOtherMedia(made) || countOf(value.citation_tokens)) && {
      apart: true,
    }),
    ...(SEARCHES.some((key) => Boolean(value[key])) && { fees: true }),
    src: { ptr: '/usage', ...(isPlain ? {} : { raw: { counts: value, sums } }) },
    ...(telemetry !== undefined && { ext: { [DIALECT]: { telemetry } } }),
  };
  return { usage: remember(usage, value), ...(odd !== undefined && { odd }) };
}

interface Sums {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
  readonly odd?: string;
}

/** What is counted beside the prompt and the completion shows in the total. */
function settleSums(
  prompt: number | undefined,
  completion: number | undefined,
  total: number | undefined,
  reasoning: number | undefined,
  form: ServerFlags['usageForm'],
): Sums {
  const plain = { input: prompt, output: completion, reasoning };
  if (prompt === undefined || completion === undefined || total === undefined) return plain;
  const gap = total - prompt - completion;
  if (gap === 0) {
    if (reasoning === undefined || reasoning <= completion) return plain;
    return { ...plain, reasoning: completion, odd: 'more reasoning was counted than output' };
  }
  if (gap > 0 && gap === reasoning) return { ...plain, output: completion + reasoning };
  if (gap > 0 && form === 'gemini') return { ...plain, output: completion + gap, reasoning: gap };
  if (gap > 0 && form === 'mistral') return { ...plain, input: prompt + gap };
  return { ...plain, odd: 'the total is not the sum of input and output' };
}

function first(...values: readonly unknown[]): number | undefined {
  return values.map(countOf).find((count) => count !== undefined);
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function atMost(count: number | undefined, limit: number | undefined): number | undefined {
  return count === undefined || limit === undefined ? count : Math.min(count, Math.max(0, limit));
}

/** Figures that change nothing in the answer, such as times and prices; those that are zero say nothing. */
function figures(usage: JsonObject, inside: JsonObject, made: JsonObject): JsonObject | undefined {
  const found: JsonObject = {};
  const take = (from: JsonObject, known: ReadonlySet<string>): void => {
    for (const key in from) if (!known.has(key) && from[key] !== 0 && from[key] !== null) put(found, key, from[key]);
  };
  take(usage, KNOWN);
  take(inside, KNOWN_DETAILS);
  take(made, KNOWN_DETAILS);
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Counts of this dialect as they came. */
export function encodeOwnUsage(usage: Usage): JsonObject {
  const form = remembered(usage) ?? oddCounts(usage);
  if (form !== undefined) return form;
  const { input = 0, output = 0, cacheRead, cacheWrite, reasoning } = usage;
  const telemetry = bagOf(usage)?.telemetry;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...((cacheRead ?? cacheWrite) !== undefined && {
      prompt_tokens_details: {
        ...(cacheRead !== undefined && { cached_tokens: cacheRead }),
        ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
      },
    }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
    ...(isObject(telemetry) && telemetry),
  };
}

/** Counts that did not add up, as they came, as long as they are the same. */
function oddCounts({ src, input, output, reasoning }: Usage): JsonObject | undefined {
  const { counts, sums } = isObject(src?.raw) ? src.raw : {};
  const isSame = isObject(sums) && sums.input === input && sums.output === output && sums.reasoning === reasoning;
  return isSame && isObject(counts) ? counts : undefined;
}

/** Counts of another service for a client, whose types have every counter: what is not known reads as 0. */
export function encodeForeignUsage(usage: Usage = {}): JsonObject {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cacheRead,
      ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }),
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Reports counts that the backend did not give, and those that have no field here. */
export function reportUsage(usage: Usage = {}, losses: Losses): void {
  if (usage.input === undefined || usage.output === undefined)
    losses.add(usage, 'usage', 'approximated', 'counts that the backend did not report are reported as 0');
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = usage;
  if (cacheRead + cacheWrite > input || reasoning > output)
    losses.add(usage, 'usage', 'approximated', 'a part was larger than its whole');
  const { cacheWrite1h = 0, toolInput = 0, hosted = {} } = usage;
  const untold: string[] = [];
  if (cacheWrite1h > 0) untold.push('cache lifetime');
  if (toolInput > 0) untold.push('input tokens of hosted results');
  if (Object.values(hosted).some((count) => count > 0)) untold.push('number of hosted calls');
  if (untold.length > 0) losses.add(usage, 'usage', 'approximated', `not reported: ${untold.join(', ')}`);
}
