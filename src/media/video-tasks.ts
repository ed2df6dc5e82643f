import { faultOf, unable } from '../../translators/index.js';
import type { BackendAsk } from '../backend/index.js';
import { isExplained } from '../exchange/index.js';
import { isObject } from '../ground/index.js';
import { type ClientCall, isForm, OffloadRequest, readForm, readJson, type Served, sendJson } from '../http/index.js';
import { costly } from './calls.js';
import type { MediaServices } from './services.js';
import { callFor, explainFor, locate, type Place, pathOf, readBody, readTask, videoHeaders } from './video-backend.js';
import { showTask } from './video-view.js';
import { isUndecided, showNew } from './videos.js';

/** The status of a video, in the format of the route. */
export async function retrieveVideo(gateway: MediaServices, call: ClientCall, id: string): Promise<void> {
  const place = await locate(gateway, call, id);
  const reported = await readTask(gateway, call, place);
  const { config } = place.backend;
  sendJson(
    call.response,
    200,
    await showTask(gateway, call, place.tenant, config, reported),
    videoHeaders(call, config, reported.task.model),
  );
}

/** Forgets a video, where its backend can. */
export async function removeVideo(gateway: MediaServices, call: ClientCall, id: string): Promise<void> {
  const place = await locate(gateway, call, id);
  const { backend, ref } = place;
  requireFormatA(place, 'deleted');
  const answered = await callFor(gateway, call, backend, { method: 'DELETE', path: pathOf(backend.config, ref.id) });
  const body = await readBody(gateway, backend, answered);
  sendJson(
    call.response,
    200,
    { ...body, id: place.id, object: 'video.deleted', deleted: body.deleted !== false },
    videoHeaders(call, backend.config),
  );
}

/** Makes a new video from one, where its backend can. Like a creation it is never made twice. */
export async function remixVideo(gateway: MediaServices, call: ClientCall, id: string): Promise<Served> {
  const prompt = await readPrompt(gateway, call);
  if (prompt instanceof OffloadRequest) return prompt;
  const place = await locate(gateway, call, id);
  const { backend, ref } = place;
  requireFormatA(place, 'remixed');
  const path = pathOf(backend.config, ref.id, '/remix');
  const asked: BackendAsk = { method: 'POST', path, body: JSON.stringify({ prompt }) };
  if (isExplained(call)) {
    explainFor(gateway, call, backend, asked);
    return 'answered';
  }
  try {
    const answered = await callFor(gateway, call, backend, asked);
    const body = await readBody(gateway, backend, answered);
    sendJson(
      call.response,
      200,
      await showNew({ gateway, call, backend }, body, {}),
      videoHeaders(call, backend.config),
    );
    return 'answered';
  } catch (thrown) {
    throw isUndecided(thrown) ? costly(thrown) : thrown;
  }
}

function requireFormatA({ backend }: Place, done: string): void {
  if (backend.config.videos !== 'a') throw unable('', `videos of this backend cannot be ${done}`);
}

const MOST_PROMPT = 32_000;

async function readPrompt(gateway: MediaServices, call: ClientCall): Promise<string | OffloadRequest> {
  const { request } = call;
  let prompt: unknown;
  if (isForm(request.headers['content-type'])) {
    const { fields } = await readForm(request, gateway.media.form);
    prompt = new Map(fields).get('prompt');
  } else {
    const json = await readJson(gateway, call);
    if (json instanceof OffloadRequest) return json;
    const { value } = json;
    prompt = isObject(value) ? value.prompt : undefined;
  }
  if (prompt === undefined || prompt === '') throw faultOf('prompt', 'missing_required_parameter', 'is required');
  if (typeof prompt !== 'string') throw faultOf('prompt', 'invalid_type', 'must be a string');
  if (Array.from(prompt).length > MOST_PROMPT) {
    throw faultOf('prompt', 'string_above_max_length', `must not be longer than ${MOST_PROMPT} characters`);
  }
  return prompt;
}
