import { isEffort, nearestEffort } from '../../adapt/index.js';
import type { Feature, Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { ServerFlags } from '../../target/server-words.js';
import type { Target } from '../../target/target.js';
import { isObject, lookUp } from '../../wire/json.js';
import { fitChoice } from './choice.js';

/** What a server that refuses unknown members takes beside those that every server has [H §2.2]. */
const STRICT: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'temperature',
  'top_p',
  'max_tokens',
  'stop',
  'random_seed',
  'n',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'presence_penalty',
  'frequency_penalty',
  'metadata',
  'prediction',
  'prompt_cache_key',
  'prompt_mode',
  'reasoning_effort',
  'safe_prompt',
  'guardrails',
]);

/** Members whose loss has a name of its own. */
const FEATURES: Readonly<Record<string, Feature>> = {
  user: 'user',
  safety_identifier: 'user',
  logprobs: 'logprobs',
  top_logprobs: 'logprobs',
  verbosity: 'verbosity',
  service_tier: 'tier',
  top_k: 'sampling.topK',
  logit_bias: 'sampling.logitBias',
  prompt_cache_options: 'cache.ttl',
  prompt_cache_retention: 'cache.ttl',
};

/** Values that say the same as nothing, for members of which a server may know nothing. */
const SILENT: Readonly<Record<string, (value: unknown) => boolean>> = {
  stream_options: () => true,
  store: (value) => value === false,
  logprobs: (value) => value === false,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
  modalities: (value) => Array.isArray(value) && value.every((word) => word === 'text'),
};

/**
 * For a body of this dialect that goes to a server as it is: the outermost members that the server would refuse, as it
 * takes them; undefined for those that have to go. Of two caps one is sent, and a server that refuses unknown members
 * gets none (hard cases H-FIELD-01, H-FIELD-03).
 */
export function fitMembers(body: JsonObject, target: Target, flags: ServerFlags, losses: Losses): JsonObject {
  const { maxTokensField, readsNewerCap, seedField, strictBody } = flags;
  const out: JsonObject = {};
  const { max_tokens: older, max_completion_tokens: newer } = body;
  const both = given(older) && given(newer);
  if (both && older !== newer)
    losses.add('/max_tokens', 'maxOutput', 'approximated', 'max_completion_tokens takes precedence over max_tokens');
  if (both || ((strictBody || !readsNewerCap) && given(newer))) {
    out.max_tokens = undefined;
    out.max_completion_tokens = undefined;
    out[maxTokensField] = newer;
  }
  Object.assign(out, fitEffort(body, target, flags, losses), fitChoice(body, flags, losses));
  if (!flags.parallelField && body.parallel_tool_calls === false) {
    out.parallel_tool_calls = undefined;
    losses.add('/parallel_tool_calls', 'toolChoice.parallel', 'dropped', 'the server does not support this switch');
  }
  if (!strictBody) return out;
  if (given(body.seed) && !given(body.random_seed)) out[seedField] = body.seed;
  for (const [key, value] of Object.entries(body)) {
    const renamed = key === 'max_completion_tokens' || key === 'seed';
    const silent = !given(value) || isEmpty(value) || SILENT[key]?.(value) === true;
    if (STRICT.has(key) && !silent) continue;
    out[key] = undefined;
    if (renamed || silent) continue;
    losses.add(`/${key}`, lookUp(FEATURES, key) ?? `ext.${key}`, 'dropped', 'the server refuses unknown members');
  }
  return out;
}

/** An effort that is refused: the nearest of the model, or none where only a switch, or not even the word, is known. */
function fitEffort(
  body: JsonObject,
  { thinking, unsupported }: Target,
  { strictEfforts }: ServerFlags,
  losses: Losses,
): JsonObject {
  const { reasoning_effort: wanted } = body;
  if (wanted === 'none' && unsupported.has('effort')) {
    losses.add('/reasoning_effort', 'reasoning.mode', 'approximated', 'the host does not support this value');
    return { reasoning_effort: undefined };
  }
  if (!strictEfforts || !isEffort(wanted)) return {};
  const { levels, defaultLevel } = thinking;
  const effort = nearestEffort(wanted, levels, defaultLevel);
  if (effort === wanted) return {};
  const detail = `the nearest effort of the model is ${effort ?? 'its own'}`;
  losses.add('/reasoning_effort', 'reasoning.effort', 'approximated', detail);
  return { reasoning_effort: effort };
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
