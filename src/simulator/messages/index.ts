import { readDirectives } from '../directives.js';
import type { Exchange } from '../exchange.js';
import { Refusal, type SimulatorAnswer } from '../http.js';
import type { JsonObject } from '../json.js';
import { objectOf, stringOf } from '../json.js';
import { countUsage, planAnswer } from '../script.js';
import { createSignedState } from '../state.js';
import { deliver } from '../stream.js';
import { errorBody } from './errors.js';
import { printMessage, streamMessage } from './print.js';
import { checkMessagesBody, checkThinking, hasCacheMark, readMessages } from './read.js';

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
    checkMessagesBody(body, true);
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
  checkThread(body);
  checkMessagesBody(body, false);
  checkBudget(body);
  checkThinking(body, state);
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

/** There is no server-held history; with this answer the official client sends all of it instead [M §2.1]. */
function checkThread(body: JsonObject): void {
  if (body.thread === undefined) return;
  const known = objectOf(body.thread).type === 'create';
  const code = known ? 'thread_unsupported_request' : 'thread_not_found';
  throw new Refusal(400, 'thread: threads are not supported', { code });
}

function checkBudget(body: JsonObject): void {
  const thinking = objectOf(body.thinking);
  if (thinking.type !== 'enabled') return;
  const budget = thinking.budget_tokens;
  if (budget === undefined) throw new Refusal(400, 'thinking.enabled.budget_tokens: Field required');
  if (typeof budget !== 'number' || budget < 1024) {
    throw new Refusal(400, 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  }
  if (budget >= Number(body.max_tokens)) {
    throw new Refusal(400, '`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
}
