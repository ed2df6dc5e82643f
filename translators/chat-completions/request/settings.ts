import {
  cacheSenders,
  closedToLogprobs,
  idOf,
  keepRest,
  readCacheOptions,
  sameTier,
  topSent,
} from '../../adapt/index.js';
import type { Feature, Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CacheSettings, CanonicalRequest, Sampling } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isSamplingDefault } from '../../target/profile.js';
import type { Target } from '../../target/target.js';
import type { SamplingDefaults } from '../../target/words.js';
import type { Draft as MembersDraft, Sending } from '../../wire/members.js';
import { check, keysOf } from '../nodes.js';
import { serverFlags } from '../servers/index.js';
import * as wire from '../wire/index.js';

/** A request while its members are read. */
export interface Draft extends MembersDraft {
  /** Members that the model holds in another form. */
  readonly raw: JsonObject;
  readonly losses: Losses;
}

/** What the settings of a body for another dialect's request depend on. */
export interface Settled extends EncodeRequestContext {
  /** The model takes no settings of sampling for this request. */
  readonly closed: boolean;
}

type Decision<V> = (value: V, sending: Sending<Settled>, feature: Feature) => unknown;

export const sendStream: Decision<boolean> = (streams, { out, context }) => {
  if (!streams) return undefined;
  if (serverFlags(context.target).streamUsage) out.stream_options = { include_usage: true };
  return true;
};

/** The newer of two caps counts (hard case H-FIELD-01). */
export function readOlderCap(older: number, { out, raw, losses }: Draft): number | undefined {
  if (out.maxOutput === undefined) return older;
  raw.max_tokens = older;
  if (out.maxOutput !== older)
    losses.add('/max_tokens', 'maxOutput', 'approximated', 'max_completion_tokens takes precedence over max_tokens');
  return undefined;
}

/** The cap, in the one of its two members that the server reads. */
export function capIn(key: string): Decision<number> {
  return (wanted, { request, context: { losses, target } }, feature) => {
    if (serverFlags(target).maxTokensField !== key) return undefined;
    const cap = Math.min(Math.max(wanted, target.minOutput ?? 1), target.maxOutput ?? Number.POSITIVE_INFINITY);
    if (cap !== wanted) losses.add(request, feature, 'approximated', `the model's bound is ${cap}`);
    return cap;
  };
}

export function readStop(stop: string | readonly string[], { raw }: Draft): readonly string[] {
  if (typeof stop !== 'string') return stop;
  raw.stop = stop;
  return [stop];
}

export const sendStop: Decision<readonly string[]> = (stop, { request, context }, feature) => {
  const { stopMax } = serverFlags(context.target);
  if (stop.length > stopMax && context.cutsStop === true)
    context.losses.add(request, feature, 'approximated', 'the answer is cut at the stop strings afterwards');
  else if (stop.length > stopMax)
    context.losses.add(request, feature, 'dropped', `the model takes ${stopMax} stop strings`);
  return stop.length > 0 && stopMax > 0 ? stop.slice(0, stopMax) : undefined;
};

/** Values that say the same as nothing, where they cannot be sent (translation.md 2.11). */
const NEUTRAL: Readonly<Record<keyof Sampling, number | undefined>> = {
  temperature: 1,
  topP: 1,
  topK: undefined,
  seed: undefined,
  presencePenalty: 0,
  frequencyPenalty: 0,
};

const DEFAULTS: ReadonlySet<string> = new Set<keyof SamplingDefaults>(['temperature', 'topP', 'topK']);

/** A setting of sampling by what the model takes (translation.md 2.11); `key`: the one of several members that has it. */
export function sampled(field: keyof Sampling, key?: string): Decision<number> {
  return (value, { request, context }, feature) => {
    const { target, losses } = context;
    const { seedField, maxTemperature } = serverFlags(target);
    if (key !== undefined && key !== (seedField === 'none' ? 'seed' : seedField)) return undefined;
    if (!isBarred(field, request, context)) {
      if (field !== 'temperature' || value <= maxTemperature) return value;
      losses.add(request, feature, 'approximated', `temperatures go up to ${maxTemperature}`);
      return maxTemperature;
    }
    if (value !== NEUTRAL[field] && !isDefault(target, field, value))
      losses.add(request, feature, 'dropped', 'the model does not support it');
    return undefined;
  };
}

function isBarred(field: keyof Sampling, { sampling }: CanonicalRequest, { closed, target }: Settled): boolean {
  if (field === 'seed') return serverFlags(target).seedField === 'none';
  if (closed) return true;
  switch (field) {
    case 'temperature':
      return false;
    case 'topP':
      return sampling?.temperature !== undefined && target.sampling.includes('temp-xor-topP');
    case 'topK':
      return target.sampling.includes('no-topK');
    default:
      return target.sampling.includes('no-penalties');
  }
}

function isDefault(target: Target, field: keyof Sampling, value: number): boolean {
  return DEFAULTS.has(field) && isSamplingDefault(target, field as keyof SamplingDefaults, value);
}

type Logprobs = NonNullable<CanonicalRequest['logprobs']>;

/** The number of candidates says nothing where no log probabilities are asked for. */
export function readTopLogprobs(top: number, { out, raw }: Draft): undefined {
  if (out.logprobs === undefined) raw.top_logprobs = top;
  else out.logprobs = { top };
}

/** Log probabilities belong to sampling: a model that takes no settings of it gives none [H §2.2]. */
export const sendLogprobs: Decision<Logprobs> = (_logprobs, { request, context }, feature) => {
  const { closed, losses, target } = context;
  if (!closed && serverFlags(target).logprobs) return true;
  losses.add(
    request,
    feature,
    'dropped',
    closed ? closedToLogprobs(target) : 'the server returns no log probabilities',
  );
  return undefined;
};

export const sendTopLogprobs: Decision<Logprobs> = ({ top }, { out, request, context }) =>
  top === undefined || out.logprobs === undefined ? undefined : topSent(top, 'the server', request, context.losses);

export function readModalities(modalities: readonly string[], { raw }: Draft): readonly string[] | undefined {
  raw.modalities = modalities;
  return modalities.some((word) => word !== 'text') ? modalities.map((word) => word.toLowerCase()) : undefined;
}

/** The id of the user has two members; the other one stays with its dialect. */
export function readUser(user: string, { out, bag }: Draft): string | undefined {
  if (out.user === undefined) return user || undefined;
  if (user !== '') bag.user = user;
  return undefined;
}

export function readSafetyId(id: string): string | undefined {
  return id || undefined;
}

/** The value, where the server has the fields of the vendor of the protocol: some refuse them. */
function ofVendor<V>(encode: Decision<V>): Decision<V> {
  return (value, sending, feature) => {
    const { request, context } = sending;
    if (serverFlags(context.target).vendorFields) return encode(value, sending, feature);
    context.losses.add(request, feature, 'dropped', 'not supported by the server');
    return undefined;
  };
}

const sendId: Decision<string> = (id, { request, context }, feature) => idOf(id, request, feature, context.losses);

export const sendUser = ofVendor(sendId);

const sendAny = ofVendor<unknown>((value) => value);

export const sendMetadata: Decision<Readonly<Record<string, string>>> = (metadata, sending, feature) =>
  Object.keys(metadata).length > 0 ? sendAny(metadata, sending, feature) : undefined;

export const sendVerbosity: Decision<string> = (verbosity, sending, feature) =>
  verbosity === 'medium' ? undefined : sendAny(verbosity, sending, feature);

const CACHE_OPTIONS = keysOf(wire.cacheOptions);

/** The settings of the cache in `prompt_cache_options`. */
export function readOptions(options: JsonObject, { out, bag }: Draft): CacheSettings {
  keepRest(bag, 'prompt_cache_options', options, CACHE_OPTIONS);
  return readCacheOptions(out.cache, check(wire.cacheOptions, options, '/prompt_cache_options'));
}

export const { sendCacheKey, keyOfPrompt, sendRetention, sendCacheOptions } = cacheSenders<Settled>({
  takesKey: ({ target }) => serverFlags(target).promptCacheKey,
  takesMadeKey: ({ target }) => serverFlags(target).promptCacheKey,
  saysLife: ({ sameVendor, target }) => sameVendor === true && serverFlags(target).vendorFields,
});

export const sendTier: Decision<NonNullable<CanonicalRequest['tier']>> = (tier, sending, feature) => {
  const word = tierWord(tier, sending.context);
  if (word === 'auto') return undefined;
  if (word !== undefined) return sendAny(word, sending, feature);
  sending.context.losses.add(sending.request, feature, 'dropped', 'not supported by the server');
  return undefined;
};

function tierWord({ value }: NonNullable<CanonicalRequest['tier']>, { sameVendor }: Settled): string | undefined {
  const word = value.toLowerCase();
  if (sameVendor === true) return sameTier(word);
  return word === 'flex' || word === 'priority' || word === 'auto' ? word : undefined;
}
