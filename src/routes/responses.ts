import { type ConversingAsk, runsHere, serveBackground } from '../conversations/background.js';
import { compactsHere, serveCompact, serveCompaction } from '../conversations/compaction.js';
import { openConversation } from '../conversations/conversation.js';
import { serveCount } from '../exchange/count.js';
import { serveExchange } from '../exchange.js';
import type { Gateway } from '../gateway.js';
import { readJson } from '../http/body.js';
import type { ClientCall } from '../http/client-call.js';
import { askOf } from './ask.js';
import { belowVersion, type Route } from './route.js';

/** `/v1/responses`, its token count and its compaction. */
export const responsesRoutes: readonly Route[] = [
  {
    methods: ['POST'],
    path: '/v1/responses',
    pattern: belowVersion('responses'),
    counts: 'conversation',
    serve: create,
  },
  {
    methods: ['POST'],
    path: '/v1/responses/input_tokens',
    pattern: belowVersion(String.raw`responses\/input_tokens`),
    counts: 'request',
    serve: async (gateway, call) => serveCount(gateway, call, await conversing(gateway, call, false)),
  },
  {
    methods: ['POST'],
    path: '/v1/responses/compact',
    pattern: belowVersion(String.raw`responses\/compact`),
    counts: 'conversation',
    serve: async (gateway, call) => serveCompact(gateway, call, await conversing(gateway, call, false)),
  },
];

async function create(gateway: Gateway, call: ClientCall): Promise<void> {
  const ask = await conversing(gateway, call, true);
  if (compactsHere(gateway, call, ask)) return serveCompaction(gateway, call, ask);
  return runsHere(gateway, call, ask) ? serveBackground(gateway, call, ask) : serveExchange(gateway, call, ask);
}

async function conversing(gateway: Gateway, call: ClientCall, answers: boolean): Promise<ConversingAsk> {
  const ask = askOf(await readJson(gateway, call));
  return { ...ask, conversation: await openConversation(gateway, call, ask, answers) };
}
