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
import { type ClientCall, type Served, withJson } from '../http/index.js';
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
    serve: (gateway, call) => conversing(gateway, call, false, (ask) => serveCount(gateway, call, ask)),
  },
  {
    methods: ['POST'],
    path: '/v1/responses/compact',
    pattern: belowVersion(String.raw`responses\/compact`),
    counts: 'conversation',
    serve: (gateway, call) => conversing(gateway, call, false, (ask) => serveCompact(gateway, call, ask)),
  },
];

function create(gateway: RouteServices, call: ClientCall): Promise<Served> {
  return conversing(gateway, call, true, (ask) => {
    if (compactsHere(gateway, call, ask)) return serveCompaction(gateway, call, ask);
    return runsHere(gateway, call, ask) ? serveBackground(gateway, call, ask) : serveExchange(gateway, call, ask);
  });
}

/** Serves a request with the conversation that it names. */
function conversing(
  gateway: RouteServices,
  call: ClientCall,
  answers: boolean,
  serve: (ask: ConversingAsk) => Promise<Served>,
): Promise<Served> {
  return withJson(gateway, call, async (json) => {
    const ask = askOf(json);
    return serve({ ...ask, conversation: await openConversation(gateway, call, ask, answers) });
  });
}
