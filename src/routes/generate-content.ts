import { type Ask, serveCount, serveExchange } from '../exchange/index.js';
import { Failure } from '../ground/index.js';
import { type ClientCall, checkModelName, modelId, readJson } from '../http/index.js';
import { belowVersion, decodeSegment, type Route } from './route.js';

type Serve = typeof serveExchange;

/** A verb on a model, in every form in which the resource is named. */
function verbRoute(
  verb: string,
  counts: Route['counts'],
  serve: Serve,
  streamOf: (call: ClientCall) => Pick<Ask, 'stream' | 'framing'> = () => ({ stream: false, framing: 'sse' }),
): Route {
  const pattern = belowVersion(`(.+):${verb}`);
  return {
    methods: ['POST'],
    path: `/v1beta/models/{model}:${verb}`,
    pattern,
    counts,
    serve: async (gateway, call) => {
      const model = modelOf(call, pattern);
      return serve(gateway, call, { json: await readJson(gateway, call), model, ...streamOf(call) });
    },
  };
}

/** The three verbs on a model. */
export const generateContentRoutes: readonly Route[] = [
  verbRoute('generateContent', 'conversation', serveExchange),
  verbRoute('streamGenerateContent', 'conversation', serveExchange, ({ query }) => ({
    stream: true,
    framing: new URLSearchParams(query).get('alt') === 'sse' ? 'sse' : 'array',
  })),
  verbRoute('countTokens', 'request', serveCount),
];

function modelOf(call: ClientCall, pattern: RegExp): string {
  const resource = decodeSegment(pattern.exec(call.path)?.[1] ?? '');
  if (resource === undefined) {
    throw new Failure({ kind: 'invalid_request', message: 'the model in the path is not valid percent-encoding' });
  }
  return checkModelName(modelId(resource), '/$url/model');
}
