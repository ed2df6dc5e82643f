import { asksForMore } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import type { Feature, Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest, NativeOnly } from '../../canonical/request.js';
import type { DecodeRequestContext, EncodeRequestContext } from '../../dialect.js';
import { isSamplingDefault } from '../../target/profile.js';
import { hash32 } from '../../wire/hash.js';
import { DIALECT, encodeCache, invalid, keepRest, keysOf, type Mutable, THREADLESS } from '../nodes.js';
import * as wire from '../wire/index.js';
import { encodeAutoCache } from './cache.js';
import { encodeOwnReasoningSettings } from './reasoning.js';

/** Fields that no other dialect can do without changing what was asked (translation.md 2.2, 0.10). */
const NATIVE_ONLY: Readonly<Record<string, Omit<NativeOnly, 'path'>>> = {
  max_tokens: { message: 'max_tokens 0 warms the prompt cache, which the backend cannot do' },
  fallback_credit_token: { message: 'fallback credits can only be spent with the service that issued them' },
  billing_policy: { message: 'a billing policy cannot be passed on to another service' },
  thread: { message: 'threads are not kept here; send the whole conversation', code: THREADLESS },
};

/** The keys of a request's own bag for which every other dialect refuses it. */
export function nativeOnly(bag: Readonly<JsonObject>): NativeOnly[] {
  const found: NativeOnly[] = [];
  for (const key in NATIVE_ONLY) {
    const reason = NATIVE_ONLY[key];
    const value = bag[key];
    if (reason !== undefined && value !== undefined && value !== null) found.push({ path: `/${key}`, ...reason });
  }
  return found;
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

const METADATA = keysOf(wire.settings.metadata);

export function decodeCap(
  out: Mutable<CanonicalRequest>,
  request: wire.Request,
  context: DecodeRequestContext,
  bag: JsonObject,
  at: Record<string, string>,
): void {
  const { max_tokens: cap } = request;
  if (cap === undefined || cap === null) {
    if (context.counting !== true) throw invalid('/max_tokens', 'field required');
    return;
  }
  at.maxOutput = '/max_tokens';
  // Zero asks for the cache to be warmed, not for an answer of no tokens [M §2.1].
  if (cap === 0) bag.max_tokens = 0;
  else out.maxOutput = cap;
}

const SAMPLING = [
  ['temperature', 'temperature', 'sampling.temperature'],
  ['top_p', 'topP', 'sampling.topP'],
  ['top_k', 'topK', 'sampling.topK'],
] as const;

export function decodeSampling(
  out: Mutable<CanonicalRequest>,
  request: wire.Request,
  at: Record<string, string>,
): void {
  for (const [key, field, feature] of SAMPLING) {
    const value = request[key];
    if (typeof value !== 'number') continue;
    out.sampling = { ...out.sampling, [field]: value };
    at[feature] = `/${key}`;
  }
  if (request.stop_sequences) {
    out.stop = request.stop_sequences;
    at.stop = '/stop_sequences';
  }
  if (typeof request.stream === 'boolean') at.stream = '/stream';
}

/** Who asks, at which tier, and how the prompt is cached. */
export function decodeAccount(
  out: Mutable<CanonicalRequest>,
  request: wire.Request,
  body: JsonObject,
  bag: JsonObject,
  at: Record<string, string>,
): void {
  if (request.metadata) {
    at.metadata = '/metadata';
    if (typeof request.metadata.user_id === 'string') {
      out.user = request.metadata.user_id;
      at.user = '/metadata/user_id';
    }
    keepRest(bag, 'metadata', body.metadata, METADATA);
  }
  if (typeof request.service_tier === 'string') {
    out.tier = { dialect: DIALECT, value: request.service_tier };
    at.tier = '/service_tier';
  }
  const key = out.user === undefined ? undefined : sessionKey(out.user);
  const mark = request.cache_control;
  if (key !== undefined || mark) {
    const ttl = mark?.ttl;
    out.cache = {
      ...(key !== undefined && { key }),
      ...(mark && { auto: true }),
      ...(typeof ttl === 'string' && { ttl }),
    };
    if (mark) at['cache.mark'] = '/cache_control';
    if (key !== undefined) at['cache.key'] = '/metadata/user_id';
  }
}

/** Refuses what cannot be translated without answering another question (translation.md 0.10). */
export function refuseForeignState(request: CanonicalRequest): void {
  const at = request.at ?? {};
  const refuse = (feature: string, message: string): never => {
    throw new TranslationError('unsupported', message, { path: at[feature] ?? '' });
  };
  if ((request.candidates ?? 1) > 1) refuse('candidates', 'the backend gives one answer per call');
  if (request.cache?.resource !== undefined) {
    refuse('cache.resource', 'a cached prompt of another service is unknown to this backend');
  }
  const media = request.modalities?.map((word) => word.toLowerCase());
  if (media !== undefined && media.length > 0 && !media.includes('text')) {
    refuse('modalities', 'the backend answers in text only');
  }
  if (media?.some((word) => word === 'audio' || word === 'video'))
    refuse('modalities', 'the backend answers in text only');
}

/** Sampling, stop strings, account fields and the cache mark; a loss for everything that has no field here. */
export function encodeSettings(
  out: JsonObject,
  request: CanonicalRequest,
  thinks: boolean,
  context: EncodeRequestContext,
): void {
  encodeSampling(out, request, thinks, context);
  encodeStop(out, request, context.losses);
  encodeAccount(out, request, context.losses);
  encodeAutoCache(out, request, context);
  reportRest(request, context);
}

/** translation.md 2.11: which fields a model takes depends on its generation, and on whether it thinks [M §3.25, §3.41]. */
function encodeSampling(
  out: JsonObject,
  { sampling, at = {} }: CanonicalRequest,
  thinks: boolean,
  { losses, profile }: EncodeRequestContext,
): void {
  if (sampling === undefined) return;
  const lose = (feature: Feature, detail: string, kind: 'dropped' | 'approximated' = 'dropped'): void =>
    losses.add(at[feature] ?? '', feature, kind, detail);
  const closed = profile.sampling.includes('none') || (thinks && profile.sampling.includes('none-when-reasoning'));
  const usualOnly = thinks && profile.sampling.includes('usual-when-reasoning');
  const { temperature, topP, topK } = sampling;
  const warm = temperature !== undefined && Math.min(1, temperature);
  // A model that samples so by default loses nothing where it takes no such setting.
  const usual =
    (closed || usualOnly) && temperature !== undefined && isSamplingDefault(profile, 'temperature', temperature);
  if (!usual && temperature !== undefined && temperature > 1) {
    lose('sampling.temperature', 'temperatures go up to 1', closed ? 'dropped' : 'approximated');
  } else if (!usual && temperature !== undefined && temperature !== 1 && (closed || usualOnly)) {
    lose('sampling.temperature', closed ? 'the model takes no sampling' : 'a thinking model takes temperature 1 only');
  }
  if (warm !== false && !closed && (!usualOnly || warm === 1)) out.temperature = warm;
  if (topP !== undefined) {
    const excluded = out.temperature !== undefined && profile.sampling.includes('temp-xor-topP');
    const low = closed ? topP < 0.99 : usualOnly && topP < 0.95;
    if (low || (excluded && topP < 1)) {
      const why = excluded && !low ? 'the model takes temperature or top_p, not both' : 'the model takes no such top_p';
      if (!isSamplingDefault(profile, 'topP', topP)) lose('sampling.topP', why);
    } else if (!closed && !excluded) {
      out.top_p = topP;
    }
  }
  if (topK !== undefined) {
    if (closed || usualOnly || topK <= 0 || profile.sampling.includes('no-topK')) {
      if (!isSamplingDefault(profile, 'topK', topK)) lose('sampling.topK', 'the model takes no top_k');
    } else out.top_k = topK;
  }
  if (sampling.seed !== undefined) lose('sampling.seed', 'sampling cannot be repeated');
  if (sampling.presencePenalty) lose('sampling.presencePenalty', 'there are no penalties');
  if (sampling.frequencyPenalty) lose('sampling.frequencyPenalty', 'there are no penalties');
}

function encodeStop(out: JsonObject, { stop, at = {} }: CanonicalRequest, losses: Losses): void {
  if (stop === undefined) return;
  const kept = stop.filter((word) => word.trim() !== '');
  if (kept.length < stop.length)
    losses.add(at.stop ?? '', 'stop', 'dropped', 'blank stop strings are refused by the service');
  if (kept.length > 0) out.stop_sequences = kept;
}

const MAX_USER = 256;

function encodeAccount(out: JsonObject, request: CanonicalRequest, losses: Losses): void {
  const { user, tier, at = {} } = request;
  if (user !== undefined) {
    out.metadata = { user_id: user.length > MAX_USER ? hash32(user, 52) : user };
    if (user.length > MAX_USER)
      losses.add(at.user ?? '', 'user', 'approximated', 'the id is too long; replaced by its hash');
  }
  if (tier === undefined) return;
  const word = tier.value.toLowerCase();
  if (word === 'priority' || word === 'auto') out.service_tier = 'auto';
  else if (word === 'default' || word === 'standard') out.service_tier = 'standard_only';
  const kind = out.service_tier === undefined ? 'dropped' : 'approximated';
  if (word !== 'auto') losses.add(at.tier ?? '', 'tier', kind, 'tiers of services differ');
}

function reportRest(request: CanonicalRequest, { losses, truncates }: EncodeRequestContext): void {
  const { at = {} } = request;
  const drop = (feature: Feature, present: boolean, detail: string): void => {
    if (present) losses.add(at[feature] ?? '', feature, 'dropped', detail);
  };
  drop('logprobs', request.logprobs !== undefined, 'the service gives no log probabilities');
  drop('verbosity', (request.verbosity ?? 'medium') !== 'medium', 'there is no setting for verbosity');
  drop('metadata', Object.keys(request.metadata ?? {}).length > 0, 'labels are not kept by the service');
  drop('modalities', (request.modalities?.length ?? 0) > 1, 'the service answers in text only');
  drop('image', request.image !== undefined, 'the service makes no pictures');
  drop('speech', request.speech !== undefined, 'the service makes no speech');
  drop('mediaResolution', request.mediaResolution !== undefined, 'the resolution of media cannot be chosen');
  drop('safety', (request.safety?.length ?? 0) > 0, 'there are no thresholds for content filters');
  drop('truncate', request.truncate === true && truncates !== true, 'the service does not drop old input');
  drop('include.detail', asksForMore(request), 'the service gives no such detail');
}

export function encodeOwnSettings(
  out: JsonObject,
  request: CanonicalRequest,
  at: Readonly<Record<string, string>>,
): void {
  if (at.stream !== undefined || request.stream) out.stream = request.stream;
  const { sampling, reasoning, cache } = request;
  if (sampling?.temperature !== undefined) out.temperature = sampling.temperature;
  if (sampling?.topP !== undefined) out.top_p = sampling.topP;
  if (sampling?.topK !== undefined) out.top_k = sampling.topK;
  if (request.stop !== undefined) out.stop_sequences = request.stop;
  if (at.metadata !== undefined) out.metadata = request.user === undefined ? {} : { user_id: request.user };
  if (request.tier !== undefined) out.service_tier = request.tier.value;
  if (cache?.auto === true) out.cache_control = encodeCache(cache);
  const thinking = reasoning && encodeOwnReasoningSettings(reasoning, at);
  if (thinking !== undefined) out.thinking = thinking;
}
