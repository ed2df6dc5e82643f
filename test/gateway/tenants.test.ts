import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { type Answer, json, type Sending, WHOLE } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { begin, bodyOf, isRed, KEYS, MB, type Name, open, type Stage, testRows } from './two-keys.js';

/* Parts of which each key has a share, or its own. */

const overloaded =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    json(response, status, { type: 'error', error: { type: 'api_error', message: 'no' } }, headers);

const squeezed = (name: Name): Sending => ({
  body: gzipSync(JSON.stringify(bodyOf(name, { metadata: { user_id: 'x'.repeat(3 * MB) } }))),
  headers: { 'content-encoding': 'gzip' },
});

const background = (stage: Stage, name: Name): Promise<Answer> =>
  stage.send(name, '/v1/responses', { body: { model: 'm', input: `a word of the ${name} team`, background: true } });

testRows({
  'open exchanges': {
    limits: { exchanges: 8 },
    async worst(stage) {
      const answers = begin(12, () => stage.ask('red'));
      await until(async () => stage.reds() === 4);
      expect((await Promise.race(answers))?.status).toBe(503);
    },
  },
  'running places and the row before a backend': {
    config: { models: { m: { backend: 'one' } } },
    backend: { concurrency: 4, queue: 6 },
    async worst(stage) {
      const answers = begin(20, () => stage.ask('red'));
      expect((await Promise.race(answers))?.body.error.message).toContain('concurrency: 4, queue: 6');
      await until(async () => stage.reds() === 2);
    },
  },
  'decompressed bodies': {
    limits: { bodyMb: 4, inflateMb: 8 },
    async worst(stage) {
      begin(2, () => stage.send('red', '/v1/messages', squeezed('red')));
      await until(async () => stage.reds() === 2);
      expect((await stage.send('red', '/v1/messages', squeezed('red'))).status).toBe(503);
    },
    asks: (stage) => stage.send('blue', '/v1/messages', squeezed('blue')),
  },
  breakers: {
    backend: { breaker: { failures: 2, seconds: 600 } },
    config: { models: { m: { backend: 'one' } } },
    async worst(stage) {
      stage.onRed = (response) => response.destroy();
      for (let count = 0; count < 3; count += 1) await stage.ask('red');
      expect(stage.reds()).toBe(2);
    },
  },
  'rested targets': {
    async worst(stage) {
      const refuse = overloaded(429, { 'retry-after': '200' });
      stage.onRed = (response, seen) =>
        seen.path.startsWith('/second') ? json(response, 200, WHOLE.messages('hi')) : refuse(response);
      await stage.ask('red');
      await stage.ask('red');
      // Its own second request goes to the other target first.
      expect(stage.recorder.seen.map(({ path }) => path.startsWith('/second'))).toEqual([false, true, true]);
    },
  },
  'lists of models': {
    config: { models: { 'm*': { backend: 'one' } } },
    async worst(stage) {
      stage.recorder.reply = (response, seen) =>
        seen.method === 'GET' ? response.destroy() : json(response, 200, WHOLE.messages('hi'));
      expect((await stage.send('red', '/v1/models')).status).toBe(200);
    },
  },
  'minutes and places of keys': {
    config: {
      keys: Object.entries(KEYS).map(([name, key]) => ({ name, key, requestsPerMinute: 3, concurrency: 1 })),
    },
    async worst(stage) {
      begin(1, () => stage.ask('red'));
      await until(async () => stage.reds() === 1);
      expect((await stage.ask('red')).status).toBe(429);
    },
  },
  'answers in the background': {
    limits: { exchanges: 4 },
    async worst(stage) {
      const statuses: number[] = [];
      for (let count = 0; count < 3; count += 1) statuses.push((await background(stage, 'red')).status);
      expect(statuses).toEqual([200, 200, 503]);
    },
    async asks(stage) {
      const answer = await background(stage, 'blue');
      await until(async () => stage.recorder.seen.some((seen) => !isRed(seen)));
      return answer;
    },
  },
});

test('/readyz names backends that are out to callers with a key alone', async () => {
  const stage = await open({ keys: [{ name: 'red', key: KEYS.red }] }, {}, { breaker: { failures: 1, seconds: 600 } });
  stage.onRed = (response) => response.destroy();
  await stage.ask('red');
  const told = { status: 'ready', out: { one: ['conversations'] } };
  expect((await stage.send('red', '/readyz')).body).toMatchObject(told);
  expect((await stage.send('blue', '/readyz')).body).toEqual({ status: 'ready' });
});
