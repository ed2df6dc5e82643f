import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { send, type Tree } from '../support/gateway/harness.js';
import { createWorkplace, type Workplace } from '../support/gateway/program.js';
import { until } from '../support/until.js';
import { hear } from './support.js';

let place: Workplace;

beforeAll(() => {
  place = createWorkplace();
});
afterAll(() => place.end());

test('all workers are seen from each of them, under one numbering, also what a worker did that was killed since', async () => {
  const file = place.file(
    'gateway.yaml',
    `workers: 3\nbackends: { sim: { dialect: messages, simulator: true } }\nmodels: { '*': { backend: sim } }\n` +
      `store: { type: 'off' }\nlive: { bodies: true }\n`,
  );
  const served = await place.serve(['--config', file]);
  const { url } = served;
  const ask = (model: string) =>
    send(url, '/v1/messages', {
      body: { model, max_tokens: 9, messages: [{ role: 'user', content: `I am ${model}` }] },
    });
  const all = async (): Promise<Tree[]> => (await send(url, '/live')).body.exchanges;
  const following = await hear(url, '/live?model=m');
  for (let round = 0; round < 30; round += 1) expect((await ask(`m-${round}`)).status).toBe(200);
  await until(async () => (await all()).length === 30);
  const numbers = (await all()).map(({ n }) => n);
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  expect(new Set((await all()).map(({ asked }) => asked.model)).size).toBe(30);
  await until(() => following.exchanges().length === 30);
  expect(following.exchanges().map(({ n }) => n)).toEqual(numbers);
  // What was said stays with the worker, and each number leads to its own.
  for (const n of [1, 15, 30]) {
    const { exchange, request } = (await send(url, `/live/${n}`)).body;
    expect(exchange.n).toBe(n);
    expect(request.text).toContain(`I am ${exchange.asked.model}"`);
  }
  const started = served.entries().filter(({ msg }) => msg === 'a worker was started');
  process.kill(Number(started[0]?.pid), 'SIGKILL');
  await until(() => served.entries().filter(({ msg }) => msg === 'a worker was started').length === 4);
  expect((await all()).length).toBe(30);
  const last = following.events.at(-1)?.id ?? '';
  await until(async () => (await ask('late').catch(() => undefined))?.status === 200);
  const again = await hear(url, '/live', { 'last-event-id': last });
  await until(() => again.exchanges().length > 0);
  expect(again.exchanges()[0]).toMatchObject({ n: 31, asked: { model: 'late' } });
  again.leave();
  following.leave();
  served.child.kill('SIGTERM');
  expect(await served.exit).toBe(0);
}, 120_000);
