import { budgetOf, effortOf, nearestEffort } from '../../adapt/index.js';
import { createLosses } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest, Effort, ReasoningSettings } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { DEFAULT_CAP, wantsThoughtLoops } from '../profile.js';

/** The thinking of a request, with the two fields that depend on it. */
interface ThinkingPlan {
  readonly thinking?: JsonObject;
  readonly effort?: Effort;
  readonly maxTokens: number;
  readonly choice?: JsonObject;
  /** Whether the model will think, so that sampling is closed [M §3.25]. */
  readonly on: boolean;
  /** Whether a call could be forced together with that [M §3.26]. */
  readonly forces: boolean;
}

interface Wish {
  readonly thinking?: JsonObject;
  readonly effort?: Effort;
}

/** Below this no thinking budget is legal [M §3.24]. */
const MIN_BUDGET = 1024;
/** Room that a budget leaves for the answer under the client's own cap (translation.md 2.12). */
const ANSWER_ROOM = 256;
/** The budget for a client that wants thinking and names no size. */
const PLAIN_BUDGET = 8192;

/** Thinking, effort, cap and tool choice, which the service allows only in some combinations (translation.md 2.9, 2.12). */
export function planThinking(
  request: CanonicalRequest,
  choice: JsonObject | undefined,
  context: EncodeRequestContext,
): ThinkingPlan {
  const { losses, target } = context;
  const { reasoning } = request;
  // Losses of thinking that is switched off after all mean nothing.
  const [reading, fitting] = [createLosses(), createLosses()];
  const wish = readWish(request, { ...context, losses: reading });
  const wanted = fitCap(wish, request, { ...context, losses: fitting });
  const switchedOff = wish.thinking !== undefined && wanted.thinking === undefined;
  const reported = switchedOff ? fitting.list : [...reading.list, ...fitting.list];
  const obstacle = obstacleTo(wanted, choice, request, context);
  let plan: Capped & Pick<ThinkingPlan, 'choice'> = { ...wanted, choice };
  if (obstacle === undefined || obstacle.weakens) {
    for (const { path, feature, kind, detail } of reported) losses.add(path, feature, kind, detail);
    if (obstacle !== undefined) {
      losses.add(request.toolChoice, 'toolChoice', 'approximated', obstacle.detail);
      plan = { ...wanted, choice: choice && weakened(choice) };
    }
  } else {
    const path = reasoning?.src?.ptr ?? ptrOf(request.toolChoice);
    losses.add(path, 'reasoning.mode', 'approximated', obstacle.detail);
    const thinking = { type: target.thinking.canDisable ? 'disabled' : 'adaptive' };
    plan = { ...fitCap({ thinking }, request, context), choice };
  }
  return { ...plan, on: thinks(plan, context), forces: forces(plan, context) };
}

function thinks({ thinking }: Wish, { target }: EncodeRequestContext): boolean {
  return thinking === undefined ? target.thinking.defaultOn : thinking.type !== 'disabled';
}

/**
 * Where the model thinks, calls can be forced only by some; of those that size their thinking themselves, only without a
 * budget.
 */
function forces(wish: Wish, context: EncodeRequestContext): boolean {
  const { forcedWithThinking, thinking } = context.target;
  if (!thinks(wish, context)) return true;
  return forcedWithThinking && (thinking.control === 'budget' || wish.thinking?.type !== 'enabled');
}

function readWish(request: CanonicalRequest, context: EncodeRequestContext): Wish {
  const { reasoning } = request;
  const { thinking: profile } = context.target;
  if (reasoning === undefined) return {};
  const path = reasoning.src?.ptr ?? request.at?.['reasoning.effort'] ?? '';
  switch (profile.control) {
    case 'budget':
      return budgetWish(reasoning, path, context);
    case 'adaptive':
    case 'effort':
    case 'level':
      return adaptiveWish(reasoning, path, context);
    case 'none':
      if (reasoning.mode === 'on' || reasoning.effort !== undefined) {
        context.losses.add(path, 'reasoning.mode', 'dropped', 'the model does not reason');
      }
      return {};
  }
}

/** Models up to 4.5, and those that nobody knows: a budget, or nothing. */
function budgetWish(reasoning: ReasoningSettings, path: string, context: EncodeRequestContext): Wish {
  const { losses, target } = context;
  if (reasoning.mode === 'off') {
    return target.thinking.defaultOn && target.thinking.canDisable ? { thinking: { type: 'disabled' } } : {};
  }
  const budget = wantedBudget(reasoning, path, context);
  if (budget === undefined) return {};
  if (reasoning.interleave !== undefined) {
    losses.add(path, 'reasoning.interleave', 'dropped', 'reasoning between tool calls is not supported');
  }
  return { thinking: { type: 'enabled', budget_tokens: budget, ...display(reasoning, path, context) } };
}

function wantedBudget(
  reasoning: ReasoningSettings,
  path: string,
  { losses, target }: EncodeRequestContext,
): number | undefined {
  const { minBudget = MIN_BUDGET, maxBudget } = target.thinking;
  const { budget, effort } = reasoning;
  if (budget !== undefined && budget > 0) {
    const clamped = Math.min(Math.max(budget, minBudget), maxBudget ?? Number.POSITIVE_INFINITY);
    if (clamped !== budget)
      losses.add(path, 'reasoning.budget', 'approximated', `the budget is sent as ${clamped} tokens`);
    return clamped;
  }
  if (effort !== undefined) return Math.min(budgetOf(effort), maxBudget ?? Number.POSITIVE_INFINITY);
  if (reasoning.mode !== 'on') {
    if (!wantsShow(reasoning)) return undefined;
    askToThink(path, losses);
  }
  losses.add(path, 'reasoning.budget', 'invented', `reasoning requires a budget; set to ${PLAIN_BUDGET} tokens`);
  return PLAIN_BUDGET;
}

/** Models of the clients' own dialects think by themselves: who wants to see thoughts wants the model to have them. */
function askToThink(path: string, losses: EncodeRequestContext['losses']): void {
  losses.add(path, 'reasoning.mode', 'invented', 'reasoning was switched on because it is to be shown');
}

function wantsShow({ show }: ReasoningSettings): boolean {
  return show !== 'default' && show !== 'none';
}

/** Models from 4.6 on: they size their thinking themselves, by an effort. */
function adaptiveWish(reasoning: ReasoningSettings, path: string, context: EncodeRequestContext): Wish {
  const { losses, target } = context;
  const { thinking } = target;
  if (reasoning.mode === 'off') {
    if (thinking.canDisable) return { thinking: { type: 'disabled' } };
    if (thinking.betweenTools === true) return betweenToolsOnly(reasoning, path, context);
    const lowest = thinking.levels[0];
    losses.add(path, 'reasoning.mode', 'approximated', 'reasoning cannot be switched off; the lowest effort is sent');
    return lowest === undefined ? {} : { effort: lowest };
  }
  const { budget, effort } = reasoning;
  if (effort === undefined && budget !== undefined && budget > 0 && thinking.acceptsBudget === true) {
    return budgetWish(reasoning, path, context);
  }
  if (reasoning.mode === 'default' && effort === undefined && budget === undefined) {
    if (!wantsShow(reasoning)) return {};
    if (thinking.defaultOn) return { thinking: { type: 'adaptive', ...display(reasoning, path, context) } };
    askToThink(path, losses);
    return { thinking: { type: 'adaptive', ...display(reasoning, path, context) } };
  }
  const kind = interleaved(reasoning, path, context) ? 'between_tools' : 'adaptive';
  const level = wantedLevel(reasoning, path, kind === 'between_tools' ? upToHigh(context) : context);
  const visibility = kind === 'adaptive' ? display(reasoning, path, context) : {};
  return { thinking: { type: kind, ...visibility }, ...(level !== undefined && { effort: level }) };
}

/** The nearest to no thinking of a model that can keep it to the time between calls; its own effort is one that fits. */
function betweenToolsOnly(reasoning: ReasoningSettings, path: string, context: EncodeRequestContext): Wish {
  context.losses.add(path, 'reasoning.mode', 'approximated', 'reasoning between tool calls cannot be switched off');
  const { effort } = reasoning;
  const level = effort && wantedLevel({ mode: 'on', show: 'default', effort }, path, upToHigh(context));
  return { thinking: { type: 'between_tools' }, ...(level !== undefined && { effort: level }) };
}

/** Thinking between calls is refused with more than high effort. */
function upToHigh(context: EncodeRequestContext): EncodeRequestContext {
  const { target } = context;
  const levels = target.thinking.levels.filter((level) => level !== 'xhigh' && level !== 'max');
  return { ...context, target: { ...target, thinking: { ...target.thinking, levels } } };
}

function interleaved(reasoning: ReasoningSettings, path: string, { losses, target }: EncodeRequestContext): boolean {
  if (reasoning.interleave === undefined) return false;
  if (target.thinking.betweenTools === true) return true;
  losses.add(path, 'reasoning.interleave', 'approximated', 'the model chooses where it reasons');
  return false;
}

function wantedLevel(
  reasoning: ReasoningSettings,
  path: string,
  { losses, target }: EncodeRequestContext,
): Effort | undefined {
  const { levels, defaultLevel } = target.thinking;
  const { budget, effort } = reasoning;
  const wanted = effort ?? (budget !== undefined && budget > 0 ? effortOf(budget) : undefined);
  if (wanted === undefined) return undefined;
  const level = nearestEffort(wanted, levels, defaultLevel);
  if (effort === undefined) {
    losses.add(path, 'reasoning.budget', 'approximated', `the budget became effort ${level ?? 'of the model'}`);
  } else if (level !== wanted) {
    losses.add(path, 'reasoning.effort', 'approximated', `effort ${wanted} became ${level ?? 'that of the model'}`);
  }
  return level;
}

function display(reasoning: ReasoningSettings, path: string, { losses, target }: EncodeRequestContext): JsonObject {
  // Whether a model that nobody knows takes the field is unknown too; it shows what it thinks.
  const known = target.thinking.defaultShow !== undefined;
  switch (reasoning.show) {
    case 'default':
      return {};
    case 'none':
      if (!known) losses.add(path, 'reasoning.show', 'dropped', 'the model shows its reasoning');
      return known ? { display: 'omitted' } : {};
    case 'concise':
    case 'detailed':
      losses.add(path, 'reasoning.show', 'approximated', 'the length of summaries cannot be chosen');
      return known ? { display: 'summarized' } : {};
    case 'summary':
    case 'auto':
      return known ? { display: 'summarized' } : {};
  }
}

interface Capped extends Wish {
  readonly maxTokens: number;
}

/** The cap, which the service demands, and a budget that fits below it [M §3.24, §3.40]. */
function fitCap(wish: Wish, request: CanonicalRequest, { losses, target }: EncodeRequestContext): Capped {
  const ceiling = target.maxOutput ?? Number.POSITIVE_INFINITY;
  const given = request.maxOutput;
  const budget = wish.thinking?.budget_tokens;
  if (given === undefined) {
    const standard = target.defaultMaxOutput ?? DEFAULT_CAP;
    const cap = Math.min(ceiling, typeof budget === 'number' ? budget + standard : standard);
    losses.add('', 'maxOutput', 'invented', `an output cap is required; set to ${cap} tokens`);
    return fitBudget(wish, cap, request, { losses, target });
  }
  const cap = Math.max(1, Math.min(given, ceiling));
  if (cap !== given) {
    losses.add(request.at?.maxOutput ?? '', 'maxOutput', 'approximated', `the model generates at most ${cap} tokens`);
  }
  return fitBudget(wish, cap, request, { losses, target });
}

function fitBudget(
  wish: Wish,
  cap: number,
  request: CanonicalRequest,
  { losses, target }: Pick<EncodeRequestContext, 'losses' | 'target'>,
): Capped {
  const budget = wish.thinking?.budget_tokens;
  if (typeof budget !== 'number') return { ...wish, maxTokens: cap };
  const fitting = Math.min(budget, cap - ANSWER_ROOM);
  if (fitting === budget) return { ...wish, maxTokens: cap };
  const path = request.reasoning?.src?.ptr ?? request.at?.maxOutput ?? '';
  if (fitting < MIN_BUDGET) {
    losses.add(path, 'reasoning.mode', 'approximated', 'the cap leaves no room for thinking');
    // One model takes efforts beside budgets: they say how much it writes, too.
    const wanted = request.reasoning?.effort;
    const effort = wish.effort ?? (wanted && nearestEffort(wanted, target.thinking.levels, undefined));
    return { effort, maxTokens: cap };
  }
  losses.add(path, 'reasoning.budget', 'approximated', `the cap leaves ${fitting} tokens for thinking`);
  return { ...wish, thinking: { ...wish.thinking, budget_tokens: fitting }, maxTokens: cap };
}

/** What of a request excludes thinking. */
interface Obstacle {
  /** Whether the choice of tools gives way; otherwise thinking does, for this call. */
  readonly weakens: boolean;
  readonly detail: string;
}

/** Forced calls and an open tool loop, as far as thinking excludes them [M §3.26, §3.27]. */
function obstacleTo(
  plan: Capped,
  choice: JsonObject | undefined,
  request: CanonicalRequest,
  context: EncodeRequestContext,
): Obstacle | undefined {
  const loop = openLoop(request);
  const forced = choice?.type === 'any' || choice?.type === 'tool';
  if (forced && !forces(plan, context)) {
    if (loop === 'thinking' || !context.target.thinking.canDisable) {
      return { weakens: true, detail: 'tool calls cannot be forced while the model reasons' };
    }
    return { weakens: false, detail: 'reasoning is switched off for this request because a tool call is forced' };
  }
  if (loop === 'plain' && plan.thinking?.type === 'enabled' && wantsThoughtLoops(context.target)) {
    return {
      weakens: false,
      detail: 'reasoning is switched off for this request because the reasoning of the open turn is lost',
    };
  }
  return undefined;
}

function weakened(choice: JsonObject): JsonObject {
  const { disable_parallel_tool_use: single } = choice;
  return { type: 'auto', ...(single !== undefined && { disable_parallel_tool_use: single }) };
}

/** Whether the history ends in tool results, and if so whether the turn they answer begins with thinking. */
function openLoop({ turns }: CanonicalRequest): 'none' | 'plain' | 'thinking' {
  const last = turns.at(-1);
  const caller = turns.at(-2);
  if (last?.role !== 'user' || !last.parts.some((part) => part.kind === 'result')) return 'none';
  const first = caller?.parts[0];
  return first?.kind === 'opaque' && first.type.endsWith('thinking') ? 'thinking' : 'plain';
}
