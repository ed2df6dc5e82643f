import { effortOf, isEffort, nearestEffort, showsForFree } from '../../adapt/index.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest, Effort, ReasoningSettings } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { lookUp } from '../../wire/json.js';
import { check, complete, keepDifferences, keysOf, origin, type Reader, remember, remembered } from '../nodes.js';
import * as wire from '../wire/index.js';

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
    ...origin(node, REASONING, ptr),
  };
  const encoded = encodeOwnReasoningSettings(settings);
  const { summary: generate_summary } = encoded;
  return remember(keepDifferences(settings, node, isOlder ? { ...encoded, generate_summary } : encoded), node);
}

/** The settings as they came. */
export function encodeOwnReasoningSettings(settings: ReasoningSettings): JsonObject {
  const form = remembered(settings);
  if (form !== undefined) return form;
  const fields: JsonObject = {};
  if (settings.mode === 'off') fields.effort = 'none';
  else if (settings.effort !== undefined) fields.effort = settings.effort;
  if (settings.show !== 'default') fields.summary = settings.show;
  return complete(fields, settings);
}

/** Whether the model of this request reasons, as far as that is known: because it does anyway, or because it is asked to. */
export function reasons({ reasoning }: CanonicalRequest, { target }: EncodeRequestContext): boolean {
  const { control, canDisable, defaultOn } = target.thinking;
  if (control === 'none') return false;
  if (reasoning?.mode === 'off') return !canDisable;
  return defaultOn || reasoning?.mode === 'on' || reasoning?.effort !== undefined;
}

/** Settings of a foreign request (translation.md 2.12); undefined when nothing is said. */
export function encodeForeignReasoningSettings(
  request: CanonicalRequest,
  context: EncodeRequestContext,
): JsonObject | undefined {
  const { reasoning } = request;
  if (reasoning === undefined) return undefined;
  const { losses, target } = context;
  const ptr = ptrOf(reasoning);
  if (target.thinking.control === 'none') {
    if (reasoning.mode === 'on' || reasoning.effort !== undefined)
      losses.add(ptr, 'reasoning.mode', 'dropped', 'the model does not reason');
    return undefined;
  }
  const fields: JsonObject = {};
  const effort = foreignEffort(reasoning, context);
  if (effort !== undefined) fields.effort = effort;
  const summary = foreignSummary(reasoning) ?? (showsForFree(request, context) ? 'auto' : undefined);
  if (summary !== undefined) fields.summary = summary;
  if (reasoning.interleave !== undefined) {
    losses.add(ptr, 'reasoning.interleave', 'dropped', 'the model chooses when to reason');
  }
  return Object.keys(fields).length === 0 ? undefined : fields;
}

function foreignEffort(
  reasoning: ReasoningSettings,
  { losses, target }: EncodeRequestContext,
): Effort | 'none' | undefined {
  const ptr = ptrOf(reasoning);
  const { levels, canDisable, defaultLevel, defaultOn } = target.thinking;
  if (levels.length === 0) {
    if (reasoning.mode !== 'default' || reasoning.effort !== undefined)
      losses.add(ptr, 'reasoning.effort', 'dropped', 'the host does not support this value');
    return undefined;
  }
  if (reasoning.mode === 'off') {
    if (canDisable) return 'none';
    losses.add(ptr, 'reasoning.mode', 'approximated', 'reasoning cannot be switched off; the lowest effort is sent');
    return levels[0];
  }
  const { budget } = reasoning;
  const sized = budget !== undefined && budget > 0 ? effortOf(budget) : undefined;
  const wanted = reasoning.effort ?? sized;
  if (wanted === undefined) {
    // Left out, the effort of some models is none.
    if (reasoning.mode !== 'on' || defaultOn || defaultLevel === undefined) return undefined;
    losses.add(ptr, 'reasoning.effort', 'invented', `the model reasons only when asked to; effort ${defaultLevel}`);
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
