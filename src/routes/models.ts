import { dialects } from '../../translators/index.js';
import { unknownModel } from '../exchange/index.js';
import { Failure, ignore } from '../ground/index.js';
import { answerHeaders, type ClientCall, checkOperator, sendJson, sendWhole } from '../http/index.js';
import { type Learned, linesOfModels, type ModelRow, modelTable, targetState } from '../models/index.js';
import { mayUse, modelId, PATHS } from '../protocol/index.js';
import { periodOf, type UsageReport } from '../usage/index.js';
import { type Route, segmentOf } from './route.js';
import type { RouteServices } from './services.js';

/** The models that may be asked for, in the shape of the caller's dialect. */
export const modelRoutes: readonly Route[] = [
  {
    methods: ['GET', 'HEAD'],
    path: '/v1/models',
    pattern: PATHS.models,
    answer: async (gateway, call) => {
      if (wantsDetail(call)) return serveTable(gateway, call);
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
  {
    methods: ['GET', 'DELETE'],
    path: '/learned-restrictions',
    pattern: /^\/learned-restrictions\/?$/,
    operator: true,
    answer: serveLearned,
  },
];

/** `?detail` asks for what no client's list has; `detail=false` does not. */
function wantsDetail(call: ClientCall): boolean {
  const word = new URLSearchParams(call.query).get('detail');
  return word !== null && !/^(?:false|0|no)$/i.test(word);
}

/** The hour before, whole, and this one: usage is counted by hours. */
const USED_SINCE = '1h';

/** The table of models, for operators: as JSON, or as the lines that `check` prints (http.md#the-table-of-models). */
async function serveTable(gateway: RouteServices, call: ClientCall): Promise<void> {
  const { config, targets, catalog, states, usage } = gateway;
  checkOperator(call, config);
  const period = periodOf({ by: 'model', since: USED_SINCE }, Date.now());
  const [believed, report] = await Promise.all([
    states.read(),
    usage.on ? usage.report(period).catch(ignore) : undefined,
    // For what hosts tell of their models.
    catalog.list(),
  ]);
  const rows = modelTable(config, targets, (target) => (target === undefined ? {} : catalog.models.of(target)), {
    usedOf: (name) => (report ? usedIn(report, name, targets) : undefined),
    stateOf: (target, resolved) => targetState(believed, target, resolved),
  });
  const query = new URLSearchParams(call.query);
  const asText = (query.get('format') ?? '') === 'text' || /\btext\/plain\b/.test(call.request.headers.accept ?? '');
  const headers = { vary: 'accept', 'cache-control': 'no-store' };
  if (!asText) return sendJson(call.response, 200, { models: rows }, headers);
  const text = `${linesOfModels(rows).join('\n')}\n`;
  sendWhole(call.response, 200, text, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
}

/** What was asked for under a name, or under those that a pattern fits. */
function usedIn({ since, rows }: UsageReport, name: string, { nameOf }: RouteServices['targets']): ModelRow['used'] {
  const own = rows.filter(({ model = '' }) => nameOf(model) === name);
  return {
    since,
    requests: own.reduce((sum, { requests }) => sum + requests, 0),
    errors: own.reduce((sum, { errors }) => sum + errors, 0),
  };
}

/** What refusals revealed; DELETE discards it, all of it or that of a backend and its model. */
async function serveLearned({ states, logger, config }: RouteServices, call: ClientCall): Promise<void> {
  const query = new URLSearchParams(call.query);
  const [backend, model] = [query.get('backend') ?? undefined, query.get('model') ?? undefined];
  if (backend !== undefined && !Object.hasOwn(config.backends, backend)) {
    const message = `there is no backend of this name; known: ${Object.keys(config.backends).join(', ')}`;
    throw new Failure({ kind: 'invalid_request', status: 400, message });
  }
  const of = { ...(backend !== undefined && { backend }), ...(model !== undefined && { model }) };
  const headers = { 'cache-control': 'no-store' };
  if (call.request.method === 'DELETE') {
    const forgotten = await states.forget(of);
    logger.info({ ...of, key: call.key?.name, forgotten }, 'learned restrictions were discarded');
    return sendJson(call.response, 200, { forgotten }, headers);
  }
  const learned = (await states.read()).flatMap((state) => state.learned);
  const isMeant = (one: Learned): boolean =>
    (backend === undefined || one.backend === backend) && (model === undefined || one.model === model);
  sendJson(call.response, 200, { learned: learned.filter(isMeant) }, headers);
}

function queryOf(call: ClientCall): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URLSearchParams(call.query));
}
