import type { ModelInfo } from '../../translators/index.js';
import { parseAnswer } from '../protocol/index.js';
import type { Call } from './call.js';
import { type Answered, bytesOf, DEPTH, isSuccess, send } from './send.js';
import { refusalOf, unnamed } from './transport.js';

const MAX_PAGES = 20;

/** Models of a backend, with the headers of the answer that listed them. */
export interface ListedModels {
  readonly models: readonly ModelInfo[];
  readonly headers: Answered['headers'];
}

/** All pages of the backend's list, with the headers of the last; none where it has no list. Rejects with the error for the client. */
export async function readModels(call: Call): Promise<ListedModels> {
  const { host, service } = call.settings;
  if (host.unsupported.includes('modelList')) return { models: [], headers: {} };
  const { endpoint, models } = service;
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

/** What the backend reports of one of its models; undefined where it does not know it. Rejects with the error for the client. */
export async function readModel(
  call: Call,
  name: string,
): Promise<{ readonly model: ModelInfo; readonly headers: Answered['headers'] } | undefined> {
  const { host, service } = call.settings;
  if (host.unsupported.includes('modelList')) return { model: { id: name, owner: ownerOf(call) }, headers: {} };
  const [list] = service.endpoint('models', { model: '', stream: false }).split('?');
  const answered = await send(call, { method: 'GET', path: `${list}/${encodeURIComponent(name)}` });
  if (answered.status === 404) return undefined;
  if (!isSuccess(answered)) throw await refusalOf(unnamed(call), answered);
  const body = parseAnswer(await bytesOf(call, answered), { jsonDepth: DEPTH });
  const model = service.models.decodeModel(body, ownerOf(call));
  return model && { model, headers: answered.headers };
}

/** A model with what the options say of it, which counts more than what the backend reports. */
export function limited({ settings: { contextWindow, maxOutput } }: Call, model: ModelInfo): ModelInfo {
  return {
    ...model,
    ...(contextWindow !== undefined && { inputLimit: contextWindow }),
    ...(maxOutput !== undefined && { outputLimit: maxOutput }),
  };
}

/** Whose the models of a backend are. */
export function ownerOf({ settings }: Call): string {
  return settings.host.preset?.name ?? new URL(settings.host.baseUrl ?? '').host;
}
