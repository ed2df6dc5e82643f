import { budgetOf, type HostStep, isEffort } from '../../adapt/index.js';
import { isObject } from '../../wire/json.js';
import { withMember } from '../../wire/shared-copies.js';

/** The least budget of thinking, and the most of a host whose models nobody knows [M §3.24]. */
const LEAST = 1024;

/** Thinking for as long as the model sees fit has a budget, by the effort that was asked for. */
export const withBudget: HostStep = (body, { losses }) => {
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
export const withoutBudget: HostStep = (body, { unsupported, losses }) => {
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
