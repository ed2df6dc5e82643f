import { expect, test } from '@jest/globals';
import { warmUp } from '../../src/app/warm-up.js';
import { parseConfig } from '../../src/config/index.js';
import { dialectIds } from '../../translators/index.js';

const CALLED = parseConfig({
  backends: Object.fromEntries(dialectIds.map((id) => [id, { dialect: id, baseUrl: 'http://127.0.0.1:9' }])),
  models: Object.fromEntries(dialectIds.map((id) => [id, { backend: id }])),
});

test('every pair of dialects answers, as a whole and as a stream, and no backend is called', async () => {
  const statuses = await warmUp(CALLED, () => false, new AbortController().signal);
  expect(statuses.length).toBeGreaterThanOrEqual(2 * dialectIds.length ** 2);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('nothing begins while somebody is there, nor for simulated backends', async () => {
  const ending = new AbortController();
  let asked = 0;
  const isBusy = (): boolean => {
    asked += 1;
    if (asked === 3) ending.abort();
    return true;
  };
  expect(await warmUp(CALLED, isBusy, ending.signal)).toEqual([]);
  expect(asked).toBe(3);
  const simulated = parseConfig({
    backends: { s: { dialect: 'messages', simulator: true } },
    models: { m: { backend: 's' } },
  });
  expect(await warmUp(simulated, () => false, new AbortController().signal)).toEqual([]);
});

test('a server that ends while it waits to begin ends at once', async () => {
  const ending = new AbortController();
  const warming = warmUp(CALLED, () => false, ending.signal);
  ending.abort();
  expect(await warming).toEqual([]);
});
