import { describe, expect, test } from '@jest/globals';
import { createLosses } from '../../translators/canonical/loss.js';
import { chatCompletions } from '../../translators/chat-completions/index.js';
import { encodeCarrier } from '../../translators/wire/carrier.js';

/** What one backend issued, as a client of another dialect gets it. */
function carrierOf(dialect: string, domain: string): string {
  return encodeCarrier(dialect, domain, [{ dialect, domain, kind: 'reasoning', payload: '{"x":"y"}' }]);
}

const OTHER = carrierOf('messages', 'd-other');
const OWN = carrierOf('chatCompletions', 'd-own');

describe('errors of a backend (translation.md 7.1)', () => {
  // hard case H-ERR-01
  test.each([
    ['an array', 400, [{ error: { code: 400, message: 'bad', status: 'INVALID_ARGUMENT' } }], 'invalid_request', 'bad'],
    ['flat', 400, { object: 'error', message: 'bad', type: 'x', param: null, code: '3230' }, 'invalid_request', 'bad'],
    ['a detail', 401, { detail: 'Unauthorized' }, 'authentication', 'Unauthorized'],
    [
      'details',
      422,
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs' }] },
      'invalid_request',
      'seed: Extra inputs',
    ],
    [
      'details as a message',
      422,
      { object: 'Error', message: [{ loc: ['body', 'user'], msg: 'Extra inputs' }] },
      'invalid_request',
      'user: Extra inputs',
    ],
    ['a numeric code', 402, { error: { message: 'no credits', code: 402 } }, 'billing', 'no credits'],
    ['a text', 400, { error: 'bad words', code: 'x' }, 'invalid_request', 'bad words'],
    ['no JSON', 400, 'bad line', 'invalid_request', 'bad line'],
    ['200 with an error', 200, { error: { message: 'no', code: 401 } }, 'authentication', 'no'],
    ['200 with an outcome', 200, { base_resp: { status_code: 1004, status_msg: 'x' } }, 'authentication', 'x'],
    [
      '200 with an outcome that nobody knows',
      200,
      { base_resp: { status_code: 7, status_msg: 'x' } },
      'upstream',
      'the backend failed',
    ],
    [
      'a router with the words of the host behind it',
      400,
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error":{"message":"Unknown parameter: x"}}', provider_name: 'Some' },
        },
      },
      'invalid_request',
      'Provider returned error: Unknown parameter: x',
    ],
  ])('%s', (_name, status, body, kind, message) => {
    expect(chatCompletions.decodeError(status, body, {})).toMatchObject({ kind, message });
  });

  test.each([
    [400, { error: { message: 'x', code: 'context_length_exceeded' } }, 'context_length'],
    [400, { error: { message: 'x', type: 'too_many_prompt_tokens', code: 400 } }, 'context_length'],
    [400, { error: { message: "This model's maximum context length is 9 tokens" } }, 'context_length'],
    [
      400,
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error":{"message":"prompt is too long"}}' },
        },
      },
      'context_length',
    ],
    [400, { error: { message: 'filtered', code: 'content_filter' } }, 'content_policy'],
    [429, { error: { message: 'x', code: 'insufficient_quota' } }, 'billing'],
    [429, { error: { message: 'x', code: 'RateLimitReached' } }, 'rate_limit'],
    [400, { error: { message: 'The model `m` does not exist' } }, 'not_found'],
    [404, { error: { message: 'Conversation roles must alternate' } }, 'invalid_request'],
    [404, { error: { message: 'nothing here' } }, 'not_found'],
    [498, {}, 'overloaded'],
    [529, {}, 'overloaded'],
    [500, { error: { message: 'secret host' } }, 'internal'],
  ])('%i %j is %s', (status, body, kind) => {
    expect(chatCompletions.decodeError(status, body, {}).kind).toBe(kind);
  });

  test('a call that the model wrote badly may be tried again', () => {
    const body = { error: { message: 'Failed to call a function', code: 'tool_use_failed', failed_generation: '<f' } };
    expect(chatCompletions.decodeError(400, body, {})).toEqual({
      kind: 'internal',
      message: 'the backend failed',
      code: 'tool_use_failed',
      retry: true,
    });
  });

  test('no milliseconds beside seconds are no delay [H §1.2]', () => {
    const headers = { 'retry-after': '1', 'retry-after-ms': '0' };
    expect(chatCompletions.decodeError(429, {}, headers).retryAfterMs).toBe(1000);
    expect(chatCompletions.decodeError(429, {}, { 'retry-after-ms': '0' }).retryAfterMs).toBe(0);
  });
});

describe('errors for a client', () => {
  test.each([
    [{ kind: 'not_found', message: 'no m', model: 'm' }, 404, { code: 'model_not_found', param: 'model' }],
    [{ kind: 'not_found', message: 'no route' }, 404, { code: null, param: null }],
    [{ kind: 'content_policy', message: 'x' }, 400, { code: 'content_policy_violation' }],
    [{ kind: 'content_policy', message: 'x', code: 'content_filter' }, 400, { code: 'content_filter' }],
    [{ kind: 'billing', message: 'x' }, 429, { type: 'insufficient_quota' }],
    [{ kind: 'overloaded', message: 'x' }, 503, { type: 'server_error', code: 'server_is_overloaded' }],
    [{ kind: 'invalid_request', message: 'x', path: '/messages/0/content' }, 400, { param: 'messages[0].content' }],
  ] as const)('%j', (error, status, body) => {
    const encoded = chatCompletions.encodeError(error, { requestId: 'r' });
    expect(encoded).toMatchObject({ status, body: { error: body }, headers: { 'x-request-id': 'r' } });
  });

  test('what a repetition does not mend is said not to be repeated', () => {
    expect(chatCompletions.encodeError({ kind: 'billing', message: 'x' }, {}).headers).toEqual({
      'x-should-retry': 'false',
    });
  });
});

test('limits by the minute are limits that are whole again after one [H §1.2]', () => {
  const headers = {
    'x-ratelimit-limit-req-minute': '300',
    'x-ratelimit-remaining-req-minute': '299',
    'x-ratelimit-limit-tokens-minute': '50000',
    'x-ratelimit-remaining-tokens-minute': '0',
  };
  const limits = chatCompletions.decodeLimits(headers, 0);
  expect(limits).toEqual({
    requests: { limit: 300, remaining: 299, resetMs: 60_000 },
    tokens: { limit: 50_000, remaining: 0, resetMs: 60_000 },
  });
  expect(chatCompletions.encodeLimits(limits, 0)).toMatchObject({ 'x-ratelimit-reset-tokens': '1m0s' });
});

describe('relayed streams', () => {
  const { relayedEnd, relayedFacts, isTerminal } = chatCompletions;
  const finish = '{"id":"c1","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';

  test('the last word is [DONE], or an error wherever it stands', () => {
    expect(isTerminal('', '[DONE]')).toBe(true);
    expect(isTerminal('', '{"error":{"message":"x"},"choices":[]}')).toBe(true);
    expect(isTerminal('error', '{"error":{"message":"x"}}')).toBe(true);
    expect(isTerminal('', finish)).toBe(false);
    expect(isTerminal('', '{"choices":[{"delta":{"content":"\\"error\\": {"}}]}')).toBe(false);
    expect(isTerminal('', '{"error":null,"choices":[{"delta":{"content":"\\"error\\":\\"x"}}]}')).toBe(false);
  });

  test('servers without a finish end with the counts; counts beside an answer or in front of it are no end', () => {
    const usage = '"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}';
    const delta = '{"index":0,"delta":{"content":"a"}}';
    expect(relayedEnd.trailer([], `{"choices":[],${usage}}`)).toBe('data: [DONE]\n\n');
    expect(relayedEnd.trailer([], `{"choices":[],"x_groq":{${usage}}}`)).toBe('data: [DONE]\n\n');
    expect(relayedEnd.trailer([], `{"choices":[${delta}],${usage}}`)).toBeUndefined();
    expect(relayedEnd.trailer([], `{"choices":[${delta}],"usage":null}`)).toBeUndefined();
    expect(relayedEnd.trailer([], '{"choices":[],"usage":{}}')).toBeUndefined();
  });

  test('after a finish only [DONE] is missing; before it the answer broke off', () => {
    expect(relayedEnd.keeps('', finish)).toBe(true);
    expect(relayedEnd.keeps('', '{"choices":[{"finish_reason":null}]}')).toBe(false);
    expect(relayedEnd.trailer([finish], finish)).toBe('data: [DONE]\n\n');
    expect(relayedEnd.trailer([], undefined)).toBeUndefined();
    const broken = relayedEnd.failure(
      { kind: 'upstream', message: 'cut' },
      { kept: [], last: '{"id":"c1","created":7,"model":"m","choices":[]}', framing: 'sse' },
      {},
    );
    expect(broken).toMatch(/^data: \{.*\}\n\n$/);
    expect(JSON.parse(broken.slice(6))).toEqual({
      error: { message: 'cut', type: 'server_error', param: null, code: 'upstream_error' },
    });
    expect(relayedEnd.told('', '{"error":{"message":"x","code":429}}')).toMatchObject({ kind: 'rate_limit' });
    expect(relayedEnd.told('error', '{"message":"x","code":"tool_use_failed"}')).toMatchObject({ kind: 'internal' });
  });

  test('the finish and the counts are facts, whatever chunk they are in', () => {
    const usage =
      '{"id":"c1","model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}';
    expect(relayedFacts.keeps('', finish)).toBe('beside');
    expect(relayedFacts.keeps('', usage)).toBe('beside');
    expect(relayedFacts.keeps('', '{"usage":null,"choices":[]}')).toBeUndefined();
    expect(relayedFacts.read([JSON.parse(finish), JSON.parse(usage)])).toMatchObject({
      id: 'c1',
      model: 'm',
      finish: 'stop',
      usage: { input: 3, output: 4 },
    });
  });

  test.each([
    ['{"choices":[{"delta":{"content":"a"}}]}', true],
    ['{"choices":[{"delta":{"content":""}}]}', false],
    ['{"choices":[{"delta":{"content":null,"refusal":null}}]}', false],
    ['{"choices":[{"delta":{"reasoning_content":"a"}}]}', true],
    ['{"choices":[{"delta":{"reasoning":"a"}}]}', true],
    ['{"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}', true],
    ['{"choices":[{"delta":{"tool_calls":[]}}]}', false],
    ['{"choices":[{"delta":{"content":[{"type":"thinking"}]}}]}', true],
  ])('%s brings content: %s', (data, expected) => {
    expect(relayedFacts.content('', data)).toBe(expected);
  });
});

describe('state of other backends in a relayed body (translation.md 4.5)', () => {
  const foreign = (carrier: string) => carrier === OTHER;

  function settle(messages: readonly unknown[], choice: object = {}, more: object = {}) {
    const losses = createLosses();
    const profile = chatCompletions.target('m', choice);
    const body = JSON.parse(JSON.stringify({ model: 'm', messages, ...more }));
    return { changed: chatCompletions.withholdState(body, { foreign, losses, target: profile }), losses: losses.list };
  }

  const call = (extra?: object) => ({
    id: 'call_1',
    type: 'function',
    function: { name: 'f', arguments: '{}' },
    ...(extra !== undefined && { extra_content: extra }),
  });
  const details = (data: string) => [{ type: 'reasoning.encrypted', id: 'call_1', format: 'unknown', index: 0, data }];

  test('a carrier of another backend goes, with the text beside it, from both places', () => {
    const given = {
      role: 'assistant',
      content: 'a',
      reasoning_content: 'thought',
      reasoning_details: details(OTHER),
      tool_calls: [call({ google: { thought_signature: OTHER } })],
    };
    const { changed, losses } = settle([{ role: 'user', content: 'q' }, given]);
    expect(changed).toEqual({
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a', tool_calls: [call()] },
      ],
    });
    expect(losses).toMatchObject([{ path: '/messages/1', feature: 'reasoning.state', kind: 'dropped' }]);
  });

  test('a carrier of this backend stays, and what no carrier is', () => {
    const own = { role: 'assistant', content: 'a', reasoning_content: 't', reasoning_details: details(OWN) };
    expect(settle([own]).changed).toEqual({});
    expect(settle([{ role: 'assistant', content: 'a', reasoning_content: 't' }]).changed).toEqual({});
  });

  test('a server that takes no reasoning gets none', () => {
    const message = { role: 'assistant', content: 'a', reasoning: 't', reasoning_details: [] };
    expect(settle([message], { server: { reasoningReplay: 'never' } }).changed).toEqual({
      messages: [{ role: 'assistant', content: 'a' }],
    });
  });

  test('a server that refuses unknown members gets no members that say nothing', () => {
    const message = { role: 'assistant', content: null, refusal: null, annotations: [], tool_calls: [call()] };
    const strict = settle([message], { server: { strictBody: true } });
    expect(strict).toEqual({
      changed: { messages: [{ role: 'assistant', content: null, tool_calls: [call()] }] },
      losses: [],
    });
    expect(settle([message]).changed).toEqual({});
  });

  // hard cases H-REAS-02, H-REAS-06
  test('a server that demands reasoning gets an empty one where it was lost', () => {
    const history = [
      { role: 'assistant', content: null, tool_calls: [call()] },
      { role: 'tool', tool_call_id: 'call_1', content: 'r' },
      { role: 'assistant', content: 'done' },
    ];
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const withTools = settle(history, { server: { reasoningReplay: 'must-with-tools' } }, { tools });
    expect(withTools.changed).toMatchObject({
      messages: [{ reasoning_content: '' }, { role: 'tool' }, { reasoning_content: '' }],
    });
    expect(withTools.losses).toMatchObject([{ kind: 'invented' }, { kind: 'invented' }]);
    expect(settle(history, { server: { reasoningReplay: 'must-with-tools' } }).changed).toEqual({});
    const must = settle(history, { server: { reasoningReplay: 'must' } });
    expect(must.changed).toEqual({
      messages: [{ ...history[0], reasoning_content: '' }, history[1], history[2]],
    });
  });

  test('a server that demands a signature gets the one that stands for none', () => {
    const history = [{ role: 'assistant', content: null, tool_calls: [call(), call()] }];
    const signature = { google: { thought_signature: 'skip_thought_signature_validator' } };
    expect(settle(history, { server: { reasoningReplay: 'signature' } }).changed).toEqual({
      messages: [{ role: 'assistant', content: null, tool_calls: [call(signature), call()] }],
    });
  });
});
