import { budgetOf, EFFORTS, effortOf, furtherKeys, isEffort, keepRest, nearestEffort } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest, Effort, ReasoningSettings } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { check, invalid, keysOf, type Mutable, rawOf } from '../nodes.js';
import { serverFlags } from '../servers/index.js';
import * as wire from '../wire/index.js';
import type { Request } from './members.js';

/** The members in which one server or another is asked to reason [H §2.3]. */
const MEMBERS = [
  'reasoning_effort',
  'reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'chat_template_kwargs',
  'extra_body',
] as const satisfies readonly (keyof Request)[];

const REASONING = keysOf(wire.reasoning);
const THINKING = keysOf(wire.thinkingSwitch);
const TEMPLATE = new Set(['enable_thinking']);

/**
 * The wish for reasoning in whichever spelling it has; undefined when there is none. The most exact says how much, and any
 * of them whether. What of the members has no field in the model goes to `bag`.
 */
export function decodeReasoningSettings(
  request: Request,
  bag: JsonObject,
  at: Record<string, string>,
): ReasoningSettings | undefined {
  const out: Mutable<ReasoningSettings> = { mode: 'default', show: 'default' };
  const raw: JsonObject = {};
  for (const key of MEMBERS) if (request[key] !== undefined && request[key] !== null) raw[key] = request[key];
  const [first] = Object.keys(raw);
  if (first === undefined) return undefined;
  at.reasoning = `/${first}`;
  readEffort(out, request.reasoning_effort, '/reasoning_effort', bag, at);
  if (request.reasoning) {
    const { effort, max_tokens: budget, enabled, exclude } = check(wire.reasoning, request.reasoning, '/reasoning');
    keepRest(bag, 'reasoning', request.reasoning, REASONING);
    readEffort(out, effort, '/reasoning/effort', bag, at);
    readSwitch(out, enabled);
    readBudget(out, budget, '/reasoning/max_tokens', at);
    if (exclude === true) out.show = 'none';
  }
  if (request.thinking) {
    const { type, budget_tokens: budget } = check(wire.thinkingSwitch, request.thinking, '/thinking');
    readSwitch(out, type === 'disabled' ? false : typeof type === 'string' ? true : undefined);
    readBudget(out, budget, '/thinking/budget_tokens', at);
    keepRest(bag, 'thinking', request.thinking, THINKING);
  }
  readSwitch(out, request.enable_thinking);
  readBudget(out, request.thinking_budget, '/thinking_budget', at);
  if (request.chat_template_kwargs) {
    const { enable_thinking: enabled } = request.chat_template_kwargs;
    readSwitch(out, typeof enabled === 'boolean' ? enabled : undefined);
    keepRest(bag, 'chat_template_kwargs', request.chat_template_kwargs, TEMPLATE);
  }
  if (request.extra_body) readExtraBody(out, request.extra_body, bag, at);
  if (out.effort !== undefined && out.mode === 'on' && out.show === 'default') out.welcome = true;
  return { ...out, src: { ptr: at.reasoning, raw } };
}

function readEffort(
  out: Mutable<ReasoningSettings>,
  word: string | number | null | undefined,
  ptr: string,
  bag: JsonObject,
  at: Record<string, string>,
): void {
  if (isEffort(word)) {
    out.effort ??= word;
    out.mode = 'on';
    at['reasoning.effort'] ??= ptr;
  } else if (word === 'none') out.mode = 'off';
  // One server takes a share, another has a word for its own choice.
  else if (word !== undefined && word !== null && word !== 'default') {
    if (typeof word === 'string') throw invalid(ptr, `expected one of none, ${EFFORTS.join(', ')}`);
    if (ptr === '/reasoning_effort') bag.reasoning_effort = word;
    else bag.reasoning = furtherKeys({ ...Object(bag.reasoning), effort: word }, '/reasoning');
  }
}

function readSwitch(out: Mutable<ReasoningSettings>, enabled: boolean | null | undefined): void {
  if (enabled === false) out.mode = 'off';
  else if (enabled === true && out.mode === 'default') out.mode = 'on';
}

function readBudget(
  out: Mutable<ReasoningSettings>,
  budget: number | null | undefined,
  ptr: string,
  at: Record<string, string>,
): void {
  if (typeof budget !== 'number') return;
  at['reasoning.budget'] ??= ptr;
  if (budget === 0) out.mode = 'off';
  else {
    out.budget ??= budget;
    if (out.mode === 'default') out.mode = 'on';
  }
}

/** What the client library of one vendor puts in a member of that name [H §2.3]. */
function readExtraBody(
  out: Mutable<ReasoningSettings>,
  node: JsonObject,
  bag: JsonObject,
  at: Record<string, string>,
): void {
  const { google } = check(wire.extraBody, node, '/extra_body');
  keepRest(bag, 'extra_body', node, new Set(['google']));
  if (!google) return;
  const { thinking_config: config } = check(wire.googleBody, google, '/extra_body/google');
  // The object goes back whole, for its key says what of it is lost.
  if (Object.keys(google).some((key) => key !== 'thinking_config'))
    bag.extra_body = furtherKeys({ ...Object(bag.extra_body), google }, '/extra_body');
  if (!config) return;
  const ptr = '/extra_body/google/thinking_config';
  const { include_thoughts: shown, thinking_budget: budget } = check(wire.thinkingConfig, config, ptr);
  readBudget(out, budget, `${ptr}/thinking_budget`, at);
  if (typeof shown === 'boolean') out.show = shown ? 'summary' : 'none';
}

/** The members as they came. */
export function encodeOwnReasoningSettings(settings: ReasoningSettings): JsonObject {
  return rawOf(settings);
}

/** Whether the model of this request reasons. */
export function reasons({ reasoning }: CanonicalRequest, { target }: EncodeRequestContext): boolean {
  const { control, canDisable, defaultOn } = target.thinking;
  if (control === 'none') return defaultOn;
  if (reasoning?.mode === 'off') return !canDisable;
  return reasoning?.mode === 'on' || reasoning?.effort !== undefined || defaultOn;
}

/** What of a request decides on reasoning beside its own wish. */
export interface ReasoningPlan {
  /** The model must not reason, for the tools' sake. */
  readonly stopped: boolean;
  /** Tools are sent. */
  readonly tools: boolean;
}

/** The members that ask a server for what a foreign request wishes (translation.md 2.12). */
export function encodeForeignReasoningSettings(
  request: CanonicalRequest,
  plan: ReasoningPlan,
  context: EncodeRequestContext,
): JsonObject {
  const { losses, target } = context;
  const flags = serverFlags(target);
  const wish = plan.stopped ? OFF : (request.reasoning ?? NO_WISH);
  if (request.reasoning?.interleave !== undefined)
    losses.add(request.reasoning, 'reasoning.interleave', 'dropped', 'the model chooses when to reason');
  const size = flags.reasoningControl === 'none' ? unasked(wish, context) : sizeOf(wish, context);
  const out = FORMS[flags.reasoningControl](size, wish, context);
  if (flags.clearThinking && plan.tools && size.mode !== 'off')
    out.thinking = { type: 'enabled', ...Object(out.thinking), clear_thinking: false };
  if (flags.reasoningFormat && size.mode !== 'off') out.reasoning_format = wish.show === 'none' ? 'hidden' : 'parsed';
  else reportShow(wish, out, context);
  return out;
}

const NO_WISH: ReasoningSettings = { mode: 'default', show: 'default' };
const OFF: ReasoningSettings = { mode: 'off', show: 'default' };

/** How much a model is asked to reason. */
interface Size {
  readonly mode: ReasoningSettings['mode'];
  /** Of those that the model has. */
  readonly effort?: Effort;
  /** In tokens, where the server takes them. */
  readonly budget?: number;
}

function asks({ mode, effort }: ReasoningSettings): boolean {
  return mode === 'on' || effort !== undefined;
}

function unasked(wish: ReasoningSettings, { losses }: EncodeRequestContext): Size {
  if (asks(wish)) losses.add(wish, 'reasoning.mode', 'dropped', 'the model cannot be asked to reason');
  return { mode: 'default' };
}

function sizeOf(wish: ReasoningSettings, context: EncodeRequestContext): Size {
  const { losses, target } = context;
  const { reasoningControl } = serverFlags(target);
  // A switch has no sizes.
  const thinking = reasoningControl === 'split' ? { ...target.thinking, levels: [] } : target.thinking;
  if (wish.mode === 'off') {
    if (thinking.canDisable) return { mode: 'off' };
    const [lowest] = thinking.levels;
    const least = lowest === undefined ? '' : '; it gets its lowest effort';
    losses.add(wish, 'reasoning.mode', 'approximated', `the model always reasons${least}`);
    return lowest === undefined ? { mode: 'default' } : { mode: 'on', effort: lowest };
  }
  const given = wish.budget !== undefined && wish.budget > 0 ? wish.budget : undefined;
  if (thinking.acceptsBudget === true && given !== undefined) {
    const { minBudget = 1, maxBudget = Number.POSITIVE_INFINITY } = thinking;
    const budget = Math.min(Math.max(given, minBudget), maxBudget);
    if (budget !== given)
      losses.add(wish, 'reasoning.budget', 'approximated', `the budget is sent as ${budget} tokens`);
    return { mode: 'on', budget };
  }
  const wanted = wish.effort ?? (given === undefined ? undefined : effortOf(given));
  if (wanted === undefined) return { mode: wish.mode };
  const effort = thinking.control === 'budget' ? wanted : nearestEffort(wanted, thinking.levels, thinking.defaultLevel);
  if (wish.effort === undefined)
    losses.add(wish, 'reasoning.budget', 'approximated', `the budget became the effort ${effort ?? 'of the model'}`);
  else if (effort !== wanted)
    losses.add(wish, 'reasoning.effort', 'approximated', `the nearest effort of the model is ${effort ?? 'its own'}`);
  return { mode: 'on', ...(effort !== undefined && { effort }) };
}

type Form = (size: Size, wish: ReasoningSettings, context: EncodeRequestContext) => JsonObject;

/** Left out, the effort of some models is none. */
const effortField: Form = ({ mode, effort }, wish, { losses, target }) => {
  if (mode === 'off') return { reasoning_effort: 'none' };
  if (effort !== undefined) return { reasoning_effort: effort };
  const { defaultOn, defaultLevel, levels } = target.thinking;
  if (mode !== 'on' || defaultOn || defaultLevel === undefined || levels.length === 0) return {};
  const detail = `the model reasons only when asked to; effort ${defaultLevel}`;
  losses.add(wish, 'reasoning.effort', 'invented', detail);
  return { reasoning_effort: defaultLevel };
};

/** What each way of asking writes. */
const FORMS: Readonly<Record<ReturnType<typeof serverFlags>['reasoningControl'], Form>> = {
  none: () => ({}),
  effort: effortField,
  openrouter({ mode, effort, budget }, { show }) {
    const hidden = show === 'none' && { exclude: true };
    const asked =
      budget !== undefined
        ? { max_tokens: budget }
        : effort !== undefined
          ? { effort }
          : mode !== 'default' && { enabled: mode === 'on' };
    const reasoning = { ...asked, ...(mode !== 'off' && hidden) };
    return Object.keys(reasoning).length === 0 ? {} : { reasoning };
  },
  thinking({ mode, effort, budget }, _wish, { target }) {
    if (mode === 'default') return {};
    if (mode === 'off') return { thinking: { type: 'disabled' } };
    const { acceptsBudget, levels } = target.thinking;
    const tokens = budget ?? (acceptsBudget === true ? budgetOf(effort ?? 'medium') : undefined);
    return {
      thinking: { type: 'enabled', ...(tokens !== undefined && { budget_tokens: tokens }) },
      ...(effort !== undefined && levels.length > 0 && { reasoning_effort: effort }),
    };
  },
  qwen({ mode, effort, budget }) {
    if (mode === 'default') return {};
    const tokens = budget ?? (effort === undefined ? undefined : budgetOf(effort));
    return { enable_thinking: mode === 'on', ...(tokens !== undefined && { thinking_budget: tokens }) };
  },
  template: ({ mode, effort }) =>
    mode === 'default'
      ? {}
      : { chat_template_kwargs: { enable_thinking: mode === 'on' }, ...(effort && { reasoning_effort: effort }) },
  gemini(size, wish, context) {
    const shown = wish.show !== 'default';
    if (size.mode === 'off' || (size.budget === undefined && !shown)) return effortField(size, wish, context);
    const budget = size.budget ?? (size.effort === undefined ? undefined : budgetOf(size.effort));
    const config = {
      ...(budget !== undefined && { thinking_budget: budget }),
      ...(shown && { include_thoughts: wish.show !== 'none' }),
    };
    return { extra_body: { google: { thinking_config: config } } };
  },
  split: () => ({ reasoning_split: true }),
};

/** Whether and how thoughts are shown is for most servers to decide; those that hide them show nothing. */
function reportShow(wish: ReasoningSettings, out: JsonObject, { losses, target }: EncodeRequestContext): void {
  const { show } = wish;
  const { reasoningControl, reasoningReplay } = serverFlags(target);
  if (show === 'default' || out.extra_body !== undefined) return;
  // Where it is lost that the model should reason, so is what it should show of it.
  if (reasoningControl === 'openrouter' || (reasoningControl === 'none' && asks(wish))) return;
  const hides = reasoningReplay === 'never' || reasoningControl === 'none';
  if (hides && show === 'none') return;
  const detail = hides ? 'the server does not return reasoning' : 'the server chooses how reasoning is shown';
  losses.add(wish, 'reasoning.show', 'dropped', detail);
}
