import { serveCount } from '../exchange/count.js';
import { type Ask, serveExchange } from '../exchange.js';
import { type JsonBody, readJson } from '../http/body.js';
import type { ClientCall } from '../http/client-call.js';
import { Failure } from '../http/failure.js';
import { checkModelName, modelId } from './ask.js';
import { belowVersion, decodeSegment, type Route } from './route.js';

const VERBS = {
  generate: belowVersion('(.+):generateContent'),
  stream: belowVersion('(.+):streamGenerateContent'),
  count: belowVersion('(.+):countTokens'),
};

/** The three verbs on a model, in every form in which the resource is named. */
export const generateContentRoutes: readonly Route[] = [
  {
    methods: ['POST'],
    path: '/v1beta/models/{model}:generateContent',
    pattern: VERBS.generate,
    counts: 'conversation',
    serve: async (gateway, call) => {
      const model = modelOf(call, VERBS.generate);
      const json = await readJson(gateway, call);
      return serveExchange(gateway, call, urlAsk(json, model, false, 'sse'));
    },
  },
  {
    methods: ['POST'],
    path: '/v1beta/models/{model}:streamGenerateContent',
    pattern: VERBS.stream,
    counts: 'conversation',
    serve: async (gateway, call) => {
      const model = modelOf(call, VERBS.stream);
      const json = await readJson(gateway, call);
      const sse = new URLSearchParams(call.query).get('alt') === 'sse';
      return serveExchange(gateway, call, urlAsk(json, model, true, sse ? 'sse' : 'array'));
    },
  },
  {
    methods: ['POST'],
    path: '/v1beta/models/{model}:countTokens',
    pattern: VERBS.count,
    counts: 'request',
    serve: async (gateway, call) => {
      const model = modelOf(call, VERBS.count);
      const json = await readJson(gateway, call);
      return serveCount(gateway, call, urlAsk(json, model, false, 'sse'));
    },
  },
];

function modelOf(call: ClientCall, pattern: RegExp): string {
  const resource = decodeSegment(pattern.exec(call.path)?.[1] ?? '');
  if (resource === undefined) {
    throw new Failure({ kind: 'invalid_request', message: 'the model in the path is not valid percent-encoding' });
  }
  return checkModelName(modelId(resource), '/$url/model');
}

function urlAsk(json: JsonBody, model: string, stream: boolean, framing: Ask['framing']): Ask {
  return { json, model, stream, framing };
}
