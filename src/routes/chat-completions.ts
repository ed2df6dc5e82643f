import { editMembers } from '../../translators/index.js';
import { type Ask, serveExchange } from '../exchange/index.js';
import { Failure } from '../ground/index.js';
import { type ClientCall, checkModelName, readJson } from '../http/index.js';
import { relayRoute } from '../passthrough/index.js';
import { askOf } from './ask.js';
import { belowVersion, decodeSegment, type Route } from './route.js';
import type { RouteServices } from './services.js';

const CREATE = belowVersion(String.raw`chat\/completions`);
/** Where the URL names the model [H §1.1]. */
const DEPLOYMENT = /^\/openai\/deployments\/([^/]+)\/chat\/completions\/?$/;

/**
 * `/v1/chat/completions`, in every form of its path that clients of other servers use, and the completions that a service
 * stored, which are relayed to it (chat-translation.md 8).
 */
export const chatCompletionsRoutes: readonly Route[] = [
  {
    methods: ['POST', 'GET'],
    path: '/v1/chat/completions',
    pattern: CREATE,
    counts: 'conversation',
    reads: true,
    serve: async (gateway, call) =>
      call.request.method === 'GET'
        ? relayRoute(gateway, call)
        : serveExchange(gateway, call, askOf(await readJson(gateway, call))),
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
    pattern: DEPLOYMENT,
    counts: 'conversation',
    serve: async (gateway, call) => serveExchange(gateway, call, await deployed(gateway, call)),
  },
];

/** The model of the URL stands in the place of that of the body, which may name none. */
async function deployed(gateway: RouteServices, call: ClientCall): Promise<Ask> {
  const segment = decodeSegment(DEPLOYMENT.exec(call.path)?.[1] ?? '');
  if (segment === undefined) {
    throw new Failure({ kind: 'invalid_request', message: 'the deployment in the path is not valid percent-encoding' });
  }
  const model = checkModelName(segment, '/$url/model');
  const { value, text } = await readJson(gateway, call);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return askOf({ value, text });
  const named = editMembers(text, { model: { json: JSON.stringify(model), add: true } });
  return askOf({ value: { ...value, model }, text: named });
}
