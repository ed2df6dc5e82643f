import { Failure } from '../ground/plain/index.js';
import { decodeSegment, modelId, PATHS } from '../protocol/index.js';
import { answerHeaders, jsonAnswer, limited, ownerOf, readModel, readModels } from '../web/index.js';
import type { HostCall } from './options.js';

/** The models of the backend in the shape of the client's dialect, with the names that the options give them. */
export async function serveModels(call: HostCall): Promise<Response> {
  const { settings, client, query } = call;
  const listed = await readModels(call);
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
export async function serveModel(call: HostCall): Promise<Response> {
  const id = modelId(decodeSegment(PATHS.model.exec(call.path)?.[1] ?? '') ?? '');
  const found = await readModel(call, call.settings.modelOf(id));
  if (found === undefined)
    throw new Failure({ kind: 'not_found', message: `unknown model ${id}`, model: id, status: 404 });
  const body = call.client.models.encodeModel(limited(call, { ...found.model, id }));
  return jsonAnswer(200, body, answerHeaders(call, '', found.headers, []));
}
