import { dialects } from '../../translators/index.js';
import { unknownModel } from '../exchange/index.js';
import { answerHeaders, type ClientCall, sendJson } from '../http/index.js';
import { mayUse, modelId, PATHS } from '../protocol/index.js';
import { type Route, segmentOf } from './route.js';

/** The models that may be asked for, in the shape of the caller's dialect. */
export const modelRoutes: readonly Route[] = [
  {
    methods: ['GET', 'HEAD'],
    path: '/v1/models',
    pattern: PATHS.models,
    answer: async (gateway, call) => {
      const models = await gateway.catalog.list();
      const permitted = models.filter(({ id }) => mayUse(call.key, id));
      const body = dialects[call.dialect].models.encodeList(permitted, queryOf(call));
      sendJson(call.response, 200, body, answerHeaders(call));
    },
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/v1/models/{id}',
    pattern: PATHS.model,
    // A verb on a model that nobody here knows is an unknown route and not a wrong method.
    excludes: ({ request, path }) => request.method === 'POST' && /:[a-zA-Z]+\/?$/.test(path),
    answer: async (gateway, call) => {
      const id = modelId(segmentOf(call, PATHS.model));
      const found = mayUse(call.key, id) ? await gateway.catalog.find(id) : undefined;
      if (found === undefined) throw unknownModel(gateway, call, id, 404);
      const model = mayUse(call.key, found.id) ? found : { ...found, id };
      sendJson(call.response, 200, dialects[call.dialect].models.encodeModel(model), answerHeaders(call));
    },
  },
];

function queryOf(call: ClientCall): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(call.query));
}
