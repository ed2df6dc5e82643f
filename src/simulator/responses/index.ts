import { readDirectives } from '../directives.js';
import type { Exchange } from '../exchange.js';
import { Refusal, type SimulatorAnswer } from '../http.js';
import { type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import { serveImages } from '../media/images.js';
import { drawPicture } from '../media/picture.js';
import { serveVideos, type VideoTasks } from '../media/videos.js';
import type { Plan } from '../plan.js';
import { countUsage, planAnswer } from '../script.js';
import { createSignedState } from '../state.js';
import { deliver } from '../stream.js';
import { refuseFirst } from '../violation.js';
import { errorBody, videoErrorBody } from './errors.js';
import { type OpenResponse, printResponse } from './print.js';
import { itemsOf, readResponses, readShow } from './read.js';
import { checkResponses } from './rules.js';
import type { ResponseStore } from './stored.js';
import { streamResponse } from './stream.js';

const state = createSignedState('responses');
const OVERLOADED = { status: 503, message: 'The server is overloaded.' };

/** Serves the responses dialect: create, input_tokens, stored responses, model list [R §1.1]; pictures and videos. */
export function serveResponses(exchange: Exchange, store: ResponseStore, tasks: VideoTasks): SimulatorAnswer {
  const headers = { 'content-type': 'application/json', 'x-request-id': exchange.mint('req_', 32), ...SERVICE_HEADERS };
  try {
    return route(exchange, store, tasks, headers);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const retry: Record<string, string> = error.status === 429 ? { 'retry-after': '1' } : {};
    const body = /^\/videos(?:\/|$)/.test(exchange.path)
      ? videoErrorBody(error.status, error.message)
      : errorBody(error.status, error.message, error.detail);
    return { status: error.status, headers: { ...headers, ...retry }, body: JSON.stringify(body, null, 2) };
  }
}

const SERVICE_HEADERS = {
  'openai-version': '2020-10-01',
  'openai-organization': 'simulator',
  'openai-processing-ms': '1',
  'x-ratelimit-limit-requests': '1000',
  'x-ratelimit-remaining-requests': '999',
  'x-ratelimit-reset-requests': '60ms',
  'x-ratelimit-limit-tokens': '1000000',
  'x-ratelimit-remaining-tokens': '999000',
  'x-ratelimit-reset-tokens': '6ms',
};

function route(
  exchange: Exchange,
  store: ResponseStore,
  tasks: VideoTasks,
  headers: Record<string, string>,
): SimulatorAnswer {
  const { method, path } = exchange;
  const json = (value: object): SimulatorAnswer => ({ status: 200, headers, body: JSON.stringify(value, null, 2) });
  if (method === 'POST' && path === '/responses') return create(exchange, store, headers, json);
  if (method === 'POST' && path === '/responses/input_tokens') {
    const body = exchange.readBody();
    const items = check(body, store, true);
    const { promptTokens } = readResponses(body, items);
    return json({ object: 'response.input_tokens', input_tokens: promptTokens });
  }
  if (method === 'POST' && /^\/images\/(?:generations|edits|variations)$/.test(path)) {
    return serveImages(exchange, headers);
  }
  if (/^\/videos(?:\/|$)/.test(path)) return serveVideos(exchange, tasks, headers);
  const [, id, action] = /^\/responses\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (id !== undefined) return json(lookUp(method, decodeURIComponent(id), action, store));
  const model = /^\/models\/([^/]+)$/.exec(path)?.[1];
  if (method === 'GET' && path === '/models') return json({ object: 'list', data: [modelInfo('sim-responses')] });
  if (method === 'GET' && model !== undefined) return json(modelInfo(decodeURIComponent(model)));
  throw new Refusal(404, `Invalid URL (${method} /v1${path})`);
}

function modelInfo(id: string) {
  return { id, object: 'model', created: 1767225600, owned_by: 'interlingua' };
}

function create(
  exchange: Exchange,
  store: ResponseStore,
  headers: Record<string, string>,
  json: (value: object) => SimulatorAnswer,
): SimulatorAnswer {
  const request = exchange.readBody();
  const items = check(request, store, false);
  const view = readResponses(request, items);
  const directives = readDirectives(view.userText);
  if (directives.status !== undefined) throw new Refusal(directives.status, `simulated error ${directives.status}`);
  const plan = withPicture(planAnswer(view), request, view.userText);
  const usage = countUsage(view, plan, 'implicit');
  const { mint, now } = exchange;
  const printing = { plan, usage, state, request, mint, now, model: view.model, show: readShow(request) };
  const keep = (response: OpenResponse): void => {
    if (request.store !== false) store.put({ response, items });
  };
  if (request.stream !== true) {
    if (directives.broken === 'failed') throw new Refusal(OVERLOADED.status, OVERLOADED.message);
    const response = printResponse(printing);
    keep(response);
    if (request.background === true) {
      return json({ ...response, status: 'queued', completed_at: null, output: [], usage: null });
    }
    const whole = json(response);
    return directives.broken === 'cut' ? { ...whole, body: exchange.cutBody(stringOf(whole.body)) } : whole;
  }
  const stream = streamResponse(printing, request.background === true);
  if (!directives.broken) keep(stream.final);
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' },
    body: deliver(stream, exchange.delivery(directives, OVERLOADED)),
  };
}

/** With the image tool at hand a model draws when it must, or when the user speaks of a picture. */
function withPicture(plan: Plan, request: JsonObject, text: string): Plan {
  const tool = objectsOf(request.tools).find(({ type }) => type === 'image_generation');
  const forced = objectOf(request.tool_choice).type === 'image_generation';
  if (tool === undefined || plan.finish.kind !== 'end' || !(forced || PICTURE.test(text))) return plan;
  return { ...plan, picture: drawPicture(text, stringOf(tool.size)).toString('base64') };
}

const PICTURE = /\b(?:picture|image|photo|draw|paint|sketch)/i;

/** Refuses what the service refuses; gives the whole context: the stored conversation, then the input. */
function check(request: JsonObject, store: ResponseStore, counting: boolean): JsonObject[] {
  const context = storedContext(request, store);
  refuseFirst(checkResponses(request, { context, issued: store.issued, state, counting }));
  return [...context, ...itemsOf(request.input)];
}

/** The stored conversation behind `previous_response_id`. */
function storedContext(request: JsonObject, store: ResponseStore): JsonObject[] {
  const previous = request.previous_response_id;
  if (typeof previous !== 'string') return [];
  const stored = store.get(previous);
  if (!stored) {
    const param = 'previous_response_id';
    const message = `Previous response with id '${previous}' not found.`;
    throw new Refusal(400, message, { param, code: 'previous_response_not_found' });
  }
  return [...stored.items, ...objectsOf(stored.response.output)];
}

function lookUp(method: string, id: string, action: string | undefined, store: ResponseStore): object {
  const stored = store.get(id);
  if (!stored) throw new Refusal(404, `Response with id '${id}' not found.`);
  if (method === 'GET' && action === undefined) return stored.response;
  if (method === 'DELETE' && action === undefined) {
    store.remove(id);
    return { id, object: 'response', deleted: true };
  }
  if (method === 'POST' && action === 'cancel') {
    if (stored.response.background === true) return stored.response;
    throw new Refusal(400, 'Cannot cancel a synchronous response.');
  }
  if (method === 'GET' && action === 'input_items') return listItems(stored.items, id);
  throw new Refusal(404, `Invalid URL (${method} /v1/responses/${id}/${action ?? ''})`);
}

/** Newest first, as the service lists them by default; every item gets an id [R §1.1]. */
function listItems(items: readonly JsonObject[], id: string): object {
  const suffix = id.slice('resp_'.length, 'resp_'.length + 16);
  const data = items
    .map((item, index): JsonObject => ({ id: `msg_${suffix}${index}`, type: 'message', ...withParts(item) }))
    .reverse();
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: false };
}

function withParts(item: JsonObject): JsonObject {
  const type = item.role === 'assistant' ? 'output_text' : 'input_text';
  return typeof item.content === 'string' ? { ...item, content: [{ type, text: item.content }] } : item;
}
