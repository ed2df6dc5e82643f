import type { ModelInfo } from '../../translators/index.js';
import { Failure } from '../ground/plain/index.js';
import { decodeSegment, modelId, PATHS, parseAnswer } from '../protocol/index.js';
import { answerHeaders, type Call, jsonAnswer } from './call.js';
import { type Answered, bytesOf, DEPTH, isSuccess, send } from './send.js';
import { refusalOf, unnamed } from './transport.js';

const MAX_PAGES = 20;

/** The models of the backend in the shape of the client's dialect, with the names that the options give them. */
export async function serveModels(call: Call): Promise<Response> {
  const { settings, client, query } = call;
  const listed = settings.host.unsupported.includes('modelList') ? { models: [], headers: {} } : await readList(call);
  const named = settings.names.flatMap((id) => {
    const model = listed.models.find((one) => one.id === settings.modelOf(id));
    return listed.models.some((one) => one.id === id) ? [] : [{ ...(model ?? { owner: ownerOf(call) }), id }];
  });
  const asked = Object.fromEntries(new URLSearchParams(query));
  const all = [...named, ...listed.models].map((model) => limited(call, model));
  const body = client.models.encodeList(all, asked);
  return jsonAnswer(200, body, answerHeaders(call, '', listed.headers, []));
}

/** What the backend says of one model. */
export async function serveModel(call: Call): Promise<Response> {
  const id = modelId(decodeSegment(PATHS.model.exec(call.path)?.[1] ?? '') ?? '');
  const { unsupported } = call.settings.host;
  const { endpoint, models } = call.settings.service;
  const shown = (model: ModelInfo, headers: Answered['headers']): Response =>
    jsonAnswer(
      200,
      call.client.models.encodeModel(limited(call, { ...model, id })),
      answerHeaders(call, '', headers, []),
    );
  if (unsupported.includes('modelList')) return shown({ id, owner: ownerOf(call) }, {});
  const name = call.settings.modelOf(id);
  const [list] = endpoint('models', { model: '', stream: false }).split('?');

  const answered = await send(call, { method: 'GET', path: `${list}/${encodeURIComponent(name)}` });
  if (answered.status === 404) throw unknown(id);
  if (!isSuccess(answered)) throw await refusalOf(unnamed(call), answered);
  const model = models.decodeModel(parseAnswer(await bytesOf(call, answered), { jsonDepth: DEPTH }), ownerOf(call));
  if (model === undefined) throw unknown(id);
  return shown(model, answered.headers);
}

/** With what the options say of the model, which counts more than what the backend tells. */
function limited({ settings: { contextWindow, maxOutput } }: Call, model: ModelInfo): ModelInfo {
  return {
    ...model,
    ...(contextWindow !== undefined && { inputLimit: contextWindow }),
    ...(maxOutput !== undefined && { outputLimit: maxOutput }),
  };
}

function unknown(id: string): Failure {
  return new Failure({ kind: 'not_found', message: `unknown model ${id}`, model: id, status: 404 });
}

function ownerOf({ settings }: Call): string {
  return settings.host.preset?.name ?? new URL(settings.host.baseUrl ?? '').host;
}

/** All pages of the backend's list, with the headers of the last. */
async function readList(
  call: Call,
): Promise<{ readonly models: readonly ModelInfo[]; readonly headers: Answered['headers'] }> {
  const { endpoint, models } = call.settings.service;
  const first = endpoint('models', { model: '', stream: false });
  const found: ModelInfo[] = [];
  let headers: Answered['headers'] = {};
  let query: string | undefined = '';
  for (let page = 0; page < MAX_PAGES && query !== undefined; page += 1) {
    const path: string = query === '' ? first : `${first}${first.includes('?') ? '&' : '?'}${query}`;
    const answered = await send(call, { method: 'GET', path });
    if (!isSuccess(answered)) throw await refusalOf(unnamed(call), answered);
    const list = models.decodeList(parseAnswer(await bytesOf(call, answered), { jsonDepth: DEPTH }), ownerOf(call));
    found.push(...list.models);
    query = list.next;
    headers = answered.headers;
  }
  return { models: found, headers };
}
