import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ASK, send } from '../support/gateway/harness.js';
import { createWorkplace, type Workplace } from '../support/gateway/program.js';
import { until } from '../support/until.js';
import { freePort, scrape, sum } from './support.js';

let place: Workplace;

beforeAll(() => {
  place = createWorkplace();
});

afterAll(() => place.end());

test('metrics are those of all workers, on the port that they share and on one of their own', async () => {
  const port = await freePort();
  const config = (metrics: string): string =>
    place.file(
      `${metrics === '' ? 'shared' : 'own'}.yaml`,
      `workers: 2\nbackends: { sim: { dialect: messages, simulator: true } }\nmodels: { m: { backend: sim } }\n` +
        `store: { type: 'off' }\n${metrics}`,
    );
  const [shared, own] = await Promise.all([
    place.serve(['--config', config('')]),
    place.serve(['--config', config(`metrics: { port: ${port} }\n`)]),
  ]);
  const { path, body } = ASK.messages('m');
  for (const { url } of [shared, own]) {
    await Promise.all(Array.from({ length: 12 }, () => send(url, path, { body })));
  }
  for (const url of [shared.url, `http://127.0.0.1:${port}`]) {
    const samples = await until(async () => {
      const seen = await scrape(url);
      return sum(seen, 'interlingua_exchanges_total') >= 12 && seen;
    });
    expect(sum(samples, 'interlingua_exchanges_total', { model: 'm', outcome: 'ok' })).toBe(12);
    expect(sum(samples, 'interlingua_exchange_duration_seconds_count')).toBe(12);
    expect(samples).toContainEqual({ name: 'interlingua_backend_breaker_state', labels: { backend: 'sim' }, value: 0 });
  }
  expect((await send(own.url, '/metrics')).status).toBe(404);
});
