import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config/load.js';
import { createTargets } from '../../src/config/targets.js';
import { startBackend, startWatched, until, type WatchedGateway } from '../backend/stage.js';
import { json, type Recorder, send, WHOLE } from '../support/gateway/harness.js';

/** Random numbers that are the same in each run. */
function seeded(): () => number {
  let state = 0x2545f491;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const backends = Object.fromEntries(
  ['a', 'b', 'c', 'd', 'e'].map((name) => [name, { dialect: 'messages' as const, baseUrl: 'http://127.0.0.1:1' }]),
);

interface Weighted {
  backend: string;
  weight?: number;
}

function drawnOrders(targets: Weighted[], times: number): string[] {
  const config = parseConfig({ backends, models: { m: targets } });
  const { draw } = createTargets(config, seeded());
  return Array.from({ length: times }, () =>
    draw('m')
      .map(({ backend }) => backend.name)
      .join(''),
  );
}

const TIMES = 20_000;

/** Part of the orders that a pattern fits. */
const share = (orders: readonly string[], pattern: RegExp): number =>
  orders.filter((order) => pattern.test(order)).length / orders.length;

describe('targets with weights', () => {
  const orders = drawnOrders(
    [
      { backend: 'd' },
      { backend: 'a', weight: 6 },
      { backend: 'b', weight: 3 },
      { backend: 'c', weight: 1 },
      { backend: 'e' },
    ],
    TIMES,
  );

  test('come first in proportion to them', () => {
    expect(share(orders, /^a/)).toBeCloseTo(0.6, 1);
    expect(share(orders, /^b/)).toBeCloseTo(0.3, 1);
    expect(share(orders, /^c/)).toBeCloseTo(0.1, 1);
  });

  test('follow each other in proportion to them', () => {
    expect(share(orders, /^ab/)).toBeCloseTo(0.6 * (3 / 4), 1);
    expect(share(orders, /^ba/)).toBeCloseTo(0.3 * (6 / 7), 1);
  });

  test('stand before those without, which keep their order', () => {
    expect(share(orders, /^[abc]{3}de$/)).toBe(1);
  });
});

test('without weights the order is that of the list', () => {
  expect(new Set(drawnOrders([{ backend: 'c' }, { backend: 'a' }, { backend: 'b' }], 100))).toEqual(new Set(['cab']));
});

describe('over the network', () => {
  let left: Recorder;
  let right: Recorder;
  let keeper: Recorder;
  let gateway: WatchedGateway;

  beforeAll(async () => {
    left = await startBackend();
    right = await startBackend();
    keeper = await startBackend();
    gateway = await startWatched({
      backends: {
        left: { dialect: 'messages', baseUrl: left.url },
        right: { dialect: 'messages', baseUrl: right.url },
        keeper: { dialect: 'responses', state: 'own', baseUrl: keeper.url },
        other: { dialect: 'responses', baseUrl: right.url },
      },
      models: {
        halves: [
          { backend: 'left', weight: 1 },
          { backend: 'right', weight: 1 },
        ],
        mixed: [
          { backend: 'keeper', weight: 1 },
          { backend: 'left', weight: 1 },
        ],
        kept: [
          { backend: 'keeper', weight: 1 },
          { backend: 'other', weight: 1_000_000 },
          { backend: 'left', weight: 1_000_000 },
        ],
      },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([left, right, keeper].map((one) => one.close()));
  });

  const ask = (model: string) => ({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] });

  test('both of two equal targets serve, and one that refuses is followed by the other', async () => {
    left.seen.length = 0;
    right.seen.length = 0;
    for (let count = 0; count < 40; count += 1) await send(gateway.url, '/v1/messages', { body: ask('halves') });
    // One of two sides stays empty in 1 of 2^39 runs.
    expect([left.seen.length > 0, right.seen.length > 0, left.seen.length + right.seen.length]).toEqual([
      true,
      true,
      40,
    ]);
    const { reply } = left;
    left.reply = (response) => json(response, 429, {});
    for (let count = 0; count < 20; count += 1) {
      expect((await send(gateway.url, '/v1/messages', { body: ask('halves') })).status).toBe(200);
    }
    left.reply = reply;
  });

  test('a conversation goes on where it is kept, whatever is drawn', async () => {
    let count = 0;
    keeper.reply = (response) => {
      count += 1;
      json(response, 200, { ...WHOLE.responses('hi'), id: `resp_${count}`, store: true });
    };
    const { reply } = right;
    right.reply = (response) => json(response, 503, {});
    const { reply: leftReply } = left;
    left.reply = (response) => json(response, 503, {});
    const { body: first } = await send(gateway.url, '/v1/responses', { body: { model: 'kept', input: 'hi' } });
    right.reply = reply;
    left.reply = leftReply;
    right.seen.length = 0;
    left.seen.length = 0;
    let previous: string = first.id;
    for (let turn = 0; turn < 8; turn += 1) {
      const answer = await send(gateway.url, '/v1/responses', {
        body: { model: 'kept', input: 'more', previous_response_id: previous },
      });
      expect(answer.headers['x-interlingua-backend']).toBe('keeper');
      expect(JSON.parse(keeper.seen.at(-1)?.body ?? '').previous_response_id).toBe(previous);
      previous = answer.body.id;
    }
    expect([left.seen.length, right.seen.length]).toEqual([0, 0]);
  });

  test('an answer in the background is judged by the draw that serves it', async () => {
    keeper.reply = (response, { body }) =>
      json(response, 200, { ...WHOLE.responses('hi'), background: JSON.parse(body).background === true });
    keeper.seen.length = 0;
    left.seen.length = 0;
    for (let count = 0; count < 24; count += 1) {
      const { body } = await send(gateway.url, '/v1/responses', {
        body: { model: 'mixed', input: 'hi', background: true },
      });
      expect(['queued', 'completed']).toContain(body.status);
    }
    // Only the backend that makes them itself is asked for answers in the background; the gateway makes the others.
    await until(() => keeper.seen.length + left.seen.length === 24, 'every answer is asked for');
    expect(keeper.seen.every(({ body }) => JSON.parse(body).background === true)).toBe(true);
    expect(left.seen.every(({ body }) => JSON.parse(body).stream === true)).toBe(true);
    expect([keeper.seen.length > 0, left.seen.length > 0]).toEqual([true, true]);
  });
});
