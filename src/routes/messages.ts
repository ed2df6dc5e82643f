import { serveCount, serveExchange } from '../exchange/index.js';
import { readJson } from '../http/index.js';
import { PATHS } from '../protocol/index.js';
import { askOf } from './ask.js';
import type { Route } from './route.js';

/** `/v1/messages` and its token count. */
export const messagesRoutes: readonly Route[] = [
  {
    methods: ['POST'],
    path: '/v1/messages',
    pattern: PATHS.messages,
    counts: 'conversation',
    serve: async (gateway, call) => serveExchange(gateway, call, askOf(await readJson(gateway, call))),
  },
  {
    methods: ['POST'],
    path: '/v1/messages/count_tokens',
    pattern: PATHS.messagesCount,
    counts: 'request',
    serve: async (gateway, call) => serveCount(gateway, call, askOf(await readJson(gateway, call))),
  },
];
