import { effortOf, isEffort, nearestEffort } from '../adapt/effort.js';
import { furtherKeys } from '../adapt/losses.js';
import type { JsonObject } from '../canonical/node.js';
import type {
  CacheSettings,
  CanonicalRequest,
  Effort,
  ReasoningSettings,
  StateSettings,
} from '../canonical/request.js';
import type { EncodeRequestContext } from '../dialect.js';
import { lookUp } from '../wire/json.js';
import {
  bagOf,
  check,
  complete,
  DIALECT,
  keepDifferences,
  keysOf,
  NATIVE,
  origin,
  type Reader,
  spelled,
} from './nodes.js';
import * as wire from './wire.js';

const REASONING = keysOf(wire.reasoningSettings);
const SHOWN: Readonly<Record<string, ReasoningSettings['show']>> = {
  auto: 'auto',
  concise: 'concise',
  detailed: 'detailed',
};

/** `reasoning` [R §2.2]; words nobody knows stay in the bag. */
export function decodeReasoningSettings(node: JsonObject, reader: Reader): ReasoningSettings {
  const ptr = '/reasoning';
  const { effort, summary, generate_summary: older } = check(wire.reasoningSettings, node, ptr, reader);
  const isOlder = typeof summary !== 'string' && typeof older === 'string';
  const shown = isOlder ? older : summary;
  const settings: ReasoningSettings = {
    mode: effort === 'none' ? 'off' : isEffort(effort) ? 'on' : 'default',
    ...(isEffort(effort) && { effort }),
    show: lookUp(SHOWN, shown) ?? 'default',
    ...origin(node, REASONING, ptr, isOlder ? ['generate_summary'] : []),
  };
  return keepDifferences(settings, node, encodeNativeReasoning(settings));
}

/** The settings as they came. */
export function encodeNativeReasoning(settings: ReasoningSettings): JsonObject {
  const fields: JsonObject = {};
  if (settings.mode === 'off') fields.effort = 'none';
  else if (settings.effort !== undefined) fields.effort = settings.effort;
  if (settings.show !== 'default') {
    fields[spelled(NATIVE, settings, 'generate_summary') ? 'generate_summary' : 'summary'] = settings.show;
  }
  return complete(fields, settings, NATIVE);
}

/** Whether the model of this request reasons. */
export function reasons(request: CanonicalRequest, { profile }: EncodeRequestContext): boolean {
  if (profile.thinking.control === 'none') return false;
  return !(request.reasoning?.mode === 'off' && profile.thinking.canDisable);
}

/** Settings of a foreign request (translation.md 2.12); undefined when nothing is said. */
export function encodeForeignReasoning(
  request: CanonicalRequest,
  context: EncodeRequestContext,
): JsonObject | undefined {
  const { reasoning } = request;
  if (reasoning === undefined) return undefined;
  const { losses, profile } = context;
  const ptr = reasoning.src?.ptr ?? '';
  if (profile.thinking.control === 'none') {
    if (reasoning.mode === 'on' || reasoning.effort !== undefined)
      losses.add(ptr, 'reasoning.mode', 'dropped', 'the model does not reason');
    return undefined;
  }
  const fields: JsonObject = {};
  const effort = foreignEffort(reasoning, context);
  if (effort !== undefined) fields.effort = effort;
  const summary = foreignSummary(reasoning);
  if (summary !== undefined) fields.summary = summary;
  if (reasoning.interleave !== undefined) {
    losses.add(ptr, 'reasoning.interleave', 'dropped', 'the model decides for itself when it reasons');
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

function foreignEffort(
  reasoning: ReasoningSettings,
  { losses, profile }: EncodeRequestContext,
): Effort | 'none' | undefined {
  const ptr = reasoning.src?.ptr ?? '';
  const { levels, canDisable, defaultLevel, defaultOn } = profile.thinking;
  if (reasoning.mode === 'off') {
    if (canDisable) return 'none';
    losses.add(ptr, 'reasoning.mode', 'approximated', 'the model always reasons; it gets its lowest effort');
    return levels[0];
  }
  const { budget } = reasoning;
  const sized = budget !== undefined && budget > 0 ? effortOf(budget) : undefined;
  const wanted = reasoning.effort ?? sized;
  if (wanted === undefined) {
    // Left out, the effort of some models is none.
    if (reasoning.mode !== 'on' || defaultOn || defaultLevel === undefined) return undefined;
    losses.add(ptr, 'reasoning.effort', 'invented', `the model reasons only when told to; effort ${defaultLevel}`);
    return defaultLevel;
  }
  const effort = nearestEffort(wanted, levels, defaultLevel);
  if (reasoning.effort === undefined) {
    losses.add(ptr, 'reasoning.budget', 'approximated', `the budget became the effort ${effort ?? wanted}`);
  } else if (effort !== wanted) {
    losses.add(ptr, 'reasoning.effort', 'approximated', `the nearest effort of the model is ${effort ?? 'its own'}`);
  }
  return effort;
}

function foreignSummary({ show }: ReasoningSettings): string | undefined {
  switch (show) {
    case 'summary':
    case 'auto':
      return 'auto';
    case 'concise':
    case 'detailed':
      return show;
    case 'none':
    case 'default':
      return undefined;
  }
}

/** Fields of the prompt cache and how they were spelled. */
export function decodeCache(
  body: wire.Request,
  reader: Reader,
): { cache: CacheSettings | undefined; words: readonly string[]; extra: JsonObject } {
  const { prompt_cache_key: key, prompt_cache_retention: retention, prompt_cache_options: options } = body;
  const none = { cache: undefined, words: [], extra: {} };
  if (!key && !retention && !options) return none;
  const words: string[] = [];
  const extra: JsonObject = {};
  const set: { -readonly [K in keyof CacheSettings]: CacheSettings[K] } = {};
  if (key) set.key = key;
  if (retention) {
    words.push(`retention:${retention}`);
    set.auto = true;
    if (retention === '24h') set.ttl = retention;
  }
  if (options) {
    const { mode, ttl } = check(wire.cacheOptions, options, '/prompt_cache_options', reader);
    words.push('cache-options', ...(mode ? [`cache-mode:${mode}`] : []), ...(ttl ? [`cache-ttl:${ttl}`] : []));
    set.auto = mode !== 'explicit';
    if (ttl) set.ttl = ttl;
    const { mode: _mode, ttl: _ttl, ...rest } = options;
    if (Object.keys(rest).length > 0) extra.prompt_cache_options = furtherKeys(rest, '/prompt_cache_options');
  }
  return { cache: set, words, extra };
}

/** The fields as they came. */
export function encodeNativeCache(request: CanonicalRequest, body: JsonObject): void {
  if (request.cache?.key !== undefined) body.prompt_cache_key = request.cache.key;
  const words = request.src?.shape ?? [];
  const after = (prefix: string): string | undefined =>
    words.find((word) => word.startsWith(prefix))?.slice(prefix.length);
  const retention = after('retention:');
  if (retention !== undefined) body.prompt_cache_retention = retention;
  if (!words.includes('cache-options')) return;
  const mode = after('cache-mode:');
  const ttl = after('cache-ttl:');
  const rest = bagOf(request)?.prompt_cache_options;
  body.prompt_cache_options = {
    ...(mode !== undefined && { mode }),
    ...(ttl !== undefined && { ttl }),
    ...(typeof rest === 'object' && rest),
  };
}

/** What the service keeps for this request. */
export function decodeState(body: wire.Request): {
  state: StateSettings | undefined;
  words: readonly string[];
  extra: JsonObject;
} {
  const words: string[] = [];
  const extra: JsonObject = {};
  const state: { -readonly [K in keyof StateSettings]: StateSettings[K] } = {};
  if (body.previous_response_id) state.previousId = body.previous_response_id;
  const { conversation } = body;
  if (typeof conversation === 'string') state.conversation = conversation;
  else if (conversation && typeof conversation.id === 'string') {
    state.conversation = conversation.id;
    words.push('conversation:object');
    if (Object.keys(conversation).length > 1) extra.conversation = conversation;
  } else if (conversation) extra.conversation = conversation;
  if (typeof body.store === 'boolean') state.store = body.store;
  if (typeof body.background === 'boolean') state.background = body.background;
  if (body.prompt) state.template = body.prompt;
  return { state: Object.keys(state).length === 0 ? undefined : state, words, extra };
}

/** The fields as they came. */
export function encodeNativeState(request: CanonicalRequest, body: JsonObject): void {
  const { state } = request;
  if (state === undefined) return;
  if (state.previousId !== undefined) body.previous_response_id = state.previousId;
  if (state.conversation !== undefined) {
    body.conversation = spelled(NATIVE, request, 'conversation:object')
      ? { id: state.conversation }
      : state.conversation;
  }
  if (state.store !== undefined) body.store = state.store;
  if (state.background !== undefined) body.background = state.background;
  if (state.template !== undefined) body.prompt = state.template;
}

/** The tier word of this dialect for a foreign one (translation.md 2.2); undefined when there is none. */
export function foreignTier(request: CanonicalRequest, context: EncodeRequestContext): string | undefined {
  const { tier } = request;
  if (tier === undefined) return undefined;
  if (tier.dialect === DIALECT) return tier.value;
  const word = tier.value.toLowerCase();
  if (word === 'flex' || word === 'priority') return word;
  if (word !== 'auto')
    context.losses.add(request.at?.tier ?? '', 'tier', 'dropped', 'a service tier of another vendor');
  return undefined;
}
