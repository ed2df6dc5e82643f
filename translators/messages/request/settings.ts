import type { Feature } from '../../canonical/loss.js';
import type { CacheSettings, CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isSamplingDefault } from '../../target/profile.js';
import type { Target } from '../../target/target.js';
import { isBlank } from '../../wire/blank.js';
import { hash32 } from '../../wire/hash.js';
import type { Draft, Sending } from '../../wire/members.js';

/** What the settings of a body for another dialect's request depend on. */
export interface Settled extends EncodeRequestContext {
  /** The model thinks before it answers. */
  readonly thinks: boolean;
}

/** Zero asks for the cache to be warmed, not for an answer of no tokens [M §2.1]. */
export function readCap(cap: number, { bag }: Draft): number | undefined {
  if (cap !== 0) return cap;
  bag.max_tokens = 0;
  return undefined;
}

const SESSION = /_session_([0-9a-fA-F-]{8,})$/;

/** The session that a stable user id names: as JSON, or at its end (translation.md 2.2, hard case USE-09). */
function sessionKey(user: string): string | undefined {
  if (user.startsWith('{')) {
    try {
      const { session_id: id } = JSON.parse(user);
      return typeof id === 'string' && id !== '' ? id : undefined;
    } catch {
      return undefined;
    }
  }
  return SESSION.exec(user)?.[1];
}

/** The id of the user, which may name the session whose prompts are cached. */
export function readUser(user: string, { out, at }: Draft): string {
  const key = sessionKey(user);
  if (key !== undefined) {
    out.cache = { ...out.cache, key };
    at['cache.key'] = '/metadata/user_id';
  }
  return user;
}

/** The mark by which the service places marks itself. */
export function readMark({ ttl }: { readonly ttl?: string | null | undefined }, { out }: Draft): CacheSettings {
  return { ...out.cache, auto: true, ...(typeof ttl === 'string' && { ttl }) };
}

/** translation.md 2.11: which settings a model takes depends on its generation, and on whether it thinks [M §3.25, §3.41]. */
function takes({ target, thinks }: Settled): { readonly closed: boolean; readonly usualOnly: boolean } {
  const { sampling } = target;
  return {
    closed: sampling.includes('none') || (thinks && sampling.includes('none-when-reasoning')),
    usualOnly: thinks && sampling.includes('usual-when-reasoning'),
  };
}

const NO_SAMPLING = 'the model does not support sampling settings';

type Decision<V> = (value: V, sending: Sending<Settled>, feature: Feature) => unknown;

export const sendTemperature: Decision<number> = (temperature, { request, context }, feature) => {
  const { closed, usualOnly } = takes(context);
  const lose = (detail: string, kind: 'dropped' | 'approximated' = 'dropped'): void =>
    context.losses.add(request, feature, kind, detail);
  const warm = Math.min(1, temperature);
  // A model that samples so by default loses nothing where it takes no such setting.
  const usual = (closed || usualOnly) && isSamplingDefault(context.target, 'temperature', temperature);
  if (!usual && temperature > 1) lose('the maximum temperature is 1', closed ? 'dropped' : 'approximated');
  else if (!usual && temperature !== 1 && (closed || usualOnly))
    lose(closed ? NO_SAMPLING : 'temperature must be 1 while the model reasons');
  return !closed && (!usualOnly || warm === 1) ? warm : undefined;
};

export const sendTopP: Decision<number> = (topP, { request, context, out }, feature) => {
  const { target, losses } = context;
  const { closed, usualOnly } = takes(context);
  const excluded = out.temperature !== undefined && target.sampling.includes('temp-xor-topP');
  const low = closed ? topP < 0.99 : usualOnly && topP < 0.95;
  if (!low && (!excluded || topP >= 1)) return closed || excluded ? undefined : topP;
  if (!isSamplingDefault(target, 'topP', topP)) losses.add(request, feature, 'dropped', whyNoTopP(target, low));
  return undefined;
};

/** Why a top_p is not sent. `low`: the value itself is too low for the model. */
function whyNoTopP({ sampling }: Target, low: boolean): string {
  if (!low) return 'the model accepts temperature or top_p, not both';
  if (sampling.includes('none')) return NO_SAMPLING;
  return 'the model does not accept this top_p while it reasons';
}

export const sendTopK: Decision<number> = (topK, { request, context }, feature) => {
  const { target, losses } = context;
  const { closed, usualOnly } = takes(context);
  if (!closed && !usualOnly && topK > 0 && !target.sampling.includes('no-topK')) return topK;
  if (!isSamplingDefault(target, 'topK', topK))
    losses.add(request, feature, 'dropped', 'the model does not support top_k');
  return undefined;
};

export const withoutBlanks: Decision<readonly string[]> = (stop, { request, context }, feature) => {
  const kept = stop.filter((word) => !isBlank(word));
  if (kept.length < stop.length)
    context.losses.add(request, feature, 'dropped', 'the service refuses blank stop strings');
  return kept.length > 0 ? kept : undefined;
};

const MAX_USER = 256;

export const sendUser: Decision<string> = (user, { request, context }, feature) => {
  if (user.length <= MAX_USER) return user;
  context.losses.add(request, feature, 'approximated', 'the id is too long; replaced by its hash');
  return hash32(user, 52);
};

const TIERS: ReadonlyMap<string, string> = new Map([
  ['priority', 'auto'],
  ['auto', 'auto'],
  ['default', 'standard_only'],
  ['standard', 'standard_only'],
]);

export const sendTier: Decision<NonNullable<CanonicalRequest['tier']>> = ({ value }, { request, context }, feature) => {
  const word = value.toLowerCase();
  const tier = TIERS.get(word);
  if (word !== 'auto')
    context.losses.add(
      request,
      feature,
      tier === undefined ? 'dropped' : 'approximated',
      'service tiers differ between services',
    );
  return tier;
};
