import { serveExchange } from '../exchange/index.js';
import { Failure } from '../ground/index.js';
import { withJson } from '../http/index.js';
import { relayRoute } from '../passthrough/index.js';
import { atDeployment, belowVersion, PATHS } from '../protocol/index.js';
import { askOf } from './ask.js';
import type { Route } from './route.js';

/**
 * `/v1/chat/completions`, in every form of its path that clients of other servers use, and the completions that a service
 * stored, which are relayed to it (translation.md 8).
 */
export const chatCompletionsRoutes: readonly Route[] = [
  {
    methods: ['POST', 'GET'],
    path: '/v1/chat/completions',
    pattern: PATHS.chatCompletions,
    counts: 'conversation',
    reads: true,
    serve: (gateway, call) =>
      call.request.method === 'GET'
        ? relayRoute(gateway, call, { unserved: takesPost })
        : withJson(gateway, call, (json) => serveExchange(gateway, call, askOf(json))),
  },
  {
    methods: ['GET', 'POST', 'DELETE'],
    path: '/v1/chat/completions/{id}',
    pattern: belowVersion(String.raw`chat\/completions\/[^/]+`),
    counts: 'request',
    reads: true,
    serve: (gateway, call) => relayRoute(gateway, call),
  },
  {
    methods: ['GET'],
    path: '/v1/chat/completions/{id}/messages',
    pattern: belowVersion(String.raw`chat\/completions\/[^/]+\/messages`),
    reads: true,
    serve: (gateway, call) => relayRoute(gateway, call),
  },
  {
    methods: ['POST'],
    path: '/openai/deployments/{model}/chat/completions',
    pattern: PATHS.deployment,
    counts: 'conversation',
    serve: (gateway, call) =>
      withJson(gateway, call, (json) => serveExchange(gateway, call, askOf(atDeployment(call.path, json)))),
  },
];

/** Where no backend keeps completions that could be listed, the path is for new ones only. */
function takesPost(): Failure {
  const message = '/v1/chat/completions takes POST, not GET: no backend of this gateway lists stored completions';
  return new Failure({ kind: 'invalid_request', status: 405, message }, { headers: { allow: 'POST' } });
}
