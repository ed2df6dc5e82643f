import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../translators/index.js';
import { connectGenerateContent, connectMessages, connectResponses } from '../support/clients.js';
import { tableOf } from '../support/dialects/index.js';
import type { LimitForms } from '../support/dialects/record.js';
import { type Answer, ASK, DIALECTS, messageOf, send } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { type LimitStage, openLimitStage, secretOf, type TestKey } from './stage.js';

const LIMITS = {
  requests: { requestsPerMinute: 1 },
  tokens: { tokensPerMinute: 5 },
  concurrency: { concurrency: 1 },
} satisfies Record<string, Omit<TestKey, 'name'>>;
type Limit = keyof typeof LIMITS;
const KINDS: readonly Limit[] = ['requests', 'tokens', 'concurrency'];

let stage: LimitStage;

beforeAll(async () => {
  const keys = DIALECTS.flatMap((dialect) =>
    KINDS.flatMap((kind) => [
      { name: `${dialect}.${kind}`, ...LIMITS[kind] },
      { name: `sdk.${dialect}.${kind}`, ...LIMITS[kind] },
    ]),
  );
  stage = await openLimitStage([
    ...keys,
    { name: 'wide', requestsPerMinute: 50, tokensPerMinute: 1000, concurrency: 5 },
    { name: 'wide-requests', requestsPerMinute: 50 },
    { name: 'free' },
    { name: 'places', concurrency: 1 },
    { name: 'side', requestsPerMinute: 1 },
    { name: 'big', requestsPerMinute: 1 },
  ]);
});
afterAll(() => stage.close());

/** Uses a limit up, by one request; gives what lets that end. */
async function use(kind: Limit, key: string, dialect: DialectId): Promise<() => Promise<void>> {
  if (kind !== 'concurrency') {
    expect((await stage.ask(key, dialect)).status).toBe(200);
    return async () => {};
  }
  const usual = stage.recorder.reply;
  let answer = (): void => {};
  const before = stage.recorder.seen.length;
  stage.recorder.reply = (response, seen) => {
    answer = () => usual(response, seen);
  };
  const held = stage.ask(key, dialect);
  await until(() => stage.recorder.seen.length > before);
  stage.recorder.reply = usual;
  return async () => {
    answer();
    expect((await held).status).toBe(200);
  };
}

/** The headers that tell limits, with what they say. */
function told({ headers }: Answer): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /ratelimit|^retry-after/.test(name)));
}

const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const DURATION = expect.stringMatching(/^(?:1m0s|\d\ds)$/);
const SECONDS = { requests: /^(?:60|5\d)$/, tokens: /^(?:60|5\d)$/, concurrency: /^1$/ };
const MILLIS = { requests: /^(?:60000|5\d{4})$/, tokens: /^(?:60000|5\d{4})$/, concurrency: /^1000$/ };
const HEADERS = tableOf('limitHeaders');

const BODY = tableOf('limitBody');

/** Forms of what the headers and bodies of a refusal say; the records say where each stands. */
function formsOf(kind: Limit): LimitForms {
  return {
    seconds: expect.stringMatching(SECONDS[kind]),
    millis: expect.stringMatching(MILLIS[kind]),
    date: DATE,
    duration: DURATION,
    retryDelay: expect.stringMatching(/^[\d.]+s$/),
  };
}

const WORDS = {
  requests: 'this API key is over its limit of 1 requests per minute',
  tokens: 'this API key is over its limit of 5 tokens per minute',
  concurrency: 'this API key is over its limit of 1 requests at the same time',
} satisfies Record<Limit, string>;

describe.each(DIALECTS)('%s', (dialect) => {
  test.each(KINDS)('over the limit of %s: 429 with its headers, and the backend is not called', async (kind) => {
    const key = `${dialect}.${kind}`;
    const end = await use(kind, key, dialect);
    const before = stage.recorder.seen.length;
    const refused = await stage.ask(key, dialect);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject(BODY[dialect](kind, formsOf(kind)));
    expect(messageOf(dialect, refused.body)).toBe(WORDS[kind]);
    expect(told(refused)).toEqual(HEADERS[dialect](kind, formsOf(kind)));
    expect(stage.recorder.seen).toHaveLength(before);
    await end();
    if (kind === 'concurrency') expect((await stage.ask(key, dialect)).status).toBe(200);
  });
});

describe('the official clients', () => {
  test.each(KINDS)('know a refusal by %s and when to come again', async (kind) => {
    const ends: (() => Promise<void>)[] = [];
    for (const dialect of DIALECTS) ends.push(await use(kind, `sdk.${dialect}.${kind}`, dialect));
    const keyOf = (dialect: DialectId) => ({ apiKey: secretOf(`sdk.${dialect}.${kind}`) });
    const retryAfter = expect.stringMatching(SECONDS[kind]);

    const messages = await connectMessages(stage.url, keyOf('messages'))
      .messages.create({ model: 'messages', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
      .catch((error: unknown) => error);
    expect(messages).toMatchObject({ status: 429, error: { error: { type: 'rate_limit_error' } } });
    expect((messages as { headers: Headers }).headers.get('retry-after')).toEqual(retryAfter);

    const responses = await connectResponses(stage.url, keyOf('responses'))
      .responses.create({ model: 'responses', input: 'hi' })
      .catch((error: unknown) => error);
    expect(responses).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    expect((responses as { headers: Headers }).headers.get('retry-after')).toEqual(retryAfter);

    const content = await connectGenerateContent(stage.url, keyOf('generateContent'))
      .models.generateContent({ model: 'generateContent', contents: 'hi' })
      .catch((error: unknown) => error);
    expect(content).toMatchObject({ status: 429 });
    expect((content as Error).message).toContain('RetryInfo');
    for (const end of ends) await end();
  });

  test('wait as long as they were told, and then get their answer', async () => {
    const end = await use('concurrency', 'places', 'messages');
    const statuses: number[] = [];
    const waiting = connectMessages(stage.url, {
      apiKey: secretOf('places'),
      retries: 1,
      async fetch(...given) {
        const answer = await fetch(...given);
        statuses.push(answer.status);
        return answer;
      },
    }).messages.create({ model: 'messages', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });
    await until(() => statuses.length > 0);
    await end();
    expect((await waiting).content).toEqual([{ type: 'text', text: 'hello' }]);
    expect(statuses).toEqual([429, 200]);
  });
});

describe('answers tell how the key stands', () => {
  const BACKEND = {
    'anthropic-ratelimit-requests-limit': '4000',
    'anthropic-ratelimit-requests-remaining': '3999',
    'anthropic-ratelimit-requests-reset': '2030-01-01T00:00:00Z',
    'anthropic-ratelimit-input-tokens-limit': '9000',
    'anthropic-ratelimit-input-tokens-remaining': '8000',
    'anthropic-ratelimit-input-tokens-reset': '2030-01-01T00:00:00Z',
  };

  function withBackendLimits(): void {
    const usual = stage.recorder.reply;
    stage.recorder.reply = (response, seen) => {
      for (const [name, value] of Object.entries(BACKEND)) response.setHeader(name, value);
      usual(response, seen);
      stage.recorder.reply = usual;
    };
  }

  test('relayed: in place of what the backend tells of its own', async () => {
    withBackendLimits();
    expect(told(await stage.ask('wide', 'messages'))).toEqual({
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': expect.stringMatching(/^4\d$/),
      'anthropic-ratelimit-requests-reset': DATE,
      'anthropic-ratelimit-tokens-limit': '1000',
      'anthropic-ratelimit-tokens-remaining': expect.stringMatching(/^(?:1000|99\d|9[6-8]\d)$/),
      'anthropic-ratelimit-tokens-reset': DATE,
    });
  });

  test('translated: the same in the words of the client', async () => {
    withBackendLimits();
    expect(told(await stage.ask('wide', 'responses', 'messages'))).toEqual({
      'x-ratelimit-limit-requests': '50',
      'x-ratelimit-remaining-requests': expect.stringMatching(/^4\d$/),
      'x-ratelimit-reset-requests': DURATION,
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': expect.stringMatching(/^(?:1000|99\d|9[6-8]\d)$/),
      'x-ratelimit-reset-tokens': DURATION,
    });
  });

  test('a kind that the key has no limit of is the backend’s', async () => {
    withBackendLimits();
    expect(told(await stage.ask('wide-requests', 'messages'))).toEqual({
      ...BACKEND,
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': DATE,
    });
    withBackendLimits();
    expect(told(await stage.ask('free', 'messages'))).toEqual(BACKEND);
  });

  test('also when the request is refused for another reason', async () => {
    const { path } = ASK.messages('messages');
    const answer = await send(stage.url, path, { body: '{', headers: { 'x-api-key': secretOf('wide') } });
    expect(answer.status).toBe(400);
    expect(told(answer)).toMatchObject({ 'anthropic-ratelimit-requests-limit': '50' });
  });
});

test('what looks only costs nothing', async () => {
  const headers = { 'x-api-key': secretOf('side') };
  const body = { model: 'messages', messages: [{ role: 'user', content: 'hi' }] };
  const paths: readonly [string, object?][] = [['/v1/models'], ['/v1/models/messages']];
  const look = async () => {
    for (const [path] of paths) expect((await send(stage.url, path, { headers })).status).not.toBe(429);
  };
  await look();
  stage.recorder.reply = (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":3}');
  const count = () => send(stage.url, '/v1/messages/count_tokens', { headers, body });
  expect((await count()).status).toBe(200);
  expect((await count()).status).toBe(429);
  const picture = await send(stage.url, '/v1/images/generations', {
    headers,
    body: { model: 'responses', prompt: 'x' },
  });
  expect(picture.status).toBe(429);
  expect(picture.body).toMatchObject({ error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } });
  await look();
});

test('a refusal does not wait for the body', async () => {
  const { path, body } = ASK.messages('messages');
  const headers = { 'x-api-key': secretOf('big') };
  await send(stage.url, path, { headers, body });
  const { request } = await import('node:http');
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const outgoing = request(stage.url, {
      path,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': 1_000_000 },
      agent: false,
    });
    outgoing.on('response', (response) => {
      resolve(response.statusCode);
      outgoing.destroy();
    });
    outgoing.on('error', reject);
    outgoing.write('{');
  });
  expect(status).toBe(429);
});
