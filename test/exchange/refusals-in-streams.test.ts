import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';

// A stream whose first event is a refusal counts as a refusal: what it reveals is retried once, and remembered. The texts are those
// of vLLM 0.32.0 started without a parser of reasoning.

const REFUSED =
  'thinking_token_budget is set but reasoning_config is not configured. Please set --reasoning-parser and/or --reasoning-config to use thinking_token_budget.';
const PYDANTIC =
  "Field required [type=missing, input_value={'error': {'message': 'th...am': None, 'code': 400}}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.14/v/missing";
const IN_STREAM = `2 validation errors for ChatCompletionStreamResponse\nmodel\n  ${PYDANTIC}\nchoices\n  ${PYDANTIC}`;

let recorder: Recorder;
let gateway: TestGateway;
let next = 0;

beforeAll(async () => {
  recorder = await startRecorder();
  const baseUrl = recorder.url;
  gateway = await startGateway({
    backends: { vllm: { preset: 'vllm', baseUrl }, plain: { dialect: 'messages', baseUrl } },
    models: { 'v-*': { backend: 'vllm' }, 'p-*': { backend: 'plain' }, 'claude-*': { backend: 'plain' } },
  });
});
beforeEach(() => {
  next += 1;
  recorder.reply = (response, { body: text }) => {
    const body: Tree = JSON.parse(text);
    const refused = body.thinking?.type === 'enabled';
    if (refused && !body.stream)
      return json(response, 400, { type: 'error', error: { type: 'BadRequestError', message: REFUSED } });
    if (!body.stream) return json(response, 200, WHOLE.messages('Hi'));
    const error = { type: 'error', error: { type: 'internal_error', message: IN_STREAM } };
    response.writeHead(200, EVENT_STREAM);
    response.end(refused ? `event: error\ndata: ${JSON.stringify(error)}\n\n` : FRAMES.messages('Hi').join(''));
  };
});
afterAll(async () => {
  await Promise.all([gateway.close(), recorder.close()]);
});

async function exchange(body: Tree, path = '/v1/messages') {
  recorder.seen.length = 0;
  const answer = await send(gateway.url, path, { body });
  const sent = recorder.seen.map((seen): Tree => JSON.parse(seen.body));
  return { answer, sent, losses: String(answer.headers['x-interlingua-loss'] ?? '') };
}

const asked = (backend: string, more: object = {}) => ({
  model: `${backend}-${next}`,
  max_tokens: 2000,
  messages: [{ role: 'user', content: 'Think.' }],
  thinking: { type: 'enabled', budget_tokens: 1024 },
  ...more,
});

describe.each([true, false])('a budget of thinking that its host does not count, stream: %s', (stream) => {
  test.each(['v', 'p'])('is left to the model in a body that is relayed, host %s', async (backend) => {
    const given = asked(backend, { stream });
    const first = await exchange(given);
    expect([first.answer.status, first.sent]).toEqual([200, [given, { ...given, thinking: { type: 'adaptive' } }]]);
    expect(first.losses).toContain('reasoning.budget;kind=dropped;path="/thinking/budget_tokens"');
    expect(first.answer.text).toContain('Hi');
    expect(first.answer.text).not.toContain('validation errors');
    const second = await exchange(given);
    expect([second.answer.status, second.sent, second.losses]).toEqual([200, first.sent.slice(1), first.losses]);
  });

  test('is an effort in a body of another dialect', async () => {
    const body = {
      model: `p-${next}`,
      messages: [{ role: 'user', content: 'Think.' }],
      max_completion_tokens: 9000,
      reasoning_effort: 'low',
      stream,
    };
    const first = await exchange(body, '/v1/chat/completions');
    expect([first.answer.status, first.sent.map(({ thinking }) => thinking.type)]).toEqual([
      200,
      ['enabled', 'adaptive'],
    ]);
    expect(first.sent[1]?.output_config).toEqual({ effort: 'low' });
    expect(first.answer.text).toContain('Hi');
    expect((await exchange(body, '/v1/chat/completions')).sent).toEqual(first.sent.slice(1));
  });
});

test('a refusal that the second call met as well is told, and nothing is learned of it', async () => {
  const { reply } = recorder;
  recorder.reply = (response) => {
    const error = { type: 'error', error: { type: 'internal_error', message: IN_STREAM } };
    response.writeHead(200, EVENT_STREAM);
    response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
  };
  const given = asked('v', { stream: true });
  const { answer, sent } = await exchange(given);
  expect([sent.length, answer.text.includes('2 validation errors')]).toEqual([2, true]);
  recorder.reply = reply;
  expect((await exchange(given)).sent[0]).toEqual(given);
});

test('a refusal of a body without a budget reveals nothing of budgets', async () => {
  recorder.reply = (response, { body }) => {
    if (JSON.parse(body).thinking?.display === undefined) return json(response, 200, WHOLE.messages('Hi'));
    const error = { type: 'error', error: { type: 'invalid_request_error', message: IN_STREAM } };
    json(response, 400, error);
  };
  const body = { model: `claude-opus-5-${next}`, input: 'Think.', reasoning: { effort: 'low', summary: 'auto' } };
  const { answer, sent } = await exchange(body, '/v1/responses');
  expect([answer.status, sent.map(({ thinking }) => thinking)]).toEqual([
    400,
    [{ type: 'adaptive', display: 'summarized' }],
  ]);
});

test('a failure of the server that comes first is passed on as it came', async () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  recorder.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
  };
  const { answer, sent } = await exchange(asked('v', { stream: true }));
  expect([sent.length, answer.status, answer.text]).toEqual([
    1,
    200,
    `event: error\ndata: ${JSON.stringify(error)}\n\n`,
  ]);
});

/** Frames of an answer of messages that has no content. */
const EMPTY = FRAMES.messages('Hi').filter((frame) => !frame.includes('content_block'));

test('what a refusal revealed is remembered although the answer then has no content', async () => {
  const { reply } = recorder;
  recorder.reply = (response, seen) => {
    if (JSON.parse(seen.body).thinking?.type === 'enabled') return reply(response, seen);
    response.writeHead(200, EVENT_STREAM);
    response.end(EMPTY.join(''));
  };
  const given = asked('v', { stream: true });
  expect((await exchange(given)).sent).toHaveLength(2);
  expect((await exchange(given)).sent).toEqual([{ ...given, thinking: { type: 'adaptive' } }]);
});

test.each(['empty', 'failed'])(
  'and so it is of a translated answer, not of one that fails before its content: %s',
  async (how) => {
    const { reply } = recorder;
    const [start = ''] = EMPTY;
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    recorder.reply = (response, seen) => {
      if (JSON.parse(seen.body).thinking?.type === 'enabled') return reply(response, seen);
      response.writeHead(200, EVENT_STREAM);
      if (how === 'empty') response.end(EMPTY.join(''));
      else {
        response.write(start);
        setTimeout(() => response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`), 100);
      }
    };
    const reasoning = { effort: 'low' };
    const body = { model: `p-${next}`, input: 'Think.', max_output_tokens: 9000, reasoning, stream: true };
    const first = await exchange(body, '/v1/responses');
    expect(first.sent).toHaveLength(2);
    expect((await exchange(body, '/v1/responses')).sent).toEqual(first.sent.slice(how === 'empty' ? 1 : 0));
  },
);

test.each(['/v1/messages', '/v1/chat/completions'])(
  'a refusal that came whole and with status 200 reveals the same: %s',
  async (path) => {
    recorder.reply = (response, seen) => {
      const isRefused = JSON.parse(seen.body).thinking?.type === 'enabled';
      const error = { type: 'invalid_request_error', message: REFUSED };
      json(response, 200, isRefused ? { type: 'error', error } : WHOLE.messages('Hi'));
    };
    const messages = [{ role: 'user', content: 'Think.' }];
    const chat = { model: `p-${next}`, messages, max_completion_tokens: 9000, reasoning_effort: 'low', stream: true };
    const body = path === '/v1/messages' ? asked('p', { stream: true }) : chat;
    const { answer, sent } = await exchange(body, path);
    expect([answer.status, sent.map(({ thinking }) => thinking.type)]).toEqual([200, ['enabled', 'adaptive']]);
    expect(answer.text).toContain('Hi');
    expect((await exchange(body, path)).sent).toEqual(sent.slice(1));
  },
);

test.each(['/v1/messages', '/v1/chat/completions'])(
  'a refusal in the place of a stream says which backend it is of, for a client of %s',
  async (path) => {
    const error = { type: 'error', error: { type: 'invalid_request_error', message: 'that cannot be said' } };
    recorder.reply = (response) => json(response, 200, error, { 'request-id': 'req_of_the_backend' });
    const body = { model: `p-${next}`, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], stream: true };
    const { answer } = await exchange(body, path);
    expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([400, 'plain']);
    expect(answer.headers['x-interlingua-upstream-request-id']).toBe('req_of_the_backend');
  },
);
