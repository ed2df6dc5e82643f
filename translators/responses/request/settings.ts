import { decodePromptCache, encodePromptCache, furtherKeys, keyOfMarks, sameTier } from '../../adapt/index.js';
import type { Feature } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CacheSettings, CanonicalRequest, StateSettings } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isSamplingDefault } from '../../target/profile.js';
import type { Profile } from '../../target/words.js';
import { hash32 } from '../../wire/hash.js';
import { isObject } from '../../wire/json.js';
import { bagOf, check, DIALECT, type Reader } from '../nodes.js';
import * as wire from '../wire/index.js';
import { reasons } from './reasoning.js';

/** Fields of the prompt cache. */
export function decodeCache(
  body: wire.Request,
  reader: Reader,
): { cache: CacheSettings | undefined; extra: JsonObject } {
  const { prompt_cache_options: options } = body;
  const checked = options ? check(wire.cacheOptions, options, '/prompt_cache_options', reader) : undefined;
  const { mode: _mode, ttl: _ttl, ...rest } = options ?? {};
  const extra =
    Object.keys(rest).length === 0 ? {} : { prompt_cache_options: furtherKeys(rest, '/prompt_cache_options') };
  return { cache: decodePromptCache(body, checked), extra };
}

/** The fields as they came. */
export function encodeOwnCache(request: CanonicalRequest, body: JsonObject): void {
  Object.assign(body, encodePromptCache(request));
  const rest = bagOf(request)?.prompt_cache_options;
  if (isObject(body.prompt_cache_options) && isObject(rest)) Object.assign(body.prompt_cache_options, rest);
}

/** What the service keeps for this request. */
export function decodeState(body: wire.Request): {
  state: StateSettings | undefined;
  extra: JsonObject;
} {
  const extra: JsonObject = {};
  const state: { -readonly [K in keyof StateSettings]: StateSettings[K] } = {};
  if (body.previous_response_id) state.previousId = body.previous_response_id;
  const { conversation } = body;
  if (typeof conversation === 'string') state.conversation = conversation;
  else if (conversation && typeof conversation.id === 'string') {
    state.conversation = conversation.id;
    if (Object.keys(conversation).length > 1) extra.conversation = conversation;
  } else if (conversation) extra.conversation = conversation;
  if (typeof body.store === 'boolean') state.store = body.store;
  if (typeof body.background === 'boolean') state.background = body.background;
  if (body.prompt) state.template = body.prompt;
  return { state: Object.keys(state).length === 0 ? undefined : state, extra };
}

/** The fields as they came. */
export function encodeOwnState(request: CanonicalRequest, body: JsonObject): void {
  const { state } = request;
  if (state === undefined) return;
  if (state.previousId !== undefined) body.previous_response_id = state.previousId;
  if (state.conversation !== undefined) body.conversation = state.conversation;
  if (state.store !== undefined) body.store = state.store;
  if (state.background !== undefined) body.background = state.background;
  if (state.template !== undefined) body.prompt = state.template;
}

/** Other dialects of the vendor of this one, whose words for caches and tiers are the same (translation.md 2.2). */
const SAME_VENDOR: ReadonlySet<string> = new Set(['chatCompletions']);

/** The tier word of this dialect for a foreign one (translation.md 2.2); undefined when there is none. */
function foreignTier(request: CanonicalRequest, context: EncodeRequestContext): string | undefined {
  const { tier } = request;
  if (tier === undefined) return undefined;
  if (tier.dialect === DIALECT) return tier.value;
  const word = tier.value.toLowerCase();
  const same = SAME_VENDOR.has(tier.dialect) ? sameTier(word) : undefined;
  if (same !== undefined) return same;
  if (word === 'flex' || word === 'priority') return word;
  if (word !== 'auto')
    context.losses.add(request.at?.tier ?? '', 'tier', 'dropped', 'a service tier of another vendor');
  return undefined;
}

type Added = NonNullable<Profile['addedSettings']>[number];

/** Sampling by what the model takes (translation.md 2.11). */
export function encodeSampling(request: CanonicalRequest, context: EncodeRequestContext, body: JsonObject): void {
  const { losses, profile } = context;
  const at = request.at ?? {};
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty } = request.sampling ?? {};
  const fixed = fixesSampling(request, context);
  const send = (value: number | undefined, name: 'temperature' | 'topP', key: string): void => {
    if (value === undefined) return;
    const feature: Feature = `sampling.${name}`;
    if (!fixed) body[key] = value;
    else if (value !== 1 && !isSamplingDefault(profile, name, value))
      losses.add(at[feature] ?? '', feature, 'dropped', 'the model takes no sampling settings');
  };
  send(temperature, 'temperature', 'temperature');
  send(topP, 'topP', 'top_p');
  const { addedSettings = [] } = profile;
  const more = (setting: Added, value: number | undefined, feature: Feature, key: string, neutral?: number): void => {
    if (value === undefined) return;
    if (addedSettings.includes(setting) && !fixed) body[key] = value;
    else if (value !== neutral) losses.add(at[feature] ?? '', feature, 'dropped', 'there is no such field here');
  };
  const isUsual = topK !== undefined && isSamplingDefault(profile, 'topK', topK);
  more('topK', topK, 'sampling.topK', 'top_k', isUsual ? topK : 0);
  more('seed', seed, 'sampling.seed', 'seed');
  more('penalties', presencePenalty, 'sampling.presencePenalty', 'presence_penalty', 0);
  more('penalties', frequencyPenalty, 'sampling.frequencyPenalty', 'frequency_penalty', 0);
  if (request.stop !== undefined && request.stop.length > 0) {
    if (addedSettings.includes('stop')) body.stop = request.stop;
    else if (context.cutsStop === true)
      losses.add(at.stop ?? '', 'stop', 'approximated', 'the answer is cut behind the model');
    else losses.add(at.stop ?? '', 'stop', 'dropped', 'there is no such field here');
  }
}

/** Whether the model takes no sampling for this request: newer ones do only when reasoning is switched off [R §3.16]. */
function fixesSampling(request: CanonicalRequest, context: EncodeRequestContext): boolean {
  const { sampling } = context.profile;
  return sampling.includes('none') || (sampling.includes('none-when-reasoning') && !sendsNoEffort(request, context));
}

function sendsNoEffort({ reasoning }: CanonicalRequest, { profile }: EncodeRequestContext): boolean {
  if (reasoning?.mode === 'off') return profile.thinking.canDisable;
  return reasoning?.mode !== 'on' && !profile.thinking.defaultOn;
}

export function encodeCaps(request: CanonicalRequest, context: EncodeRequestContext, body: JsonObject): void {
  const { losses, profile } = context;
  const { maxOutput, maxToolCalls, logprobs, at } = request;
  if (maxOutput !== undefined) {
    const capped = Math.min(Math.max(maxOutput, profile.minOutput ?? 1), profile.maxOutput ?? Number.POSITIVE_INFINITY);
    if (capped !== maxOutput)
      losses.add(at?.maxOutput ?? '', 'maxOutput', 'approximated', `the model's bound is ${capped}`);
    body.max_output_tokens = capped;
  }
  if (maxToolCalls !== undefined) body.max_tool_calls = maxToolCalls;
  if (logprobs !== undefined && fixesSampling(request, context))
    losses.add(at?.logprobs ?? '', 'logprobs', 'dropped', 'a model that reasons gives no log probabilities');
  else if (logprobs !== undefined) {
    const { top = 0 } = logprobs;
    if (top > MAX_LOGPROBS)
      losses.add(at?.logprobs ?? '', 'logprobs', 'approximated', `the service gives at most ${MAX_LOGPROBS}`);
    body.top_logprobs = Math.min(top, MAX_LOGPROBS);
  }
}

const MAX_LOGPROBS = 20;
const LONGEST_ID = 64;

export function encodeIdentity(request: CanonicalRequest, context: EncodeRequestContext, body: JsonObject): void {
  const { losses, profile } = context;
  const { user, cache, metadata, at } = request;
  const shortened = (value: string, feature: Feature): string => {
    if (value.length <= LONGEST_ID) return value;
    losses.add(at?.[feature] ?? '', feature, 'approximated', 'too long, so its hash is sent');
    return hash32(value, 52);
  };
  if (user !== undefined) body.safety_identifier = shortened(user, 'user');
  if (cache?.key !== undefined) {
    if (at?.['cache.key'] === undefined || at['cache.key'] === at.user)
      losses.add(at?.user ?? '', 'cache.key', 'invented', 'taken from the id of the user');
    body.prompt_cache_key = shortened(cache.key, 'cache.key');
  } else if (profile.cacheKey === true && !SAME_VENDOR.has(request.source)) {
    const made = keyOfMarks(request, losses);
    if (made !== undefined) body.prompt_cache_key = made;
  }
  if (SAME_VENDOR.has(request.source))
    Object.assign(body, encodePromptCache({ cache: { ...cache, key: undefined }, at }));
  else if (cache?.ttl !== undefined)
    losses.add(at?.['cache.ttl'] ?? at?.cache ?? '', 'cache.ttl', 'dropped', 'the service decides how long');
  if (metadata !== undefined) body.metadata = metadata;
  const tier = foreignTier(request, context);
  if (tier !== undefined) body.service_tier = tier;
}

export function dropRest(
  { speech, safety, truncate, at, toolChoice }: CanonicalRequest,
  { losses, truncates }: EncodeRequestContext,
): void {
  if (speech !== undefined) losses.add(at?.speech ?? '', 'speech', 'dropped', 'the target does not speak');
  if (safety !== undefined && safety.length > 0)
    losses.add(at?.safety ?? '', 'safety', 'dropped', 'filters cannot be set');
  if (truncate === true && truncates !== true)
    losses.add(at?.truncate ?? '', 'truncate', 'dropped', 'old input is not dropped');
  if (toolChoice?.validated === true) {
    losses.add(toolChoice.src?.ptr ?? '', 'toolChoice', 'approximated', 'calls are held to schemas tool by tool');
  }
}

export function includes(request: CanonicalRequest, context: EncodeRequestContext, body: JsonObject): string[] {
  const include: string[] = [];
  if (reasons(request, context)) include.push('reasoning.encrypted_content');
  if (body.top_logprobs !== undefined) include.push('message.output_text.logprobs');
  return include;
}
