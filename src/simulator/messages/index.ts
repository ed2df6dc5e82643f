import { readDirectives } from '../directives.js';
import type { Exchange } from '../exchange.js';
import { Refusal, type SimulatorAnswer } from '../http.js';
import type { JsonObject } from '../json.js';
import { objectOf, stringOf } from '../json.js';
import { countUsage, planAnswer } from '../script.js';
import { createSignedState } from '../state.js';
import { deliver } from '../stream.js';
import { refuseFirst } from '../violation.js';
import { checkBetas } from './beta-rules.js';
import { errorBody } from './errors.js';
import { printMessage, streamMessage } from './print.js';
import { hasCacheMark, readMessages } from './read.js';
import { checkMessages } from './rules.js';

const state = createSignedState('messages');
const RETRY_SECONDS = '1';

/** Serves the messages dialect: create, count_tokens, model list [M §1.1]. `path` has neither query nor version. */
export function serveMessages(exchange: Exchange): SimulatorAnswer {
  const requestId = exchange.mint('req_');
  const headers = { 'content-type': 'application/json', 'request-id': requestId, ...RATE_HEADERS };
  try {
    return route(exchange, headers);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const retry: Record<string, string> = error.status === 429 ? { 'retry-after': RETRY_SECONDS } : {};
    const body = errorBody(error.status, error.message, requestId, error.detail);
    return { status: error.status, headers: { ...headers, ...retry }, body: JSON.stringify(body) };
  }
}

const RATE_HEADERS = {
  'anthropic-organization-id': 'org_simulator',
  'anthropic-ratelimit-requests-limit': '1000',
  'anthropic-ratelimit-requests-remaining': '999',
  'anthropic-ratelimit-requests-reset': '2030-01-01T00:00:00Z',
  'anthropic-ratelimit-tokens-limit': '1000000',
  'anthropic-ratelimit-tokens-remaining': '999000',
  'anthropic-ratelimit-tokens-reset': '2030-01-01T00:00:00Z',
};

function route(exchange: Exchange, headers: Record<string, string>): SimulatorAnswer {
  const { method, path } = exchange;
  const json = (value: object): SimulatorAnswer => ({ status: 200, headers, body: JSON.stringify(value) });
  if (method === 'POST' && path === '/messages') return create(exchange, headers, json);
  if (method === 'POST' && path === '/messages/count_tokens') {
    const body = exchange.readBody();
    check(exchange, body, true);
    return json({ input_tokens: readMessages(body).promptTokens });
  }
  const model = /^\/models\/([^/]+)$/.exec(path)?.[1];
  if (method === 'GET' && path === '/models') {
    const data = [modelInfo('sim-messages')];
    return json({ data, has_more: false, first_id: 'sim-messages', last_id: 'sim-messages' });
  }
  if (method === 'GET' && model !== undefined) return json(modelInfo(decodeURIComponent(model)));
  throw new Refusal(404, 'Not Found');
}

function modelInfo(id: string) {
  return { type: 'model', id, display_name: `Simulated model ${id}`, created_at: '2026-01-01T00:00:00Z' };
}

function create(
  exchange: Exchange,
  headers: Record<string, string>,
  json: (value: object) => SimulatorAnswer,
): SimulatorAnswer {
  const body = exchange.readBody();
  check(exchange, body, false);
  const view = readMessages(body);
  const directives = readDirectives(view.userText);
  if (directives.status !== undefined) throw new Refusal(directives.status, `simulated error ${directives.status}`);
  const plan = planAnswer(view);
  const usage = countUsage(view, plan, hasCacheMark(body) ? 'marked' : 'none');
  const display: 'omitted' | 'summarized' = objectOf(body.thinking).display === 'omitted' ? 'omitted' : 'summarized';
  const printing = { plan, usage, display, state, model: view.model, mint: exchange.mint, now: exchange.now };
  if (body.stream !== true) {
    if (directives.broken === 'failed') throw new Refusal(529, 'Overloaded');
    const whole = json(printMessage(printing));
    return directives.broken === 'cut' ? { ...whole, body: exchange.cutBody(stringOf(whole.body)) } : whole;
  }
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    body: deliver(streamMessage(printing), exchange.delivery(directives, { status: 529, message: 'Overloaded' })),
  };
}

const VERSIONS = ['2023-06-01', '2026-10-21'];

/** Refuses what the service refuses, whatever the model: by its head first, then by its body. */
function check(exchange: Exchange, body: JsonObject, counting: boolean): void {
  const { 'anthropic-version': version, 'anthropic-beta': betas } = exchange.headers;
  if (version === undefined) throw new Refusal(400, 'anthropic-version: header is required');
  if (!VERSIONS.includes(version)) {
    throw new Refusal(400, `anthropic-version: "${version}" is not a valid version`);
  }
  const beta = betas !== undefined || exchange.query.get('beta') === 'true';
  refuseFirst(checkMessages(body, { version, beta, generation: 'any', state, counting }));
  refuseFirst(checkBetas(body, betas));
}
