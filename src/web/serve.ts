import type { CallSteps } from '../call/index.js';
import type { Refusal } from './call.js';
import { countInstead, deliverCount, planCount } from './count.js';
import type { CallPlan, Task } from './plan.js';
import { type Answered, notAsked, send } from './send.js';
import { deliverTranslated, planTranslation } from './translated.js';
import { refusalOf } from './transport.js';

/** How a request is served by one host. Rejects with the client's error. */
export function planFor(task: Task): Promise<CallPlan> {
  const { call, ask, relays } = task;
  if (ask.counting) return planCount(task);
  return call.settings.service.id === call.dialect && relays !== undefined ? relays.plan(task) : planTranslation(task);
}

/** How a request goes to hosts and back. Nothing is remembered between calls, so that nothing is revised. */
export const WEB_STEPS: CallSteps<Task, CallPlan, Answered, Response, Refusal> = {
  plan: planFor,
  send: async ({ call, sent }) => (sent === undefined ? notAsked() : send(call, sent)),
  status: ({ status }) => status,
  deliver(plan, answered) {
    switch (plan.kind) {
      case 'relayed':
        return plan.relays.deliver(plan, answered);
      case 'translated':
        return deliverTranslated(plan, answered);
      case 'counted':
        return deliverCount(plan, answered);
    }
  },
  instead: (plan, answered) => (plan.kind === 'counted' ? countInstead(plan, answered) : undefined),
  refusal: refusalOf,
};
