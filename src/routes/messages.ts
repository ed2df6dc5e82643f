import { serveCount, serveExchange } from '../exchange/index.js';
import { readJson } from '../http/index.js';
import { askOf } from './ask.js';
import { belowVersion, type Route } from './route.js';

/** `/v1/messages` and its token count. */
export const messagesRoutes: readonly Route[] = [
  {
    methods: ['POST'],
    path: '/v1/messages',
    pattern: belowVersion('messages'),
    counts: 'conversation',
    serve: async (gateway, call) => serveExchange(gateway, call, askOf(await readJson(gateway, call))),
  },
  {
    methods: ['POST'],
    path: '/v1/messages/count_tokens',
    pattern: belowVersion(String.raw`messages\/count_tokens`),
    counts: 'request',
    serve: async (gateway, call) => serveCount(gateway, call, askOf(await readJson(gateway, call))),
  },
];
