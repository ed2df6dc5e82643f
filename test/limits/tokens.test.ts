import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dialectAt } from '../support/dialect-at.js';
import { ASK, DIALECTS, EVENT_STREAM, FRAMES, json, STREAM, send } from '../support/gateway/harness.js';
import { PAIRS } from '../support/pairs.js';
import { until } from '../support/until.js';
import { answerInDialect, type LimitStage, openLimitStage, secretOf, type TestKey } from './stage.js';

const few = (name: string, tokensPerMinute: number): TestKey => ({ name, tokensPerMinute });

let stage: LimitStage;

beforeAll(async () => {
  stage = await openLimitStage([
    ...PAIRS.flatMap(([client, backend]) => [
      few(`whole.${client}.${backend}`, 10),
      few(`streamed.${client}.${backend}`, 10),
      few(`gone.${client}.${backend}`, 4),
    ]),
    ...DIALECTS.map((dialect) => few(`refused.${dialect}`, 1)),
    few('silent', 1000),
    few('count', 1),
    { name: 'changing', requestsPerMinute: 1, concurrency: 1 },
    { name: 'compacting', requestsPerMinute: 1 },
  ]);
});
afterEach(() => {
  stage.recorder.reply = answerInDialect;
});
afterAll(() => stage.close());

describe.each(PAIRS)('a client of %s and a backend of %s', (client, backend) => {
  test.each(['whole', 'streamed'] as const)('a %s answer is charged with its usage', async (form) => {
    const { path, body } = form === 'whole' ? ASK[client](backend) : STREAM[client](backend);
    const statuses: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      const headers = { 'x-api-key': secretOf(`${form}.${client}.${backend}`) };
      statuses.push((await send(stage.url, path, { body, headers })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('a stream that its client leaves is not free', async () => {
    stage.recorder.reply = (response, seen) => {
      response.writeHead(200, EVENT_STREAM).write(FRAMES[dialectAt(seen.path)]('hello').slice(0, 5).join(''));
    };
    const key = `gone.${client}.${backend}`;
    const { path, body } = STREAM[client](backend);
    const outgoing = request(stage.url, {
      path,
      method: 'POST',
      headers: { 'x-api-key': secretOf(key), 'content-type': 'application/json' },
      agent: false,
    });
    outgoing.on('error', () => {});
    outgoing.end(JSON.stringify(body));
    await new Promise((resolve) => outgoing.on('response', (response) => response.once('data', resolve)));
    outgoing.destroy();
    // At least the question was asked: it has three tokens, or as many as are estimated; and a part of the answer came.
    stage.recorder.reply = (response) => json(response, 500, {});
    await until(async () => (await stage.ask(key, client, backend)).status === 429);
  });
});

test.each(DIALECTS)('%s: what the backend refuses costs no tokens', async (dialect) => {
  stage.recorder.reply = (response) => json(response, 500, {});
  for (const model of DIALECTS) {
    expect((await stage.ask(`refused.${dialect}`, dialect, model)).status).not.toBe(429);
  }
});

test('an answer without usage is charged with an estimate; files within a request count little', async () => {
  stage.recorder.reply = (response) => {
    response.writeHead(200, EVENT_STREAM).end(
      FRAMES.messages('hello')
        .join('')
        .replaceAll(/"usage":\{[^}]*\}/g, '"usage":{}'),
    );
  };
  const used = async (text: string): Promise<number> => {
    const before = await left();
    const { path } = STREAM.messages('messages');
    const body = { model: 'messages', stream: true, max_tokens: 9, messages: [{ role: 'user', content: text }] };
    await send(stage.url, path, { body, headers: { 'x-api-key': secretOf('silent') } });
    await until(async () => (await left()) < before);
    return before - (await left());
  };
  const left = async (): Promise<number> => {
    // Refused by its form, after it was counted, and not charged.
    const answer = await send(stage.url, '/v1/messages', { body: '{', headers: { 'x-api-key': secretOf('silent') } });
    return Number(answer.headers['anthropic-ratelimit-tokens-remaining']);
  };
  const short = await used('hi');
  expect(short).toBeGreaterThan(20);
  expect(short).toBeLessThan(100);
  expect(await used('word '.repeat(400))).toBeGreaterThan(short + 450);
});

test('counting tokens costs none', async () => {
  stage.recorder.reply = (response) => json(response, 200, { input_tokens: 3000 });
  const headers = { 'x-api-key': secretOf('count') };
  const body = { model: 'messages', messages: [{ role: 'user', content: 'hi' }] };
  for (let index = 0; index < 3; index += 1) {
    expect((await send(stage.url, '/v1/messages/count_tokens', { body, headers })).status).toBe(200);
  }
});

test('a conversation that is compacted here is one request', async () => {
  const { body } = ASK.responses('messages');
  const headers = { 'x-api-key': secretOf('compacting') };
  const first = await send(stage.url, '/v1/responses/compact', { body, headers });
  expect(first.status).toBe(200);
  expect(first.headers['x-ratelimit-remaining-requests']).toBe('0');
  expect((await send(stage.url, '/v1/responses/compact', { body, headers })).status).toBe(429);
});

test('after a reload the new limits hold at once, and places that are held stay held', async () => {
  let answer = (): void => {};
  stage.recorder.reply = (response, seen) => {
    answer = () => answerInDialect(response, seen);
  };
  const before = stage.recorder.seen.length;
  const held = stage.ask('changing', 'messages');
  await until(() => stage.recorder.seen.length > before);
  stage.recorder.reply = answerInDialect;
  stage.reload([{ name: 'changing', requestsPerMinute: 3, concurrency: 2 }]);
  expect((await stage.ask('changing', 'messages')).headers['anthropic-ratelimit-requests-limit']).toBe('3');
  stage.reload([{ name: 'changing', requestsPerMinute: 3, concurrency: 1 }]);
  expect((await stage.ask('changing', 'messages')).text).toContain('at the same time');
  answer();
  expect((await held).status).toBe(200);
  await until(async () => (await stage.ask('changing', 'messages')).status === 200);
  stage.reload([{ name: 'changing' }]);
  for (let index = 0; index < 5; index += 1) expect((await stage.ask('changing', 'messages')).status).toBe(200);
});

test('refusals are counted', async () => {
  stage.reload([{ name: 'measured', requestsPerMinute: 1 }]);
  for (let index = 0; index < 3; index += 1) await stage.ask('measured', 'messages');
  const { text } = await send(stage.url, '/metrics', { headers: { 'x-api-key': secretOf('measured') } });
  expect(text).toMatch(/limited_total\{key="measured",limit="requests"\} 2/);
});
