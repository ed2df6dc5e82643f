import { objectOf, stringOf } from '../../../../src/simulator/rules/index.js';
import { checkDemands } from '../../services/chat-completions/demands.js';
import { type ErrorDetail, errorBody } from '../../services/chat-completions/errors.js';
import { type ChatPrinting, printCompletion } from '../../services/chat-completions/print.js';
import { SERVERS, type Server } from '../../services/chat-completions/server.js';
import { streamCompletion } from '../../services/chat-completions/stream.js';
import type { Plan, Usage } from '../../services/plan.js';
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

/** The chat completions side of a fake backend: a server that nobody knows, unless another is named. */
export function createChatCompletionsFake(options: FakeBackendOptions): FakeDialect {
  const name = options.server ?? 'compatible';
  const server: Server = SERVERS[name];
  const state = createIssuedState();
  const shown = new Set<string>();
  const issued = { state, wasShown: (text: string) => shown.has(text) };

  function receive(request: RecordedRequest): PlainAnswer | Conversation {
    const key = bearerOf(request) ?? request.headers['api-key'];
    if (options.apiKey !== undefined && key !== options.apiKey) {
      return refuse(request, { status: 401, message: 'Incorrect API key provided: fake.' });
    }
    const path = pathnameOf(request);
    if (request.method === 'POST' && path.endsWith('/chat/completions')) return converse(request);
    if (request.method === 'GET' && path.startsWith('/v1/models')) return listModels(request, path);
    return refuse(request, { status: 404, message: `Invalid URL (${request.method} ${path})` });
  }

  function converse(request: RecordedRequest): PlainAnswer | Conversation {
    const body = bodyOf(request);
    if (!body) return refuse(request, { status: 400, message: 'We could not parse the JSON body of your request.' });
    if (options.strict !== false) {
      const [first] = checkDemands(name, body, issued);
      if (first) return refuse(request, { status: 400, ...first });
    }
    const model = stringOf(body.model);
    if (options.models && !options.models.includes(model)) return refuseModel(request, model);
    const includeUsage = objectOf(body.stream_options).include_usage === true;
    const printing = (plan: Plan, usage: Usage): ChatPrinting => {
      const show = (text: string): void => void shown.add(text);
      return { plan, usage, state, model, server, includeUsage, show, mint: mintId, now: nowSeconds() };
    };
    return {
      kind: 'conversation',
      streaming: body.stream === true,
      headers: openaiHeaders(),
      streamHeaders: { ...openaiHeaders(), 'content-type': 'text/event-stream; charset=utf-8' },
      print: (plan, usage) => printCompletion(printing(plan, usage)),
      stream: (plan, usage) => streamCompletion(printing(plan, usage)),
    };
  }

  function listModels(request: RecordedRequest, path: string): PlainAnswer {
    const models = options.models ?? ['fake-chat-completions'];
    const id = path.slice('/v1/models/'.length);
    if (id === '') return answerJson({ object: 'list', data: models.map(openaiModel) }, openaiHeaders());
    return models.includes(id) ? answerJson(openaiModel(id), openaiHeaders()) : refuseModel(request, id);
  }

  function refuseModel(request: RecordedRequest, model: string): PlainAnswer {
    const message = `The model \`${model}\` does not exist or you do not have access to it.`;
    return refuse(request, { status: 404, message, code: 'model_not_found' });
  }

  function refuse(_request: RecordedRequest, error: Omit<ErrorReply, 'kind'> & ErrorDetail): PlainAnswer {
    const { status, message = `fake error ${status}`, retryAfter } = error;
    const retry: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return {
      kind: 'plain',
      status,
      headers: { ...openaiHeaders(), ...retry, ...error.headers },
      body: JSON.stringify(errorBody(status, message, error, server.errors)),
    };
  }

  return { receive, refuse, overloaded: { status: 503, message: 'The server is overloaded.' } };
}
