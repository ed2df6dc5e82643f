import { type GenerationRequest, serveCount, serveExchange } from '../exchange/index.js';
import { type ClientCall, type JsonBody, type Served, withJson } from '../http/index.js';
import { framingIn, modelBefore, PATHS } from '../protocol/index.js';
import { passesOn } from './ask.js';
import type { Route } from './route.js';

type Serve = typeof serveExchange;

/** A verb on a model, in every form in which the resource is named. */
function verbRoute(
  verb: 'generateContent' | 'streamGenerateContent' | 'countTokens',
  counts: Route['counts'],
  serve: Serve,
  streamOf: (call: ClientCall) => Pick<GenerationRequest, 'stream' | 'framing'> = () => ({
    stream: false,
    framing: 'sse',
  }),
): Route {
  const pattern = PATHS[verb];
  return {
    methods: ['POST'],
    path: `/v1beta/models/{model}:${verb}`,
    pattern,
    counts,
    serve: (gateway, call) => {
      const model = modelBefore(pattern, call.path);
      const ask = (json: JsonBody): Promise<Served> => serve(gateway, call, { json, model, ...streamOf(call) });
      return withJson(gateway, call, ask, passesOn(gateway, call, model));
    },
  };
}

/** The three verbs on a model. */
export const generateContentRoutes: readonly Route[] = [
  verbRoute('generateContent', 'conversation', serveExchange),
  verbRoute('streamGenerateContent', 'conversation', serveExchange, ({ query }) => ({
    stream: true,
    framing: framingIn(query),
  })),
  verbRoute('countTokens', 'request', serveCount),
];
