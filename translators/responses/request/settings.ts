import {
  cacheSenders,
  closedToLogprobs,
  idOf,
  keepRest,
  readCacheOptions,
  sameTier,
  topSent,
} from '../../adapt/index.js';
import type { Feature } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CacheSettings, CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isSamplingDefault } from '../../target/profile.js';
import type { Target } from '../../target/target.js';
import type { Draft, Sending } from '../../wire/members.js';
import { check, DIALECT, keysOf } from '../nodes.js';
import * as wire from '../wire/index.js';
import { reasons } from './reasoning.js';

/** The word by which log probabilities are asked for. */
export const LOGPROBS = 'message.output_text.logprobs';
export const ENCRYPTED = 'reasoning.encrypted_content';

const CACHE_OPTIONS = keysOf(wire.cacheOptions);

/** The settings of the cache in `prompt_cache_options`. */
export function readOptions(options: JsonObject, { out, bag }: Draft): CacheSettings {
  keepRest(bag, 'prompt_cache_options', options, CACHE_OPTIONS);
  return readCacheOptions(out.cache, check(wire.cacheOptions, options, '/prompt_cache_options'));
}

/** The id of a conversation; what else its object holds stays in the bag. */
export function readConversation(given: string | JsonObject, { bag }: Draft): string | undefined {
  if (typeof given === 'string') return given;
  const { id } = given;
  if (typeof id !== 'string' || Object.keys(given).length > 1) bag.conversation = given;
  return typeof id === 'string' ? id : undefined;
}

/** What else the answer is to hold. */
export function readInclude(words: readonly string[], { out }: Draft): readonly string[] {
  if (words.includes(LOGPROBS)) out.logprobs ??= {};
  return words;
}

/** Whether old input may be dropped; words that nobody knows stay in the bag. */
export function readTruncation(how: string, { bag }: Draft): boolean | undefined {
  if (how === 'auto' || how === 'disabled') return how === 'auto';
  if (how !== '') bag.truncation = how;
  return undefined;
}

type Decision<V> = (value: V, sending: Sending<EncodeRequestContext>, feature: Feature) => unknown;

/** Sampling by what the model takes (translation.md 2.11). */
function sendSampled(name: 'temperature' | 'topP'): Decision<number> {
  return (value, { request, context }, feature) => {
    if (!fixesSampling(request, context)) return value;
    if (value !== 1 && !isSamplingDefault(context.target, name, value))
      context.losses.add(request, feature, 'dropped', 'the model does not support sampling settings');
    return undefined;
  };
}

export const sendTemperature = sendSampled('temperature');
export const sendTopP = sendSampled('topP');

type Added = NonNullable<Target['addedSettings']>[number];

/** A setting that some hosts add to the dialect. `neutral`: the value that says no more than its absence. */
export function sendAdded(setting: Added, neutral?: number): Decision<number> {
  return (value, { request, context }, feature) => {
    const { target, losses } = context;
    if (target.addedSettings?.includes(setting) === true && !fixesSampling(request, context)) return value;
    const isUsual = setting === 'topK' && isSamplingDefault(target, 'topK', value);
    if (value !== neutral && !isUsual) losses.add(request, feature, 'dropped', 'not supported by the service');
    return undefined;
  };
}

export const sendStop: Decision<readonly string[]> = (stop, { request, context }, feature) => {
  if (stop.length === 0) return undefined;
  if (context.target.addedSettings?.includes('stop') === true) return stop;
  if (context.cutsStop === true)
    context.losses.add(request, feature, 'approximated', 'the answer is cut at the stop strings afterwards');
  else context.losses.add(request, feature, 'dropped', 'not supported by the service');
  return undefined;
};

/** Whether the model takes no settings of sampling for this request: newer ones do only when reasoning is switched off [R §3.16]. */
function fixesSampling(request: CanonicalRequest, context: EncodeRequestContext): boolean {
  const { sampling } = context.target;
  return sampling.includes('none') || (sampling.includes('none-when-reasoning') && !sendsNoEffort(request, context));
}

function sendsNoEffort({ reasoning }: CanonicalRequest, { target }: EncodeRequestContext): boolean {
  if (reasoning?.mode === 'off') return target.thinking.canDisable;
  return reasoning?.mode !== 'on' && !target.thinking.defaultOn;
}

export const sendCap: Decision<number> = (cap, { request, context: { losses, target } }, feature) => {
  const capped = Math.min(Math.max(cap, target.minOutput ?? 1), target.maxOutput ?? Number.POSITIVE_INFINITY);
  if (capped !== cap) losses.add(request, feature, 'approximated', `the model's bound is ${capped}`);
  return capped;
};

export const sendLogprobs: Decision<{ readonly top?: number }> = ({ top = 0 }, { request, context }, feature) => {
  if (fixesSampling(request, context)) {
    context.losses.add(request, feature, 'dropped', closedToLogprobs(context.target));
    return undefined;
  }
  return topSent(top, 'the service', request, context.losses);
};

export const sendId: Decision<string> = (id, { request, context }, feature) =>
  idOf(id, request, feature, context.losses);

export const { sendCacheKey, keyOfPrompt, sendRetention, sendCacheOptions } = cacheSenders<EncodeRequestContext>({
  takesKey: () => true,
  takesMadeKey: ({ target }) => target.cacheKey === true,
  saysLife: ({ sameVendor }) => sameVendor === true,
});

/** The tier word of this dialect for a foreign one (translation.md 2.2). */
export const sendTier: Decision<NonNullable<CanonicalRequest['tier']>> = (tier, { request, context }, feature) => {
  if (tier.dialect === DIALECT) return tier.value;
  const word = tier.value.toLowerCase();
  const same = context.sameVendor === true ? sameTier(word) : undefined;
  if (same !== undefined) return same;
  if (word === 'flex' || word === 'priority') return word;
  if (word !== 'auto') context.losses.add(request, feature, 'dropped', 'a service tier of another vendor');
  return undefined;
};

export const sendTruncation: Decision<boolean> = (truncates, { request, context }, feature) => {
  if (truncates && context.truncates !== true)
    context.losses.add(request, feature, 'dropped', 'input is not truncated');
  return undefined;
};

/** What the answer has to hold beside its text. */
export function includes(request: CanonicalRequest, context: EncodeRequestContext, body: JsonObject): string[] {
  const include: string[] = [];
  if (reasons(request, context)) include.push(ENCRYPTED);
  if (body.top_logprobs !== undefined) include.push(LOGPROBS);
  return include;
}
