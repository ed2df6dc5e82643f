import {
  type ConversingAsk,
  compactsHere,
  openConversation,
  runsHere,
  serveBackground,
  serveCompact,
  serveCompaction,
} from '../conversations/index.js';
import { serveCount, serveExchange } from '../exchange/index.js';
import { type ClientCall, readJson } from '../http/index.js';
import { belowVersion, PATHS } from '../protocol/index.js';
import { askOf } from './ask.js';
import type { Route } from './route.js';
import type { RouteServices } from './services.js';

/** `/v1/responses`, its token count and its compaction. */
export const responsesRoutes: readonly Route[] = [
  {
    methods: ['POST'],
    path: '/v1/responses',
    pattern: PATHS.responses,
    counts: 'conversation',
    serve: create,
  },
  {
    methods: ['POST'],
    path: '/v1/responses/input_tokens',
    pattern: PATHS.responsesCount,
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

async function create(gateway: RouteServices, call: ClientCall): Promise<void> {
  const ask = await conversing(gateway, call, true);
  if (compactsHere(gateway, call, ask)) return serveCompaction(gateway, call, ask);
  return runsHere(gateway, call, ask) ? serveBackground(gateway, call, ask) : serveExchange(gateway, call, ask);
}

async function conversing(gateway: RouteServices, call: ClientCall, answers: boolean): Promise<ConversingAsk> {
  const ask = askOf(await readJson(gateway, call));
  return { ...ask, conversation: await openConversation(gateway, call, ask, answers) };
}
