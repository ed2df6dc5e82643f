import { type CallSteps, serveFirst } from '../call/index.js';
import type { Refusal } from './call.js';
import { countInstead, deliverCount, planCount } from './count.js';
import type { CallPlan, Task } from './plan.js';
import { type Answered, notAsked, send } from './send.js';
import { deliverTranslated, planTranslation } from './translated.js';
import { refusalOf } from './transport.js';

/** Has a request answered by the one host that there is. Rejects with what is answered instead. */
export async function serve(task: Task): Promise<Response> {
  const outcome = await serveFirst([task], STEPS);
  if ('served' in outcome) return outcome.served;
  throw outcome.failed?.refusal;
}

/** Nothing is remembered between calls, so that nothing is revised. */
const STEPS: CallSteps<Task, CallPlan, Answered, Response, Refusal> = {
  plan: (task) => {
    const { call, ask } = task;
    if (ask.counting) return planCount(task);
    const { relays } = task;
    return call.settings.service.id === call.dialect && relays !== undefined
      ? relays.plan(task)
      : planTranslation(task);
  },
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
