import { serveCount, serveExchange } from '../exchange/index.js';
import { withJson } from '../http/index.js';
import { PATHS } from '../protocol/index.js';
import { askOf, passesOn } from './ask.js';
import type { Route } from './route.js';

/** `/v1/messages` and its token count. */
export const messagesRoutes: readonly Route[] = [
  {
    methods: ['POST'],
    path: '/v1/messages',
    pattern: PATHS.messages,
    counts: 'conversation',
    serve: (gateway, call) =>
      withJson(gateway, call, (json) => serveExchange(gateway, call, askOf(json)), passesOn(gateway, call)),
  },
  {
    methods: ['POST'],
    path: '/v1/messages/count_tokens',
    pattern: PATHS.messagesCount,
    counts: 'request',
    serve: (gateway, call) => withJson(gateway, call, (json) => serveCount(gateway, call, askOf(json))),
  },
];
