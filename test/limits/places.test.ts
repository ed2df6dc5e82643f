import { type ClientRequest, request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../translators/index.js';
import { dialectAt } from '../support/dialect-at.js';
import { ASK, DIALECTS, EVENT_STREAM, FRAMES, json, STREAM, send } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { answerInDialect, type LimitStage, openLimitStage, secretOf } from './stage.js';

const headers = { 'x-api-key': secretOf('one'), 'content-type': 'application/json' };
const one = { name: 'one', concurrency: 1 };

let stage: LimitStage;

beforeAll(async () => {
  stage = await openLimitStage([one, { name: 'made', concurrency: 1, tokensPerMinute: 5 }], {
    limits: { bodyMb: 1 },
    store: { type: 'memory' },
  });
});
afterEach(() => {
  stage.recorder.reply = answerInDialect;
  stage.recorder.seen.length = 0;
});
afterAll(() => stage.close());

/** A request that the test ends itself. */
function begin(path: string, body: string, more: Record<string, string | number> = {}): ClientRequest {
  const outgoing = request(stage.url, { path, method: 'POST', headers: { ...headers, ...more }, agent: false });
  outgoing.on('error', () => {});
  outgoing.write(body);
  return outgoing;
}

const asked = () => until(() => stage.recorder.seen.length > 0);

const ENDS: Record<string, (dialect: DialectId, model: DialectId) => Promise<void>> = {
  async 'a stream that is complete'(dialect, model) {
    const { path, body } = STREAM[dialect](model);
    expect((await send(stage.url, path, { body, headers })).status).toBe(200);
  },
  async 'a client that goes away while the backend is silent'(dialect, model) {
    stage.recorder.reply = () => {};
    const { path, body } = STREAM[dialect](model);
    const outgoing = begin(path, JSON.stringify(body));
    outgoing.end();
    await asked();
    outgoing.destroy();
  },
  async 'a client that goes away in the middle of a stream'(dialect, model) {
    stage.recorder.reply = (response, seen) => {
      response.writeHead(200, EVENT_STREAM).write(FRAMES[dialectAt(seen.path)]('hello').slice(0, 4).join(''));
    };
    const { path, body } = STREAM[dialect](model);
    const outgoing = begin(path, JSON.stringify(body));
    outgoing.end();
    await new Promise((resolve) => outgoing.on('response', (response) => response.once('data', resolve)));
    outgoing.destroy();
  },
  async 'a client that goes away in the middle of its body'(dialect, model) {
    const { path } = ASK[dialect](model);
    const outgoing = begin(path, '{"model":', { 'content-length': 5000 });
    await until(async () => (await stage.ask('one', dialect)).status === 429);
    outgoing.destroy();
  },
  async 'a body that is no JSON'(dialect, model) {
    const { path } = ASK[dialect](model);
    expect((await send(stage.url, path, { body: '{', headers })).status).toBe(400);
  },
  async 'a body that is too large'(dialect, model) {
    const { path } = ASK[dialect](model);
    const body = JSON.stringify({ model, text: 'x'.repeat(1024 * 1024) });
    expect((await send(stage.url, path, { body, headers })).status).toBe(413);
  },
  async 'a model that nobody knows'(dialect) {
    const { path, body } = ASK[dialect]('unknown');
    // The responses dialect has 400 for it.
    expect([400, 404]).toContain((await send(stage.url, path, { body, headers })).status);
  },
  async 'a backend that refuses'(dialect, model) {
    stage.recorder.reply = (response) => json(response, 500, {});
    expect((await stage.ask('one', dialect, model)).status).toBeGreaterThanOrEqual(500);
  },
  async 'a backend that resets'(dialect, model) {
    stage.recorder.reply = (response) => void response.destroy();
    expect((await stage.ask('one', dialect, model)).status).toBeGreaterThanOrEqual(500);
  },
  async 'a stream that breaks off'(dialect, model) {
    stage.recorder.reply = (response, seen) => {
      response
        .writeHead(200, EVENT_STREAM)
        .write(FRAMES[dialectAt(seen.path)]('hello').slice(0, 4).join(''), () => response.destroy());
    };
    const { path, body } = STREAM[dialect](model);
    await send(stage.url, path, { body, headers }).catch(() => {});
  },
};

describe.each(DIALECTS)('%s: the only place is free again', (dialect) => {
  const models = [dialect, DIALECTS.find((other) => other !== dialect) ?? dialect];
  test.each(Object.keys(ENDS))('after %s', async (name) => {
    for (const model of models) {
      await ENDS[name]?.(dialect, model);
      stage.recorder.reply = answerInDialect;
      await until(async () => (await stage.ask('one', dialect)).status === 200);
      // One place and not more.
      stage.recorder.seen.length = 0;
      let answer = (): void => {};
      stage.recorder.reply = (response, seen) => {
        answer = () => answerInDialect(response, seen);
      };
      const holding = stage.ask('one', dialect);
      await asked();
      expect((await stage.ask('one', dialect)).status).toBe(429);
      answer();
      expect((await holding).status).toBe(200);
      stage.recorder.reply = answerInDialect;
      stage.recorder.seen.length = 0;
    }
  });
});

test('an answer in the background holds its place and is charged when it is made', async () => {
  let answer = (): void => {};
  stage.recorder.reply = (response, seen) => {
    answer = () => answerInDialect(response, seen);
  };
  const made = { 'x-api-key': secretOf('made') };
  const { path, body } = ASK.responses('messages', { background: true });
  const queued = await send(stage.url, path, { body, headers: made });
  expect(queued.body).toMatchObject({ status: 'queued' });
  expect(queued.headers).toMatchObject({ 'x-ratelimit-limit-tokens': '5', 'x-ratelimit-remaining-tokens': '5' });
  await asked();
  expect((await stage.ask('made', 'responses')).body).toMatchObject({
    error: { message: expect.stringContaining('at the same time') },
  });
  answer();
  const look = () => send(stage.url, `/v1/responses/${queued.body.id}`, { headers: made });
  await until(async () => (await look()).body.status === 'completed');
  await until(async () => (await stage.ask('made', 'responses')).text.includes('5 tokens per minute'));
});

test('a background answer that is cancelled gives its place back', async () => {
  stage.recorder.reply = () => {};
  const { path, body } = ASK.responses('messages', { background: true });
  const queued = await send(stage.url, path, { body, headers });
  expect(queued.status).toBe(200);
  await asked();
  expect((await stage.ask('one', 'responses')).status).toBe(429);
  await send(stage.url, `/v1/responses/${queued.body.id}/cancel`, { method: 'POST', headers });
  stage.recorder.reply = answerInDialect;
  await until(async () => (await stage.ask('one', 'responses')).status === 200);
});
