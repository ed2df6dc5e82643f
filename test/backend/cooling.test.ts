import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createCooling } from '../../src/backend/cooling.js';
import { ASK, json, type Recorder, send } from '../support/gateway/harness.js';
import { startBackend, startWatched, type WatchedGateway } from './stage.js';

describe('the memory of who wants to be left alone', () => {
  test('ends with the time that was asked for, and after five minutes', () => {
    let now = 0;
    const cooling = createCooling(() => now);
    cooling.note('a', undefined, 2000);
    cooling.note('b', undefined, 86_400_000);
    now = 1999;
    expect([cooling.has('a', undefined), cooling.has('b', undefined), cooling.has('c', undefined)]).toEqual([
      true,
      true,
      false,
    ]);
    now = 2000;
    expect([cooling.has('a', undefined), cooling.has('b', undefined)]).toEqual([false, true]);
    now = 300_000;
    expect(cooling.has('b', undefined)).toBe(false);
  });

  test.each([0, -1, Number.NaN])('does not begin for %d ms', (ms) => {
    const cooling = createCooling(() => 0);
    cooling.note('a', undefined, ms);
    expect(cooling.has('a', undefined)).toBe(false);
  });

  test('is that of the key that was told, and that of all once two were', () => {
    let now = 0;
    const cooling = createCooling(() => now);
    cooling.note('a', 'red', 2000);
    expect(['red', 'blue', 'green'].map((key) => cooling.has('a', key))).toEqual([true, false, false]);
    now = 1000;
    cooling.note('a', 'blue', 2000);
    expect(['red', 'blue', 'green'].map((key) => cooling.has('a', key))).toEqual([true, true, true]);
    expect(cooling.all('green')).toEqual(['a']);
    now = 2000;
    expect(['red', 'blue', 'green'].map((key) => cooling.has('a', key))).toEqual([false, true, false]);
  });

  test('holds a thousand models, the newest', () => {
    const cooling = createCooling(() => 0);
    for (let index = 0; index < 5000; index += 1) cooling.note(`m${index}`, undefined, 1000);
    const kept = Array.from({ length: 5000 }, (_one, index) => index).filter((index) =>
      cooling.has(`m${index}`, undefined),
    );
    expect([kept.length, kept[0]]).toEqual([1000, 4000]);
  });
});

describe('a target that asked to be left alone', () => {
  let first: Recorder;
  let second: Recorder;
  let gateway: WatchedGateway;
  let number = 0;
  let model = '';

  beforeAll(async () => {
    first = await startBackend();
    second = await startBackend();
    gateway = await startWatched({
      backends: {
        first: { dialect: 'messages', baseUrl: first.url, breaker: false },
        second: { dialect: 'responses', baseUrl: second.url, breaker: false },
      },
      models: { 'alone-*': { backend: 'first' }, '*': [{ backend: 'first' }, { backend: 'second' }] },
    });
  });
  beforeEach(() => {
    first.seen.length = 0;
    second.seen.length = 0;
    number += 1;
    model = `m${number}`;
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([first.close(), second.close()]);
  });

  const ask = (name = model, more: object = {}) =>
    send(gateway.url, '/v1/messages', { body: ASK.messages(name, more).body });
  const seen = () => [first.seen.length, second.seen.length];
  const refusing = async (status: number, headers: Record<string, string>, work: () => Promise<void>) => {
    const { reply } = first;
    first.reply = (response) => json(response, status, {}, headers);
    await work().finally(() => {
      first.reply = reply;
    });
  };

  test.each([429, 503, 529])('with %i is asked after the others', async (status) => {
    await refusing(status, { 'retry-after': '60' }, async () => {
      await ask();
    });
    expect(seen()).toEqual([1, 1]);
    await ask();
    await ask();
    expect(seen()).toEqual([1, 3]);
  });

  test.each([
    [429, {}],
    [429, { 'retry-after': '0' }],
    [429, { 'retry-after': '-5' }],
    [500, { 'retry-after': '60' }],
    [403, { 'retry-after': '60' }],
  ])('with %i and %j is asked first again', async (status, headers) => {
    await refusing(status, headers as Record<string, string>, async () => {
      await ask();
    });
    await ask();
    expect(seen()).toEqual([2, 1]);
  });

  test('is asked when the others refuse', async () => {
    await refusing(429, { 'retry-after': '60' }, async () => {
      await ask();
    });
    const { reply } = second;
    second.reply = (response) => json(response, 503, {});
    const answer = await ask();
    second.reply = reply;
    expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([200, 'first']);
  });

  test('is asked when the others cannot take the request', async () => {
    await refusing(429, { 'retry-after': '60' }, async () => {
      await ask();
    });
    const file = [{ role: 'user', content: [{ type: 'container_upload', file_id: 'file_1' }] }];
    const answer = await ask(model, { messages: file });
    expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([200, 'first']);
  });

  test('is asked at once when there is no other', async () => {
    const alone = `alone-${model}`;
    await refusing(429, { 'retry-after': '60' }, async () => {
      expect((await ask(alone)).status).toBe(429);
    });
    expect((await ask(alone)).status).toBe(200);
  });

  test('is another one for another model', async () => {
    await refusing(429, { 'retry-after': '60' }, async () => {
      await ask();
    });
    first.seen.length = 0;
    await ask(`${model}-other`);
    expect(first.seen).toHaveLength(1);
  });
});
