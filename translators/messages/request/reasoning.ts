import { isEffort } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { ReasoningSettings } from '../../canonical/request.js';
import { invalid, keep, keysOf, type Mutable, remember, remembered, restore, withExtra } from '../nodes.js';
import { defaultShow } from '../profile.js';
import * as wire from '../wire/index.js';
import type { Request } from './members.js';

const THINKING = keysOf(wire.thinkingConfig);

/**
 * The thinking settings of a request: `thinking` and the effort out of `output_config` (translation.md 2.12). What is
 * shown where `display` is absent depends on the model [M §2.7].
 */
export function decodeReasoningSettings(
  request: Request,
  body: JsonObject,
  at: Record<string, string>,
): ReasoningSettings | undefined {
  const { thinking } = request;
  const effort = request.output_config?.effort ?? undefined;
  if (isEffort(effort)) at['reasoning.effort'] = '/output_config/effort';
  if (thinking === null || thinking === undefined) {
    return isEffort(effort)
      ? { mode: 'default', effort, show: 'default', src: { ptr: '/output_config/effort' } }
      : undefined;
  }
  const node = body.thinking as JsonObject;
  let kept = keep(node, THINKING, '/thinking');
  const known = decodeMode(thinking.type);
  if (known === undefined) kept = withExtra(kept, 'type', thinking.type);
  const out: Mutable<ReasoningSettings> = { mode: known ?? 'on', show: showOf(thinking, request.model ?? ''), ...kept };
  if (thinking.type !== 'enabled' && node.budget_tokens !== undefined && node.budget_tokens !== null) {
    out.ext = withExtra({ src: kept.src, ext: out.ext }, 'budget_tokens', node.budget_tokens).ext;
  }
  if (thinking.type === 'between_tools') out.interleave = 'between_tools';
  if (thinking.type === 'enabled') {
    if (typeof thinking.budget_tokens !== 'number') throw invalid('/thinking/budget_tokens', 'field required');
    const { budget_tokens: budget } = thinking;
    if (typeof request.max_tokens === 'number' && request.max_tokens > 0 && budget >= request.max_tokens) {
      throw invalid('/thinking/budget_tokens', 'must be less than max_tokens');
    }
    out.budget = budget;
    at['reasoning.budget'] = '/thinking/budget_tokens';
  }
  if (isEffort(effort)) out.effort = effort;
  if (typeof thinking.display === 'string') {
    at['reasoning.show'] = '/thinking/display';
    if (thinking.display !== 'summarized' && thinking.display !== 'omitted') {
      out.ext = withExtra({ src: kept.src, ext: out.ext }, 'display', thinking.display).ext;
    }
  }
  return remember(out, node);
}

function decodeMode(type: string): ReasoningSettings['mode'] | undefined {
  switch (type) {
    case 'disabled':
      return 'off';
    case 'enabled':
    case 'adaptive':
    case 'between_tools':
      return 'on';
    default:
      return undefined;
  }
}

function showOf(thinking: NonNullable<Request['thinking']>, model: string): ReasoningSettings['show'] {
  switch (thinking.display) {
    case 'summarized':
      return 'summary';
    case 'omitted':
      return 'none';
    default:
      if (thinking.type === 'enabled') return 'summary';
      return thinking.type === 'adaptive' && defaultShow(model) === 'summary' ? 'summary' : 'default';
  }
}

/** The `thinking` field as it came; undefined when only an effort was given. */
export function encodeOwnReasoningSettings(
  settings: ReasoningSettings,
  at: Readonly<Record<string, string>> | undefined,
): JsonObject | undefined {
  if (settings.mode === 'default') return undefined;
  const form = remembered(settings);
  if (form !== undefined) return form;
  const out: JsonObject = { type: typeOf(settings) };
  if (settings.budget !== undefined) out.budget_tokens = settings.budget;
  if (at?.['reasoning.show'] !== undefined) out.display = settings.show === 'none' ? 'omitted' : 'summarized';
  return restore(out, settings);
}

function typeOf(settings: ReasoningSettings): string {
  if (settings.mode === 'off') return 'disabled';
  if (settings.interleave !== undefined) return 'between_tools';
  return settings.budget === undefined ? 'adaptive' : 'enabled';
}
