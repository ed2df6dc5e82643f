import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { dialectAt } from '../../support/dialect-at.js';
import {
  ASK,
  DIALECTS,
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../../support/gateway/harness.js';

const WIDE = 'key-that-may-use-everything';
const NARROW = 'key-that-may-use-one-model';

let recorder: Recorder;
let gateway: TestGateway;
let answers = 0;

beforeAll(async () => {
  recorder = await startRecorder();
  const backend = { baseUrl: recorder.url, retries: 0, breaker: false } as const;
  gateway = await startGateway({
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { ...backend, dialect }])),
    models: {
      ...Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
      'listed-*': { backend: 'responses' },
    },
    keys: [
      { name: 'wide', key: WIDE },
      { name: 'narrow', key: NARROW, models: ['listed-one'] },
    ],
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response, { path }) => {
    answers += 1;
    if (path.endsWith('/models')) {
      const data = ['listed-one', 'listed-two', 'other'].map((id) => ({
        id,
        object: 'model',
        created: 1,
        owned_by: 'x',
      }));
      return json(response, 200, { object: 'list', data });
    }
    return json(response, 200, WHOLE[dialectAt(path)](`answer ${answers}`), {
      'cache-control': 'public, max-age=3600',
      etag: '"same"',
    });
  };
});

test('the same request is asked anew each time, by the same caller and by another (hardening.md rows 33, 34)', async () => {
  for (const client of DIALECTS) {
    for (const backend of DIALECTS) {
      const { path, body } = ASK[client](backend);
      const said = new Set<string>();
      for (let round = 0; round < 3; round += 1) {
        const headers = {
          'x-api-key': WIDE,
          'if-none-match': '"same"',
          'idempotency-key': 'same',
          'cache-control': 'max-stale',
        };
        const { status, text, headers: told } = await send(gateway.url, path, { body, headers });
        expect(status).toBe(200);
        said.add(/answer \d+/.exec(text)?.[0] ?? '');
        // Nothing on the way may keep it either.
        expect(told.etag).toBeUndefined();
        expect(told['cache-control'] ?? '').not.toMatch(/public|max-age/);
      }
      expect(said.size).toBe(3);
    }
  }
  expect(recorder.seen).toHaveLength(3 * DIALECTS.length ** 2);
});

test('lists of models are kept by backend: each caller sees of one what its own key may use', async () => {
  const list = async (key: string, path = '/v1/models') => {
    const { body } = await send(gateway.url, path, { headers: { 'x-api-key': key } });
    return body.data.map(({ id }: { id: string }) => id).sort();
  };
  const all = [...DIALECTS, 'listed-one', 'listed-two'].sort();
  expect(await list(WIDE)).toEqual(all);
  expect(await list(NARROW)).toEqual(['listed-one']);
  expect(await list(WIDE)).toEqual(all);
  const lists = recorder.seen.filter(({ path }) => path.split('?')[0]?.endsWith('/models'));
  expect(lists).toHaveLength(DIALECTS.length);
  const one = async (key: string, id: string) =>
    (await send(gateway.url, `/v1/models/${id}`, { headers: { 'x-api-key': key } })).status;
  expect(await Promise.all([one(WIDE, 'listed-two'), one(NARROW, 'listed-two'), one(NARROW, 'listed-one')])).toEqual([
    200, 404, 200,
  ]);
  // A search or a page of one caller is nobody else's list.
  expect(await list(NARROW, '/v1/models?limit=1000&search=listed')).toEqual(['listed-one']);
  expect(await list(WIDE)).toEqual(all);
});

test('the list that is kept is asked for with no word of the caller who was first', async () => {
  for (const { headers, path } of recorder.seen) expect(JSON.stringify(headers) + path).not.toMatch(/key-that|search/);
});
