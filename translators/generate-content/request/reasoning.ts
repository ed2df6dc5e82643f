import { budgetOf, dropForeign, effortOf, isEffort, nearestEffort, showsForFree } from '../../adapt/index.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest, Effort, ReasoningSettings } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { bagOf } from '../content/media.js';
import { check, DIALECT, fieldNames, fieldPtr, numbers, open, remember, remembered } from '../nodes.js';
import * as wire from '../wire/index.js';

const THINKING = fieldNames('includeThoughts', 'thinkingBudget', 'thinkingLevel');

/** Reads `thinkingConfig` ([G §2.6]). */
export function decodeReasoningSettings(value: JsonObject, ptr: string): ReasoningSettings {
  const opened = open(value, THINKING, ptr);
  const known = numbers(opened.known, ['thinkingBudget']);
  const { includeThoughts, thinkingBudget, thinkingLevel } = check(wire.thinkingConfig, known, ptr, opened.names);
  const level = thinkingLevel?.toLowerCase();
  const effort = isEffort(level) ? level : undefined;
  // Levels grow with models: one that nobody knows stays what only this dialect has (translation.md 0.14).
  const foreign = effort === undefined && thinkingLevel !== undefined ? { thinkingLevel } : undefined;
  const ext = bagOf(opened.rest, foreign);
  const settings: ReasoningSettings = {
    mode: modeOf(thinkingBudget, effort),
    ...(effort !== undefined && { effort }),
    ...(thinkingBudget !== undefined && { budget: thinkingBudget }),
    show: includeThoughts === true ? 'summary' : 'none',
    ...(ext !== undefined && { ext }),
    src: { ptr, ...(foreign && { at: { 'ext.thinkingLevel': fieldPtr(opened, 'thinkingLevel', ptr) } }) },
  };
  return remember(settings, value);
}

function modeOf(budget: number | undefined, effort: Effort | undefined): ReasoningSettings['mode'] {
  if (budget === 0) return 'off';
  return budget === undefined && effort === undefined ? 'default' : 'on';
}

/** Encodes the settings as they came. */
export function encodeOwnReasoningSettings(settings: ReasoningSettings): JsonObject {
  const form = remembered(settings);
  if (form !== undefined) return form;
  return {
    ...settings.ext?.generateContent,
    includeThoughts: settings.show === 'summary',
    ...(settings.budget !== undefined && { thinkingBudget: settings.budget }),
    ...(settings.effort !== undefined && { thinkingLevel: settings.effort.toUpperCase() }),
  };
}

/** Encodes the settings of another dialect for the model (translation.md 2.12); never a budget and a level together. */
export function encodeForeignReasoningSettings(
  request: Pick<CanonicalRequest, 'reasoning' | 'at'>,
  context: EncodeRequestContext,
): JsonObject | undefined {
  const { reasoning: settings } = request;
  if (settings === undefined) return undefined;
  const { losses, target } = context;
  const path = ptrOf(settings);
  dropForeign(settings, DIALECT, losses);
  if (target.thinking.control === 'none') {
    if (settings.mode === 'on' || settings.effort !== undefined)
      losses.add(settings, 'reasoning.mode', 'dropped', 'the model does not reason');
    return undefined;
  }
  if (settings.interleave !== undefined) {
    losses.add(settings, 'reasoning.interleave', 'dropped', 'the target decides itself when to think');
  }
  const size = target.thinking.control === 'level' ? levelFor(settings, context) : budgetFor(settings, context);
  // There is nothing to show of thinking that is off.
  const config =
    size.thinkingBudget === 0
      ? size
      : {
          ...size,
          ...shown(settings, path, context),
          ...(showsForFree(request, context) && { includeThoughts: true }),
        };
  return Object.keys(config).length === 0 ? undefined : config;
}

function shown(settings: ReasoningSettings, path: string, { losses }: EncodeRequestContext): JsonObject {
  switch (settings.show) {
    case 'default':
      return {};
    case 'none':
      return { includeThoughts: false };
    case 'concise':
    case 'detailed':
      losses.add(path, 'reasoning.show', 'approximated', 'the length of summaries cannot be chosen');
      return { includeThoughts: true };
    case 'summary':
    case 'auto':
      return { includeThoughts: true };
  }
}

function levelFor(settings: ReasoningSettings, { losses, target }: EncodeRequestContext): JsonObject {
  const { levels, defaultLevel } = target.thinking;
  if (settings.mode === 'off') {
    const lowest = levels[0];
    losses.add(
      settings,
      'reasoning.mode',
      'approximated',
      'reasoning cannot be switched off; the lowest level is sent',
    );
    return lowest === undefined ? {} : { thinkingLevel: lowest.toUpperCase() };
  }
  const budget = settings.budget !== undefined && settings.budget > 0 ? settings.budget : undefined;
  const wanted = settings.effort ?? (budget === undefined ? undefined : effortOf(budget));
  if (wanted === undefined) return {};
  const level = nearestEffort(wanted, levels, defaultLevel);
  if (level === undefined) return {};
  if (settings.effort === undefined) {
    losses.add(settings, 'reasoning.budget', 'approximated', 'the budget is sent as a level');
  } else if (level !== wanted) {
    losses.add(settings, 'reasoning.effort', 'approximated', `the nearest level is ${level}`);
  }
  return { thinkingLevel: level.toUpperCase() };
}

function budgetFor(settings: ReasoningSettings, { losses, target }: EncodeRequestContext): JsonObject {
  const { canDisable, minBudget = 0, maxBudget = Number.POSITIVE_INFINITY } = target.thinking;
  if (settings.mode === 'off') {
    if (canDisable) return { thinkingBudget: 0 };
    losses.add(
      settings,
      'reasoning.mode',
      'approximated',
      'reasoning cannot be switched off; the lowest level is sent',
    );
    return { thinkingBudget: minBudget };
  }
  if (settings.interleave !== undefined && settings.effort === undefined && settings.budget === undefined) {
    return { thinkingBudget: -1 };
  }
  const wanted = settings.budget ?? (settings.effort === undefined ? undefined : budgetOf(settings.effort));
  if (wanted === undefined) return settings.mode === 'on' ? { thinkingBudget: -1 } : {};
  if (wanted < 0) return { thinkingBudget: -1 };
  const budget = Math.min(Math.max(wanted, minBudget), maxBudget);
  if (budget !== wanted) {
    losses.add(
      settings,
      'reasoning.budget',
      'approximated',
      `the model thinks between ${minBudget} and ${maxBudget} tokens`,
    );
  }
  return { thinkingBudget: budget };
}
