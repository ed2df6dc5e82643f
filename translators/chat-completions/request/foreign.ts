import { asksForMore, dropForeign, encodePromptCache, keyOfMarks, pictureDetail, sameTier } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import type { Feature, Losses } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest, Sampling } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isSamplingDefault } from '../../target/profile.js';
import type { Profile, SamplingDefaults } from '../../target/words.js';
import { hash32 } from '../../wire/hash.js';
import { isObject } from '../../wire/json.js';
import { DIALECT } from '../nodes.js';
import { serverFlags } from '../profile.js';
import { encodeForeignToolChoice } from '../tools/choice.js';
import { encodeTools } from '../tools/encode.js';
import { planOutput } from './output.js';
import { encodeForeignReasoningSettings, reasons } from './reasoning.js';
import { SAMPLING } from './settings.js';

/** What a foreign request becomes beside its model and its messages. */
export interface ForeignSettings {
  readonly members: JsonObject;
  /** Words for the end of the instructions, where a setting has no member. */
  readonly instruction?: string;
  /** Detail of pictures that say none. */
  readonly detail?: string;
}

/** The members for a foreign request at the server that the profile tells of. Throws `unsupported` for what it cannot do without. */
export function encodeForeignSettings(request: CanonicalRequest, context: EncodeRequestContext): ForeignSettings {
  const { losses, profile } = context;
  refuseFatal(request);
  for (const node of [request.output, request.reasoning, request.toolChoice])
    if (node !== undefined) dropForeign(node, DIALECT, losses);
  const flags = serverFlags(profile);
  const tools = encodeTools(request, context);
  const thinks = reasons(request, context);
  const choice = encodeForeignToolChoice(request, tools.list, thinks, context);
  const declares = choice.tools.length > 0;
  // The endpoint takes functions only from a model that does not reason [H §2.3].
  const silenced = thinks && declares && !flags.toolsWithReasoning && profile.thinking.canDisable;
  if (declares && !flags.functionTools)
    throw new TranslationError('unsupported', `${request.model} takes functions by responses only`, {
      path: ptrOf(choice.tools[0]?.tool),
    });
  const stopped = silenced || choice.stopsReasoning;
  if (stopped) reportStopped(request, choice.stopsReasoning, losses);
  const wished = encodeForeignReasoningSettings(request, { stopped, tools: declares }, context);
  const reasoning = belowCap(wished, request, losses);
  const { format, instruction } = planOutput(request, declares, context);
  const detail = pictureDetail(request, losses);
  const { sampling } = profile;
  const closed = sampling.includes('none') || (thinks && !stopped && sampling.includes('none-when-reasoning'));
  const members: JsonObject = {
    ...(request.stream && { stream: true, ...(flags.streamUsage && { stream_options: { include_usage: true } }) }),
    ...encodeCaps(request, context),
    ...encodeSampling(request, closed, context),
    ...encodeLogprobs(request, closed, context),
    ...(declares && { tools: choice.tools.map(({ node }) => node) }),
    ...tools.members,
    ...choice.members,
    ...reasoning,
    ...(format !== undefined && { response_format: format }),
    ...encodeAccount(request, context),
  };
  reportRest(request, context);
  return { members, ...(instruction !== undefined && { instruction }), ...(detail !== undefined && { detail }) };
}

/** A model that is kept from reasoning, and what was asked of its reasoning elsewhere in the body. */
function reportStopped({ reasoning, toolChoice, at }: CanonicalRequest, forced: boolean, losses: Losses): void {
  const why = forced
    ? 'a model that reasons cannot be held to the choice of tools'
    : 'the model does not reason beside tools here';
  const path = reasoning?.src?.ptr ?? (forced ? toolChoice?.src?.ptr : undefined) ?? '';
  losses.add(path, 'reasoning.mode', 'approximated', why);
  const effort = at?.['reasoning.effort'];
  if (effort !== undefined && effort !== path && !effort.startsWith(`${path}/`))
    losses.add(effort, 'reasoning.effort', 'dropped', why);
}

/** What a budget of thinking leaves of the cap for the answer, at least (translation.md 2.12). */
const LEFT = 256;

/** A budget of thinking lies below the cap, which counts it, and has a least size of its own [M §2.7]. */
function belowCap(wished: JsonObject, { maxOutput, reasoning, at }: CanonicalRequest, losses: Losses): JsonObject {
  const { thinking, ...others } = wished;
  const budget = isObject(thinking) ? thinking.budget_tokens : undefined;
  if (typeof budget !== 'number' || maxOutput === undefined || budget < maxOutput) return wished;
  const path = at?.['reasoning.budget'] ?? ptrOf(reasoning);
  const fitting = maxOutput - LEFT;
  if (fitting >= 1024) {
    losses.add(path, 'reasoning.budget', 'approximated', `the cap leaves ${fitting} tokens for thinking`);
    return { ...others, thinking: { ...Object(thinking), budget_tokens: fitting } };
  }
  losses.add(path, 'reasoning.mode', 'approximated', 'the cap leaves no room for thinking');
  return others;
}

function refuseFatal({ candidates, cache, modalities, at = {} }: CanonicalRequest): void {
  const refuse = (message: string, feature: string): never => {
    throw new TranslationError('unsupported', message, { path: at[feature] ?? '' });
  };
  if (candidates !== undefined && candidates > 1) refuse('the target gives one answer only', 'candidates');
  if (cache?.resource !== undefined) refuse('a cached prompt of another service cannot be used', 'cache.resource');
  if (modalities?.some((word) => /^(audio|video)$/i.test(word)) === true)
    refuse('the target answers in text and pictures only', 'modalities');
}

const MAX_LOGPROBS = 20;

function encodeCaps(request: CanonicalRequest, { losses, profile, cutsStop }: EncodeRequestContext): JsonObject {
  const { maxOutput, stop = [] } = request;
  const flags = serverFlags(profile);
  const out: JsonObject = {};
  if (maxOutput !== undefined) {
    const cap = Math.min(Math.max(maxOutput, profile.minOutput ?? 1), profile.maxOutput ?? Number.POSITIVE_INFINITY);
    if (cap !== maxOutput) losses.add(request, 'maxOutput', 'approximated', `the model's bound is ${cap}`);
    out[flags.maxTokensField] = cap;
  } else if (profile.defaultMaxOutput !== undefined) out[flags.maxTokensField] = profile.defaultMaxOutput;
  if (stop.length > 0 && flags.stopMax > 0) out.stop = stop.slice(0, flags.stopMax);
  if (stop.length > flags.stopMax) {
    if (cutsStop === true) losses.add(request, 'stop', 'approximated', 'the answer is cut behind the model');
    else losses.add(request, 'stop', 'dropped', `the model takes ${flags.stopMax} stop strings`);
  }
  return out;
}

/** Log probabilities, which belong to sampling: a model that takes no settings of it gives none [H §2.2]. */
function encodeLogprobs(
  { logprobs, at = {} }: CanonicalRequest,
  closed: boolean,
  { losses, profile }: EncodeRequestContext,
): JsonObject {
  if (logprobs === undefined) return {};
  const path = at.logprobs ?? '';
  if (closed || !serverFlags(profile).logprobs) {
    const who = closed ? 'a model that reasons' : 'the server';
    losses.add(path, 'logprobs', 'dropped', `${who} gives no log probabilities`);
    return {};
  }
  const { top } = logprobs;
  if (top !== undefined && top > MAX_LOGPROBS)
    losses.add(path, 'logprobs', 'approximated', `the server gives at most ${MAX_LOGPROBS}`);
  return { logprobs: true, ...(top !== undefined && { top_logprobs: Math.min(top, MAX_LOGPROBS) }) };
}

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

/** Sampling by what the model takes; `closed`: none (translation.md 2.11). */
function encodeSampling(
  { sampling = {}, at = {} }: CanonicalRequest,
  closed: boolean,
  { losses, profile }: EncodeRequestContext,
): JsonObject {
  const { seedField, maxTemperature } = serverFlags(profile);
  const both = sampling.temperature !== undefined && profile.sampling.includes('temp-xor-topP');
  const barred: Readonly<Record<keyof Sampling, boolean>> = {
    temperature: closed,
    topP: closed || both,
    topK: closed || profile.sampling.includes('no-topK'),
    seed: seedField === 'none',
    presencePenalty: closed || profile.sampling.includes('no-penalties'),
    frequencyPenalty: closed || profile.sampling.includes('no-penalties'),
  };
  const out: JsonObject = {};
  for (const [key, field] of SAMPLING) {
    const value = sampling[field];
    if (value === undefined || (field === 'seed' && seedField !== 'none' && key !== seedField)) continue;
    const feature: Feature = `sampling.${field}`;
    if (!barred[field]) {
      const warmest = field === 'temperature' ? maxTemperature : Number.POSITIVE_INFINITY;
      if (value > warmest) losses.add(at[feature] ?? '', feature, 'approximated', `temperatures go up to ${warmest}`);
      out[key] = Math.min(value, warmest);
    } else if (key !== 'random_seed' && value !== NEUTRAL[field] && !isDefault(profile, field, value))
      losses.add(at[feature] ?? '', feature, 'dropped', 'the model does not take it');
  }
  return out;
}

function isDefault(profile: Profile, field: keyof Sampling, value: number): boolean {
  return DEFAULTS.has(field) && isSamplingDefault(profile, field as keyof SamplingDefaults, value);
}

const LONGEST_ID = 64;

/** Who asks, at which tier, and how the prompt is cached: most servers know none of it, and some refuse it. */
function encodeAccount(request: CanonicalRequest, { losses, profile }: EncodeRequestContext): JsonObject {
  const { user, cache, metadata, verbosity, tier, at = {} } = request;
  const { vendorFields, promptCacheKey } = serverFlags(profile);
  const out: JsonObject = {};
  const send = (feature: Feature, key: string, present: boolean, able: boolean, value: () => unknown): void => {
    if (!present) return;
    if (able) out[key] = value();
    else losses.add(request, feature, 'dropped', 'the server has no such field');
  };
  const shortened = (value: string, feature: Feature): string => {
    if (value.length <= LONGEST_ID) return value;
    losses.add(request, feature, 'approximated', 'too long, so its hash is sent');
    return hash32(value, 52);
  };
  send('user', 'safety_identifier', user !== undefined, vendorFields, () => shortened(user ?? '', 'user'));
  send('metadata', 'metadata', Object.keys(metadata ?? {}).length > 0, vendorFields, () => metadata);
  send('verbosity', 'verbosity', (verbosity ?? 'medium') !== 'medium', vendorFields, () => verbosity);
  const named = at['cache.key'];
  const isOwnKey = named !== undefined && named !== at.user;
  if (promptCacheKey && cache?.key !== undefined && !isOwnKey)
    losses.add(at.user ?? '', 'cache.key', 'invented', 'taken from the id of the user');
  send('cache.key', 'prompt_cache_key', cache?.key !== undefined && (promptCacheKey || isOwnKey), promptCacheKey, () =>
    shortened(cache?.key ?? '', 'cache.key'),
  );
  if (promptCacheKey && cache?.key === undefined && !SAME_VENDOR.has(request.source)) {
    const made = keyOfMarks(request, losses);
    if (made !== undefined) out.prompt_cache_key = made;
  }
  if (vendorFields && SAME_VENDOR.has(request.source))
    Object.assign(out, encodePromptCache({ cache: { ...cache, key: undefined }, at }));
  else if (cache?.ttl !== undefined)
    losses.add(at['cache.ttl'] ?? at.cache ?? '', 'cache.ttl', 'dropped', 'the server decides how long');
  const word = tierWord(tier);
  send('tier', 'service_tier', tier !== undefined && word !== 'auto', vendorFields && word !== undefined, () => word);
  return out;
}

/** Other dialects of the vendor of this one, whose words for caches and tiers are the same (translation.md 2.2). */
const SAME_VENDOR: ReadonlySet<string> = new Set(['responses']);

function tierWord(tier: CanonicalRequest['tier']): string | undefined {
  if (tier === undefined) return undefined;
  const word = tier.value.toLowerCase();
  if (SAME_VENDOR.has(tier.dialect)) return sameTier(word);
  return word === 'flex' || word === 'priority' || word === 'auto' ? word : undefined;
}

/** What has no field here, and what the server was not asked for. */
function reportRest(request: CanonicalRequest, context: EncodeRequestContext): void {
  const { losses, truncates } = context;
  const drop = (feature: Feature, present: boolean, detail: string): void => {
    if (present) losses.add(request, feature, 'dropped', detail);
  };
  // Without tools of a service there is nothing to cap (translation.md 0.8).
  const capped = request.tools.some(({ kind }) => kind === 'hosted');
  drop('maxToolCalls', request.maxToolCalls !== undefined && capped, 'calls of such tools cannot be capped');
  drop(
    'modalities',
    request.modalities?.some((word) => /^image$/i.test(word)) === true,
    'the server makes no pictures',
  );
  drop('image', request.image !== undefined, 'the server makes no pictures');
  drop('speech', request.speech !== undefined, 'the target does not speak');
  drop('safety', (request.safety?.length ?? 0) > 0, 'filters cannot be set');
  drop('truncate', request.truncate === true && truncates !== true, 'old input is not dropped');
  drop('include.detail', asksForMore(request), 'the server gives no such detail');
}
