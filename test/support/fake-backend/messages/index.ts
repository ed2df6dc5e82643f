import { checkBetas, checkMessages, objectOf, stringOf } from '../../../../src/simulator/rules/index.js';
import { errorBody } from '../../services/messages/errors.js';
import { printMessage, streamMessage } from '../../services/messages/print.js';
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
  queryOf,
  type RecordedRequest,
} from '../dialect.js';
import { createIssuedState } from '../issued-state.js';
import type { Answer, ErrorReply } from '../reply.js';

const VERSIONS = ['2023-06-01', '2026-10-21'];

/** The messages side of a fake backend. */
export function createMessagesFake(options: FakeBackendOptions): FakeDialect {
  const state = createIssuedState();

  function receive(request: RecordedRequest): PlainAnswer | Conversation {
    const refused = checkHead(request);
    if (refused) return refused;
    const path = pathnameOf(request);
    if (request.method === 'POST' && path === '/v1/messages') return converse(request, false);
    if (request.method === 'POST' && path === '/v1/messages/count_tokens') return converse(request, true);
    if (request.method === 'GET' && path.startsWith('/v1/models')) return listModels(request, path);
    return refuse(request, { status: 404, message: 'Not Found' });
  }

  function checkHead(request: RecordedRequest): PlainAnswer | undefined {
    const keys = [request.headers['x-api-key'], bearerOf(request)].filter((key) => key !== undefined);
    if (options.apiKey !== undefined && (keys.length === 0 || keys.some((key) => key !== options.apiKey))) {
      return refuse(request, { status: 401, message: 'invalid x-api-key' });
    }
    const version = request.headers['anthropic-version'];
    if (version === undefined)
      return refuse(request, { status: 400, message: 'anthropic-version: header is required' });
    if (!VERSIONS.includes(version)) {
      return refuse(request, { status: 400, message: `anthropic-version: "${version}" is not a valid version` });
    }
    if (request.headers['anthropic-beta'] === '') {
      return refuse(request, { status: 400, message: 'Unexpected value(s) `` for the `anthropic-beta` header.' });
    }
    return undefined;
  }

  function converse(request: RecordedRequest, counting: boolean): PlainAnswer | Conversation {
    const body = bodyOf(request);
    if (!body) return refuse(request, { status: 400, message: 'The request body is not valid JSON' });
    const version = stringOf(request.headers['anthropic-version']);
    const beta = request.headers['anthropic-beta'] !== undefined || queryOf(request).get('beta') === 'true';
    if (options.strict !== false) {
      const generation = options.generation ?? '4.6';
      const [first] = [
        ...checkBetas(body, request.headers['anthropic-beta']),
        ...checkMessages(body, { version, beta, generation, state, counting }),
      ];
      if (first) return refuse(request, { status: 400, ...first });
    }
    const model = stringOf(body.model);
    if (options.models && !options.models.includes(model)) {
      return refuse(request, { status: 404, message: `model: ${model}` });
    }
    if (counting) return answerJson({ input_tokens: options.inputTokens ?? 42 }, headers());
    const display = objectOf(body.thinking).display === 'omitted' ? ('omitted' as const) : ('summarized' as const);
    const printing = (plan: Plan, usage: Usage, answer: Answer) => {
      const redacted = answer.redacted === true;
      return { plan, usage, model, display, redacted, state, mint: mintId, now: nowSeconds() };
    };
    return {
      kind: 'conversation',
      streaming: body.stream === true,
      headers: headers(),
      streamHeaders: { ...headers(), 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
      print: (plan, usage, answer) => printMessage(printing(plan, usage, answer)),
      stream: (plan, usage, answer) => streamMessage(printing(plan, usage, answer)),
    };
  }

  function listModels(request: RecordedRequest, path: string): PlainAnswer {
    const models = options.models ?? ['fake-messages'];
    const id = path.slice('/v1/models/'.length);
    const info = (name: string) => ({
      type: 'model',
      id: name,
      display_name: name,
      created_at: '2026-01-01T00:00:00Z',
    });
    if (id === '') {
      const ends = { first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
      return answerJson({ data: models.map(info), has_more: false, ...ends }, headers());
    }
    return models.includes(id)
      ? answerJson(info(id), headers())
      : refuse(request, { status: 404, message: `model: ${id}` });
  }

  return { receive, refuse, overloaded: { status: 529, message: 'Overloaded' } };
}

function headers(): Record<string, string> {
  return {
    'content-type': 'application/json',
    'request-id': mintId('req_'),
    'anthropic-ratelimit-requests-limit': '1000',
    'anthropic-ratelimit-requests-remaining': '998',
    'anthropic-ratelimit-requests-reset': '2030-01-01T00:00:00Z',
    'anthropic-ratelimit-tokens-limit': '80000',
    'anthropic-ratelimit-tokens-remaining': '79000',
    'anthropic-ratelimit-tokens-reset': '2030-01-01T00:00:00Z',
  };
}

function refuse(_request: RecordedRequest, error: Omit<ErrorReply, 'kind'>): PlainAnswer {
  const head = headers();
  const { status, message = `fake error ${status}`, retryAfter } = error;
  const body = errorBody(status, message, head['request-id'] ?? null, error);
  const retry: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return {
    kind: 'plain',
    status,
    headers: { ...head, ...retry, ...error.headers },
    body: JSON.stringify(body),
  };
}
