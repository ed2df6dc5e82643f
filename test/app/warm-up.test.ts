import { expect, test } from '@jest/globals';
import { warmUp } from '../../src/app/warm-up.js';
import { parseConfig } from '../../src/config/index.js';
import { dialectIds } from '../../translators/index.js';

const CALLED = parseConfig({
  backends: Object.fromEntries(dialectIds.map((id) => [id, { dialect: id, baseUrl: 'http://127.0.0.1:9' }])),
  models: Object.fromEntries(dialectIds.map((id) => [id, { backend: id }])),
});

const NOBODY = { requests: 0, served: 0 };

test('every pair of dialects answers, as a whole and as a stream, and no backend is called', async () => {
  const statuses = await warmUp(CALLED, NOBODY, new AbortController().signal);
  expect(statuses.length).toBeGreaterThanOrEqual(2 * dialectIds.length ** 2);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('nothing begins while somebody is there, nor for simulated backends', async () => {
  const ending = new AbortController();
  let asked = 0;
  const somebody = {
    get requests() {
      asked += 1;
      if (asked === 3) ending.abort();
      return 1;
    },
    served: 0,
  };
  expect(await warmUp(CALLED, somebody, ending.signal)).toEqual([]);
  expect(asked).toBe(3);
  const simulated = parseConfig({
    backends: { s: { dialect: 'messages', simulator: true } },
    models: { m: { backend: 's' } },
  });
  expect(await warmUp(simulated, NOBODY, new AbortController().signal)).toEqual([]);
});

test('a server that ends while it waits to begin ends at once', async () => {
  const ending = new AbortController();
  const warming = warmUp(CALLED, NOBODY, ending.signal);
  ending.abort();
  expect(await warming).toEqual([]);
});

test('what clients have made hot is left alone', async () => {
  let looks = 0;
  const clients = {
    requests: 0,
    get served() {
      looks += 1;
      return looks <= 3 ? 199 : 200;
    },
  };
  expect(await warmUp(CALLED, clients, new AbortController().signal)).toEqual([200, 200, 200]);
});
