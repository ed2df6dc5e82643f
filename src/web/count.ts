import type { TokenCount } from '../../translators/index.js';
import { NO_ENDPOINT, readCount, translatedAsk } from '../call/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { createEstimate } from '../protocol/index.js';
import { jsonAnswer } from './call.js';
import type { CountedPlan, Task } from './plan.js';
import { decode } from './request.js';
import { type Answered, bytesOf } from './send.js';
import { prepare } from './translated.js';
import { headersFor, TRANSPORT } from './transport.js';

/** How the tokens of a request are counted: the backend does, or it is estimated (translation.md 8). */
export async function planCount(task: Task): Promise<CountedPlan> {
  const { dialect: client, settings } = task.call;
  const { host, service } = settings;
  const { counts: route } = gatewayDialect(host.dialect);
  const native = route !== false && !host.unsupported.includes(route);
  if (host.dialect === client) {
    const relayed = native ? await task.relays?.call(task) : undefined;
    const { sent, losses } = relayed ?? { sent: undefined, losses: { list: [] } };
    return { kind: 'counted', ...task, sent, losses };
  }
  const { exchange, losses } = await prepare(task);
  const sent = native ? translatedAsk(host, service, 'count', exchange.sent) : undefined;
  return { kind: 'counted', ...task, sent, losses };
}

/** The count of the backend: as it came where that is of the client's dialect. */
export async function deliverCount(plan: CountedPlan, answered: Answered): Promise<Response> {
  const { call, complete, losses } = plan;
  const { service } = call.settings;
  if (service.id !== call.dialect)
    return countAnswer(plan, answered, await readCount(TRANSPORT, plan, answered, service));
  const bytes = await bytesOf(call, answered);
  const type = answered.headers['content-type'] ?? 'application/json';
  complete({ losses: losses.list });
  return new Response(bytes, {
    status: answered.status,
    headers: { ...headersFor(plan, answered), 'content-type': type },
  });
}

/** The estimate in the place of a count by a backend that has no route for it. */
export function countInstead(plan: CountedPlan, answered: Answered): Promise<Response> | undefined {
  return NO_ENDPOINT.has(answered.status) ? estimate(plan, answered) : undefined;
}

async function estimate(plan: CountedPlan, answered: Answered): Promise<Response> {
  const { call, ask } = plan;
  const { signal } = call;
  // Nobody reads why it is not counted there.
  answered.response.body?.cancel().catch(() => undefined);
  const waiting = {
    get gone() {
      return signal?.aborted === true;
    },
  };
  const input = await createEstimate(waiting, () => call.settings.countTokens)(decode(call, ask).request);
  const answer = countAnswer(plan, answered, { input });
  answer.headers.set('x-interlingua-estimate', 'true');
  return answer;
}

function countAnswer(plan: CountedPlan, answered: Answered, count: TokenCount): Response {
  const { call, complete, losses } = plan;
  complete({ losses: losses.list });
  return jsonAnswer(200, call.client.count.encodeResponse(count), headersFor(plan, answered));
}
