import { asksForMore } from '../../adapt/index.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest, SafetySetting, Sampling } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isSamplingDefault } from '../../target/profile.js';
import type { Profile } from '../../target/words.js';
import { lookUp } from '../../wire/json.js';
import { bagOf } from '../content/media.js';
import { check, fieldNames, open, remember, remembered } from '../nodes.js';
import type { EncodedTools } from '../tools/encode.js';
import * as wire from '../wire/index.js';

/** The service takes no more stop strings ([G §2.6]). */
export const MAX_STOPS = 5;
/** Candidates for each token, as many as the service gives ([G §2.6]). */
const MAX_LOGPROBS = 20;
const INT32 = 2 ** 31;

/** Encodes caps, sampling, stop strings and media wishes of another dialect for the model (translation.md 2.2, 2.11). */
export function encodeForeignConfig(
  request: CanonicalRequest,
  tools: EncodedTools,
  context: EncodeRequestContext,
): JsonObject {
  const { losses } = context;
  const { maxOutput, logprobs } = request;
  const ceiling = context.profile.maxOutput;
  const capped = maxOutput !== undefined && ceiling !== undefined && maxOutput > ceiling ? ceiling : maxOutput;
  if (capped !== maxOutput) {
    losses.add(request, 'maxOutput', 'approximated', `the model generates at most ${ceiling} tokens`);
  }
  if ((logprobs?.top ?? 0) > MAX_LOGPROBS) {
    const path = request.at?.logprobs ?? '';
    losses.add(path, 'logprobs', 'approximated', `the service gives at most ${MAX_LOGPROBS}`);
  }
  const image = { ...tools.imageConfig, ...request.image };
  return {
    ...encodeSampling(request, context),
    ...(capped !== undefined && { maxOutputTokens: capped }),
    ...(request.candidates !== undefined && request.candidates !== 1 && { candidateCount: request.candidates }),
    ...encodeStop(request, context),
    ...(logprobs !== undefined && { responseLogprobs: true }),
    ...(logprobs?.top !== undefined && { logprobs: Math.min(logprobs.top, MAX_LOGPROBS) }),
    ...modalities(request, tools),
    ...(Object.keys(image).length > 0 && { imageConfig: image }),
    ...(request.speech !== undefined && { speechConfig: request.speech }),
    ...(request.mediaResolution !== undefined && { mediaResolution: request.mediaResolution }),
  };
}

function modalities(request: CanonicalRequest, tools: EncodedTools): JsonObject {
  if (request.modalities !== undefined) return { responseModalities: request.modalities };
  return tools.images ? { responseModalities: ['TEXT', 'IMAGE'] } : {};
}

function encodeStop({ stop, at }: CanonicalRequest, { losses, cutsStop }: EncodeRequestContext): JsonObject {
  if (stop === undefined || stop.length === 0) return {};
  if (stop.length > MAX_STOPS) {
    if (cutsStop === true) losses.add(at?.stop ?? '', 'stop', 'approximated', 'the answer is cut on its way');
    else losses.add(at?.stop ?? '', 'stop', 'dropped', `the target takes ${MAX_STOPS} stop strings`);
  }
  return { stopSequences: stop.slice(0, MAX_STOPS) };
}

type SamplingKey = keyof Sampling;

/** Values that say the same as nothing (translation.md 2.11). */
const NEUTRAL: Readonly<Record<SamplingKey, (value: number, profile: Profile) => boolean>> = {
  temperature: (value, profile) => value === 1 || isSamplingDefault(profile, 'temperature', value),
  topP: (value, profile) => value >= 0.99 || isSamplingDefault(profile, 'topP', value),
  topK: (value, profile) => isSamplingDefault(profile, 'topK', value),
  seed: () => false,
  presencePenalty: (value) => value === 0,
  frequencyPenalty: (value) => value === 0,
};

function encodeSampling(request: CanonicalRequest, { losses, profile }: EncodeRequestContext): JsonObject {
  const { sampling } = request;
  if (sampling === undefined) return {};
  const rules = profile.sampling;
  const both = sampling.temperature !== undefined && sampling.topP !== undefined;
  const barred = (key: SamplingKey): boolean =>
    (rules.includes('none') && key !== 'seed') ||
    (rules.includes('temp-xor-topP') && key === 'topP' && both) ||
    (rules.includes('no-topK') && key === 'topK') ||
    (rules.includes('no-penalties') && (key === 'presencePenalty' || key === 'frequencyPenalty'));
  const out: JsonObject = {};
  for (const [key, value] of entries(sampling)) {
    const path = request.at?.[`sampling.${key}`] ?? '';
    if (!barred(key)) out[key] = key === 'seed' ? int32(value, path, losses) : value;
    else if (!NEUTRAL[key](value, profile))
      losses.add(path, `sampling.${key}`, 'dropped', 'the model does not take it');
  }
  return out;
}

function entries(sampling: Sampling): [SamplingKey, number][] {
  const keys: SamplingKey[] = ['temperature', 'topP', 'topK', 'seed', 'presencePenalty', 'frequencyPenalty'];
  return keys.flatMap((key): [SamplingKey, number][] => {
    const value = sampling[key];
    return value === undefined ? [] : [[key, value]];
  });
}

function int32(seed: number, path: string, losses: Losses): number {
  if (seed >= -INT32 && seed < INT32) return seed;
  losses.add(path, 'sampling.seed', 'approximated', 'the seed was cut to 31 bits');
  return Math.abs(seed) % INT32;
}

/** A top-level field that has no place here, unless it says nothing. */
function gone(losses: Losses, request: CanonicalRequest, feature: Parameters<Losses['add']>[1], detail: string): void {
  losses.add(request, feature, 'dropped', detail);
}

/** Encodes labels and tier, and reports what else of the request has no place in this dialect (translation.md 2.2). */
export function encodeEnvelope(
  request: CanonicalRequest,
  tools: EncodedTools,
  context: EncodeRequestContext,
): JsonObject {
  const { losses, profile } = context;
  const { cache, metadata } = request;
  if ((request.verbosity ?? 'medium') !== 'medium')
    gone(losses, request, 'verbosity', 'the target has no such setting');
  // Without tools of the service there is nothing to cap (translation.md 0.8).
  if (request.maxToolCalls !== undefined && (tools.hosted.length > 0 || tools.images))
    gone(losses, request, 'maxToolCalls', 'the target has no such cap');
  if (request.user !== undefined) gone(losses, request, 'user', 'the target takes no user id');
  if (request.truncate === true && context.truncates !== true)
    gone(losses, request, 'truncate', 'the target never drops input');
  if (cache?.key !== undefined) gone(losses, request, 'cache.key', 'the target caches by itself');
  if (cache?.ttl !== undefined) gone(losses, request, 'cache.ttl', 'the target caches by itself');
  if (asksForMore(request)) gone(losses, request, 'include.detail', 'the target gives no such detail');
  const labels = metadata !== undefined && profile.cloud === true && fitsLabels(metadata) ? metadata : undefined;
  if (metadata !== undefined && Object.keys(metadata).length > 0 && labels === undefined) {
    gone(losses, request, 'metadata', 'the target takes no such labels');
  }
  return {
    ...encodeTier(request, context),
    ...(labels !== undefined && { labels }),
    ...(cache?.resource !== undefined && { cachedContent: cache.resource }),
  };
}

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
function encodeTier({ tier, at }: CanonicalRequest, { losses, profile }: EncodeRequestContext): JsonObject {
  if (tier === undefined) return {};
  const serviceTier = profile.cloud === true ? undefined : lookUp(TIERS, tier.value);
  if (serviceTier === undefined) {
    if (tier.value !== 'auto') losses.add(at?.tier ?? '', 'tier', 'dropped', 'the target has no such tier');
    return {};
  }
  losses.add(at?.tier ?? '', 'tier', 'approximated', 'the tier of that name is another service’s');
  return { serviceTier };
}

const SAFETY = fieldNames('category', 'threshold');

/** Reads `safetySettings`. */
export function decodeSafety(list: readonly JsonObject[], pointer: (index: number) => string): SafetySetting[] {
  return list.map((setting, index) => {
    const at = pointer(index);
    const opened = open(setting, SAFETY, at);
    const { category, threshold } = check(wire.safetySetting, opened.known, at, opened.names);
    const ext = bagOf(opened.rest);
    return remember({ category, threshold, ...(ext !== undefined && { ext }), src: { ptr: at } }, setting);
  });
}

/** Encodes one setting. */
export function encodeSafety(setting: SafetySetting): JsonObject {
  const { category, threshold, ext } = setting;
  return remembered(setting) ?? { ...ext?.generateContent, category, threshold };
}
