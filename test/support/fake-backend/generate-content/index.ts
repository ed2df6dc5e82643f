import { checkCount, checkGenerate } from '../../../../src/simulator/rules/index.js';
import { badRequest, errorBody, retryInfo } from '../../services/generate-content/errors.js';
import { printContent, streamContent } from '../../services/generate-content/print.js';
import { showsThoughts } from '../../services/generate-content/read.js';
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
import type { ErrorReply } from '../reply.js';

const HEADERS = { 'content-type': 'application/json; charset=UTF-8', 'server-timing': 'gfet4t7; dur=12' };
const VERSIONED = /^\/(?:v1beta1|v1beta|v1alpha|v1)(\/.*)$/;

/** The generateContent side of a fake backend. */
export function createGenerateContentFake(options: FakeBackendOptions): FakeDialect {
  const state = createIssuedState();
  const host = options.host ?? 'dev';

  function receive(request: RecordedRequest): PlainAnswer | Conversation {
    if (options.apiKey !== undefined && !keysOf(request).includes(options.apiKey)) return refuseKey(request);
    const path = VERSIONED.exec(pathnameOf(request))?.[1] ?? '';
    const [, name, verb] = /\/models\/(.+?)(?::([A-Za-z]+))?$/.exec(path) ?? [];
    if (request.method === 'GET' && /\/models$/.test(path)) {
      return answerJson({ models: (options.models ?? ['fake-generate-content']).map(modelInfo) }, HEADERS, 2);
    }
    const model = decodeURIComponent(name ?? '');
    if (name === undefined || (options.models && !options.models.includes(model))) {
      const message = `models/${model} is not found for API version v1beta, or is not supported for ${verb ?? 'get'}. Call ListModels to see the list of available models and their supported methods.`;
      return refuse(request, { status: 404, message });
    }
    if (request.method === 'GET' && verb === undefined) return answerJson(modelInfo(model), HEADERS, 2);
    if (request.method === 'POST' && verb === 'countTokens') return count(request);
    if (request.method === 'POST' && (verb === 'generateContent' || verb === 'streamGenerateContent')) {
      return converse(request, model, verb === 'streamGenerateContent');
    }
    return refuse(request, { status: 404, message: `Method not found: ${verb}` });
  }

  function count(request: RecordedRequest): PlainAnswer {
    const body = bodyOf(request);
    if (!body) return refuse(request, { status: 400, message: 'Invalid JSON payload received.' });
    const [first] = options.strict === false ? [] : checkCount(body, host);
    if (first) return refuse(request, { status: 400, ...first });
    return answerJson({ totalTokens: options.inputTokens ?? 42 }, HEADERS, 2);
  }

  function converse(request: RecordedRequest, model: string, streaming: boolean): PlainAnswer | Conversation {
    const body = bodyOf(request);
    if (!body) return refuse(request, { status: 400, message: 'Invalid JSON payload received.' });
    const reading = { model, host, gemini3: options.gemini3 === true, state };
    const [first] = options.strict === false ? [] : checkGenerate(body, reading);
    if (first) return refuse(request, { status: 400, ...first });
    const includeThoughts = showsThoughts(body);
    const framing = queryOf(request).get('alt') === 'sse' ? 'sse' : 'array';
    const type = framing === 'sse' ? 'text/event-stream' : 'application/json; charset=UTF-8';
    const printing = (plan: Plan, usage: Usage) => {
      return { plan, usage, state, model, mint: mintId, now: nowSeconds(), includeThoughts };
    };
    return {
      kind: 'conversation',
      streaming,
      headers: HEADERS,
      streamHeaders: { ...HEADERS, 'content-type': type, 'content-disposition': 'attachment' },
      print: (plan, usage) => printContent(printing(plan, usage)),
      stream: (plan, usage) => streamContent(printing(plan, usage), framing),
    };
  }

  return {
    receive,
    refuse,
    overloaded: { status: 503, message: 'The model is overloaded. Please try again later.' },
  };
}

function keysOf(request: RecordedRequest): (string | null | undefined)[] {
  return [request.headers['x-goog-api-key'], bearerOf(request), queryOf(request).get('key')];
}

/** A bad key is a 400 here [G §4.29]. */
function refuseKey(request: RecordedRequest): PlainAnswer {
  const reason = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
  };
  const message = 'API key not valid. Please pass a valid API key.';
  return refuse(request, { status: 400, message, details: [reason] });
}

function modelInfo(id: string) {
  return {
    name: `models/${id}`,
    version: '1',
    displayName: id,
    inputTokenLimit: 1048576,
    outputTokenLimit: 65536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  };
}

/** Streams that are no event streams carry their error in a list of one [G §7]. */
function refuse(
  request: RecordedRequest,
  error: Omit<ErrorReply, 'kind'> & { readonly details?: readonly object[] },
): PlainAnswer {
  const { status, retryAfter, details = [], param } = error;
  const wait = retryAfter === undefined ? [] : [retryInfo(retryAfter)];
  const field = param === undefined ? [] : [badRequest([{ field: param, description: error.message ?? '' }])];
  const said = error.message ?? `fake error ${status}`;
  const message = retryAfter === undefined ? said : `${said}\nPlease retry in ${retryAfter}s.`;
  const body = errorBody(status, message, [...details, ...field, ...wait]);
  const word = error.code ?? error.type;
  const worded = word === undefined ? body : { error: { ...body.error, status: word } };
  const listed = /:streamGenerateContent$/.test(pathnameOf(request)) && queryOf(request).get('alt') !== 'sse';
  return {
    kind: 'plain',
    status,
    headers: { ...HEADERS, ...error.headers },
    body: JSON.stringify(listed ? [worded] : worded, null, 2),
  };
}
