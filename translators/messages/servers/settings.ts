import { budgetOf, isEffort, keepsOnly, leavesOut, schemaInWords, withoutEmpty } from '../../adapt/index.js';
import { isObject } from '../../wire/json.js';
import { withMember } from '../../wire/shared-copies.js';
import { members } from '../request/members.js';
import type { Fit } from './fitting.js';

/** The form of the answer, asked for in words at the end of the instructions (translation.md 2.10). */
export const withFormInWords: Fit = (body, { losses }) => {
  const { output_config: config, output_format: older, system } = body;
  const format = isObject(config) && isObject(config.format) ? config.format : older;
  if (!isObject(format) || format.type !== 'json_schema') return body;
  const path = format === older ? '/output_format' : '/output_config/format';
  losses.add(
    path,
    'output.schema',
    'approximated',
    'the schema is part of the instructions; the answer is not validated',
  );
  const words = schemaInWords(isObject(format.schema) ? format.schema : {});
  const bare = withMember(body, 'output_format', undefined);
  return {
    ...(isObject(config) ? withoutEmpty(bare, 'output_config', withMember(config, 'format', undefined)) : bare),
    system: Array.isArray(system)
      ? [...system, { type: 'text', text: words }]
      : typeof system === 'string' && system !== ''
        ? `${system}\n\n${words}`
        : words,
  };
};

/** The least budget of thinking, and the most of a host whose models nobody knows [M §3.24]. */
const LEAST = 1024;

/** Thinking for as long as the model sees fit has a budget, by the effort that was asked for. */
export const withBudget: Fit = (body, { losses }) => {
  const { thinking, output_config: config, max_tokens: cap } = body;
  if (!isObject(thinking) || thinking.type !== 'adaptive') return body;
  const effort = isObject(config) && isEffort(config.effort) ? config.effort : 'high';
  const budget = Math.min(budgetOf(effort), typeof cap === 'number' ? cap - 1 : budgetOf(effort));
  if (budget < LEAST) {
    losses.add('/thinking', 'reasoning.mode', 'dropped', 'the cap on the answer leaves no room for a budget');
    return withMember(body, 'thinking', undefined);
  }
  losses.add('/thinking', 'reasoning.mode', 'approximated', 'the model thinks within a budget');
  return { ...body, thinking: { type: 'enabled', budget_tokens: budget } };
};

/** Thinking within a budget is thinking for as long as the model sees fit. */
export const withoutBudget: Fit = (body, { unsupported, losses }) => {
  const { thinking } = body;
  if (!isObject(thinking) || thinking.type !== 'enabled') return body;
  if (unsupported.has('adaptive')) {
    losses.add('/thinking', 'reasoning.mode', 'dropped', 'the host does not support reasoning settings');
    return withMember(body, 'thinking', undefined);
  }
  losses.add('/thinking/budget_tokens', 'reasoning.budget', 'dropped', 'the host does not support reasoning budgets');
  const { budget_tokens: _budget, ...rest } = thinking;
  return { ...body, thinking: { ...rest, type: 'adaptive' } };
};

/** No word for how hard the model thinks. */
export const withoutEffort: Fit = leavesOut(
  '/output_config/effort',
  'reasoning.effort',
  'the host does not support this value',
  () => true,
);

/** That the model is not to think goes as it came: newer servers may know it. Thoughts are left out of the answer. */
export const toldThinkingOff: Fit = (body, { losses }) => {
  const { thinking } = body;
  if (isObject(thinking) && thinking.type === 'disabled')
    losses.add(
      '/thinking',
      'reasoning.mode',
      'approximated',
      'the host ignores it; reasoning is left out of the answer',
    );
  return body;
};

/** That the model is not to think is told its template too, where the server takes it. */
export const withTemplateSwitch: Fit = (body) => {
  const { thinking, chat_template_kwargs: given } = body;
  if (!isObject(thinking) || thinking.type !== 'disabled' || given !== undefined) return body;
  return { ...body, chat_template_kwargs: { enable_thinking: false } };
};

/** A last message of the assistant goes as it came, but is not continued. */
export const toldPrefill: Fit = (body, { losses }) => {
  const { messages } = body;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (Array.isArray(messages) && isObject(last) && last.role === 'assistant')
    losses.add(`/messages/${messages.length - 1}`, 'turn.prefill', 'approximated', 'the host starts a new answer');
  return body;
};

/** No tier but the common one. */
export const withoutTier: Fit = leavesOut(
  '/service_tier',
  'tier',
  'the host does not support this tier',
  (value) => value !== 'auto',
);

/** No container of the service. */
export const withoutContainer: Fit = leavesOut(
  '/container',
  'ext.container',
  'the host does not keep containers',
  () => true,
);

/** No members that the host does not know. */
export const withKnownMembers: Fit = keepsOnly(members);
