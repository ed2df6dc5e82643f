import { invalid, noRoute, notFound, refuseFirst } from './errors.js';
import type { Exchange } from './http.js';
import {
  checkResponses,
  createResponseStore,
  itemsOf,
  type JsonObject,
  objectsOf,
  type StoredResponse,
  stringsOf,
} from './rules/index.js';
import type { Service } from './service.js';
import { createSignedState } from './state.js';

/** The service of the responses dialect [R §1.1]; it keeps its answers in memory. */
export function createResponsesService(): Service {
  const keeper = createSignedState('responses');
  const store = createResponseStore();

  /** The stored conversation that a body goes on with. */
  function contextOf({ previous_response_id: previous }: JsonObject): readonly JsonObject[] {
    if (typeof previous !== 'string') return [];
    const stored = store.get(previous);
    if (stored !== undefined) return [...stored.items, ...objectsOf(stored.response.output)];
    const message = `Previous response with id '${previous}' not found.`;
    throw invalid(message, 'previous_response_id', 'previous_response_not_found');
  }

  return {
    model: 'sim-responses',
    idHeader: 'x-request-id',
    callPrefix: 'call_',
    state: {
      keeper,
      key: 'encrypted_content',
      on: 'reasoning',
      binding: ({ id = '' }) => id,
      // Where the service keeps nothing, or where it is asked for [R §2.2, §2.4].
      isWanted: ({ store: stores, include }) =>
        stores === false || stringsOf(include).includes('reasoning.encrypted_content'),
    },
    showsReasoning: false,
    streamsParagraphs: false,
    framing: 'sse',
    caches: 'always',
    posts: {
      '/responses': 'create',
      '/responses/input_tokens': 'count',
      '/images/generations': 'images',
      '/images/edits': 'images',
      '/images/variations': 'images',
    },
    check(body, { operation }) {
      const counting = operation === 'count';
      refuseFirst(checkResponses(body, { context: contextOf(body), issued: store.issued, state: keeper, counting }));
    },
    earlier: (body) => {
      const { previous_response_id: previous } = body;
      return typeof previous === 'string' ? { [previous]: contextOf(body) } : {};
    },
    keep(body, answer) {
      const kept = { ...answer, id: String(answer.id), store: body.store ?? true };
      if (kept.store !== false) store.put({ response: kept, items: [...contextOf(body), ...itemsOf(body.input)] });
      if (body.background !== true) return kept;
      return { ...kept, status: 'queued', completed_at: null, output: [], usage: null };
    },
    serveStored(exchange) {
      const [, name = '', action] = /^\/responses\/([^/]+)(?:\/([^/]+))?$/.exec(exchange.path) ?? [];
      const id = decodeURIComponent(name);
      const stored = store.get(id);
      if (stored === undefined) throw notFound(`Response with id '${id}' not found.`);
      if (exchange.method !== 'DELETE' || action !== undefined) return show(stored, action, exchange);
      store.remove(id);
      return { id, object: 'response', deleted: true };
    },
  };
}

function show({ response, items }: StoredResponse, action: string | undefined, exchange: Exchange): object {
  switch (`${exchange.method} ${action ?? ''}`) {
    case 'GET ':
      return response;
    case 'POST cancel':
      if (response.background === true) return response;
      throw invalid('Cannot cancel a synchronous response.');
    case 'GET input_items':
      return listItems(items, response.id);
    default:
      throw noRoute(exchange);
  }
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
