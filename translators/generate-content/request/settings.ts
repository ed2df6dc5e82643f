import { topSent } from '../../adapt/index.js';
import type { CanonicalRequest, Sampling } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isSamplingDefault } from '../../target/profile.js';
import type { Target } from '../../target/target.js';
import { lookUp } from '../../wire/json.js';
import type { Draft as MembersDraft, Sending } from '../../wire/members.js';
import type { EncodedTools } from '../tools/encode.js';

/** A request while its members are read. */
export interface Draft extends MembersDraft {
  /** Where a member is, as the source spelled it. */
  place(key: string): string;
  /** Where the items of a member are that may be one value in place of a list. */
  items(key: string): (index: number) => string;
}

/** What the settings of a body for another dialect's request depend on. */
export interface Settled extends EncodeRequestContext {
  readonly tools: EncodedTools;
}

type Decision<V> = (value: V, sending: Sending<Settled>, feature: `sampling.${keyof Sampling}`) => unknown;

/** The service takes no more stop strings ([G §2.6]). */
export const MAX_STOPS = 5;
const INT32 = 2 ** 31;

export const sendCap: Decision<number> = (maxOutput, { request, context: { losses, target } }) => {
  const { maxOutput: ceiling } = target;
  if (ceiling === undefined || maxOutput <= ceiling) return maxOutput;
  losses.add(request, 'maxOutput', 'approximated', `the model generates at most ${ceiling} tokens`);
  return ceiling;
};

type Logprobs = NonNullable<CanonicalRequest['logprobs']>;

/** `responseLogprobs` turns them on; a count without it says nothing. */
export function readTopLogprobs(top: number, { out }: Draft): undefined {
  if (out.logprobs !== undefined) out.logprobs = { top };
}

export const sendTopLogprobs: Decision<Logprobs> = ({ top }, { request, context }) =>
  top === undefined ? undefined : topSent(top, 'the service', request, context.losses);

export const sendStop: Decision<readonly string[]> = (stop, { request, context: { losses, cutsStop } }) => {
  if (stop.length > MAX_STOPS && cutsStop === true)
    losses.add(request, 'stop', 'approximated', 'the answer is cut at the stop strings afterwards');
  else if (stop.length > MAX_STOPS)
    losses.add(request, 'stop', 'dropped', `the target accepts ${MAX_STOPS} stop strings`);
  return stop.length === 0 ? undefined : stop.slice(0, MAX_STOPS);
};

type SamplingKey = keyof Sampling;

/** Values that say the same as nothing (translation.md 2.11). */
const NEUTRAL: Readonly<Record<SamplingKey, (value: number, target: Target) => boolean>> = {
  temperature: (value, target) => value === 1 || isSamplingDefault(target, 'temperature', value),
  topP: (value, target) => value >= 0.99 || isSamplingDefault(target, 'topP', value),
  topK: (value, target) => isSamplingDefault(target, 'topK', value),
  seed: () => false,
  presencePenalty: (value) => value === 0,
  frequencyPenalty: (value) => value === 0,
};

function isBarred(key: SamplingKey, { sampling }: CanonicalRequest, { sampling: rules }: Target): boolean {
  const both = sampling?.temperature !== undefined && sampling.topP !== undefined;
  return (
    rules.includes('none') ||
    (rules.includes('temp-xor-topP') && key === 'topP' && both) ||
    (rules.includes('no-topK') && key === 'topK') ||
    (rules.includes('no-penalties') && (key === 'presencePenalty' || key === 'frequencyPenalty'))
  );
}

/** A setting of sampling by what the model takes (translation.md 2.11). */
export function sampled(key: Exclude<SamplingKey, 'seed'>): Decision<number> {
  return (value, { request, context: { losses, target } }, feature) => {
    if (!isBarred(key, request, target)) return value;
    if (!NEUTRAL[key](value, target)) losses.add(request, feature, 'dropped', 'the model does not support it');
    return undefined;
  };
}

export const sendSeed: Decision<number> = (seed, { request, context }, feature) => {
  if (seed >= -INT32 && seed < INT32) return seed;
  context.losses.add(request, feature, 'approximated', 'the seed is reduced to 31 bits');
  return Math.abs(seed) % INT32;
};

export const sendLabels: Decision<Readonly<Record<string, string>>> = (labels, { request, context }) => {
  if (context.target.cloud === true && fitsLabels(labels)) return labels;
  if (Object.keys(labels).length > 0)
    context.losses.add(request, 'metadata', 'dropped', 'the target does not accept these labels');
  return undefined;
};

function fitsLabels(metadata: Readonly<Record<string, string>>): boolean {
  return Object.entries(metadata).every(
    ([key, value]) => /^[a-z][a-z0-9_-]{0,62}$/.test(key) && /^[a-z0-9_-]{0,63}$/.test(value),
  );
}

const TIERS: Readonly<Record<string, string>> = {
  flex: 'flex',
  priority: 'priority',
  default: 'standard',
  standard_only: 'standard',
};

/** The enterprise host knows no such field; tiers are bought there in other ways. */
export const sendTier: Decision<NonNullable<CanonicalRequest['tier']>> = ({ value }, { request, context }) => {
  const tier = context.target.cloud === true ? undefined : lookUp(TIERS, value);
  if (tier !== undefined) context.losses.add(request, 'tier', 'approximated', 'the tier belongs to another service');
  else if (value !== 'auto') context.losses.add(request, 'tier', 'dropped', 'the target has no such tier');
  return tier;
};
