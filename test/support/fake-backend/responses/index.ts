import {
  checkResponses,
  createResponseStore,
  itemsOf,
  type JsonObject,
  objectsOf,
  stringOf,
} from '../../../../src/simulator/rules/index.js';
import type { Plan, Usage } from '../../services/plan.js';
import { errorBody } from '../../services/responses/errors.js';
import { type OpenResponse, printResponse } from '../../services/responses/print.js';
import { readShow } from '../../services/responses/read.js';
import { streamResponse } from '../../services/responses/stream.js';
import {
  answerJson,
  bearerOf,
  bodyOf,
  type Conversation,
  type FakeBackendOptions,
  type FakeDialect,
  mintId,
  nowSeconds,
  type PlainAnswer,
  pathnameOf,
  type RecordedRequest,
} from '../dialect.js';
import { createIssuedState } from '../issued-state.js';
import { openaiHeaders, openaiModel } from '../openai.js';
import type { ErrorReply } from '../reply.js';

/** The responses side of a fake backend. Responses are stored unless the request says not to. */
export function createResponsesFake(options: FakeBackendOptions): FakeDialect {
  const state = createIssuedState();
  const store = createResponseStore();
  const reasoningOf = new Map<string, string>();
  const stored = new Set<string>();

  function receive(request: RecordedRequest): PlainAnswer | Conversation {
    if (options.apiKey !== undefined && bearerOf(request) !== options.apiKey) {
      const message = 'Incorrect API key provided: fake. You can find your API key in your account.';
      return refuse(request, { status: 401, message });
    }
    const path = pathnameOf(request);
    if (request.method === 'POST' && path === '/v1/responses') return converse(request, false);
    if (request.method === 'POST' && path === '/v1/responses/input_tokens') return converse(request, true);
    if (request.method === 'GET' && path.startsWith('/v1/models')) return listModels(request, path);
    const id = /^\/v1\/responses\/([^/]+)$/.exec(path)?.[1];
    const kept = id === undefined ? undefined : store.get(id);
    if (kept && request.method === 'GET') return answerJson(kept.response, openaiHeaders(), 2);
    if (kept && id && request.method === 'DELETE') {
      store.remove(id);
      return answerJson({ id, object: 'response', deleted: true }, openaiHeaders(), 2);
    }
    const message =
      id === undefined ? `Invalid URL (${request.method} ${path})` : `Response with id '${id}' not found.`;
    return refuse(request, { status: 404, message });
  }

  function converse(request: RecordedRequest, counting: boolean): PlainAnswer | Conversation {
    const body = bodyOf(request);
    if (!body) return refuse(request, { status: 400, message: 'We could not parse the JSON body of your request.' });
    const context = contextOf(body);
    if (context === undefined) {
      const param = 'previous_response_id';
      const message = `Previous response with id '${stringOf(body[param])}' not found.`;
      return refuse(request, { status: 400, message, param, code: 'previous_response_not_found' });
    }
    if (options.strict !== false) {
      const [first] = checkResponses(body, { context, issued: { reasoningOf, stored }, state, counting });
      if (first) return refuse(request, { status: 400, ...first });
    }
    const model = stringOf(body.model);
    if (options.models && !options.models.includes(model)) {
      const message = `The requested model '${model}' does not exist.`;
      return refuse(request, { status: 400, message, param: 'model', code: 'model_not_found' });
    }
    if (counting) {
      return answerJson(
        { object: 'response.input_tokens', input_tokens: options.inputTokens ?? 42 },
        openaiHeaders(),
        2,
      );
    }
    const printing = (plan: Plan, usage: Usage) => {
      return { plan, usage, state, model, request: body, mint: mintId, now: nowSeconds(), show: readShow(body) };
    };
    const keep = (response: OpenResponse): void => remember(response, [...context, ...itemsOf(body.input)], body);
    return {
      kind: 'conversation',
      streaming: body.stream === true,
      headers: openaiHeaders(),
      streamHeaders: { ...openaiHeaders(), 'content-type': 'text/event-stream; charset=utf-8' },
      print(plan, usage) {
        const response = printResponse(printing(plan, usage));
        keep(response);
        return response;
      },
      stream(plan, usage) {
        const stream = streamResponse(printing(plan, usage));
        keep(stream.final);
        return stream;
      },
    };
  }

  function contextOf(body: JsonObject): readonly JsonObject[] | undefined {
    if (typeof body.previous_response_id !== 'string') return [];
    const previous = store.get(body.previous_response_id);
    return previous && [...previous.items, ...objectsOf(previous.response.output)];
  }

  function remember(response: OpenResponse, items: readonly JsonObject[], request: JsonObject): void {
    const output = objectsOf(response.output);
    output.forEach((item, index) => {
      const before = output[index - 1];
      if (before?.type === 'reasoning') reasoningOf.set(stringOf(item.id), stringOf(before.id));
      if (request.store !== false) stored.add(stringOf(item.id));
    });
    if (request.store !== false) store.put({ response, items });
  }

  function listModels(request: RecordedRequest, path: string): PlainAnswer {
    const models = options.models ?? ['fake-responses'];
    const id = path.slice('/v1/models/'.length);
    if (id === '') return answerJson({ object: 'list', data: models.map(openaiModel) }, openaiHeaders(), 2);
    if (models.includes(id)) return answerJson(openaiModel(id), openaiHeaders(), 2);
    const message = `The model '${id}' does not exist`;
    return refuse(request, { status: 404, message, param: 'model', code: 'model_not_found' });
  }

  return { receive, refuse, overloaded: { status: 503, message: 'The server is overloaded.' } };
}

function refuse(_request: RecordedRequest, error: Omit<ErrorReply, 'kind'>): PlainAnswer {
  const { status, message = `fake error ${status}`, retryAfter } = error;
  const retry: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return {
    kind: 'plain',
    status,
    headers: { ...openaiHeaders(), ...retry, ...error.headers },
    body: JSON.stringify(errorBody(status, message, error), null, 2),
  };
}
