import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Store } from '../../src/archive/index.js';
import { createStorage } from '../../src/store/create.js';
import { keysOf } from '../../translators/responses/stored/records.js';
import { connectResponses } from '../support/clients.js';
import { createWorkplace, type Served, until } from '../support/gateway/program.js';

/** A record that lacks what its kind has is as if it were not there (attacks.md finding 20). */
const place = createWorkplace();
const config = place.file(
  'config.json',
  JSON.stringify({
    backends: { sim: { dialect: 'messages', simulator: true } },
    store: { type: 'lmdb', path: 'store' },
  }),
);
const IDS = ['answer', 'turn', 'items', 'item', 'piece'] as const;
const answers = new Map<(typeof IDS)[number], { id: string; item: string }>();
let served: Served;

afterAll(() => place.end());

/** Replaces records of the store, which nobody else has open. */
async function damage(work: (store: Store) => Promise<void>): Promise<void> {
  const sizes = { ttlDays: 30, maxMb: 1024, entryMb: 16 };
  const storage = createStorage({ type: 'lmdb', path: join(place.folder, 'store'), ...sizes }, () => {});
  const limits = { ttlMs: 86_400_000, maxBytes: 2 ** 30, entryBytes: 2 ** 24 };
  if (storage === undefined) throw new Error('no storage');
  await work(storage.area('conversations', limits));
  await storage.close();
}

beforeAll(async () => {
  const before = await place.serve(['--config', config]);
  const client = connectResponses(before.url);
  for (const name of IDS) {
    for await (const event of await client.responses.create({ model: 'sim', input: name, stream: true })) {
      if (event.type !== 'response.completed') continue;
      const { id, output } = event.response;
      answers.set(name, { id, item: output[0]?.id ?? '' });
    }
  }
  before.child.kill('SIGTERM');
  await before.exit;
  await damage(async (store) => {
    const keys = (name: (typeof IDS)[number]) => keysOf('all', answers.get(name)?.id ?? '');
    const [turn] = await store.get([keys('items').turn]);
    await store.set([
      { key: keys('answer').answer, value: { v: 1 } },
      { key: keys('turn').turn, value: { v: 1, at: 1, earlier: [] } },
      { key: keys('items').turn, value: { ...Object(turn), input: [null, 7] } },
      { key: keysOf('all', answers.get('item')?.item ?? '').item, value: { v: 1, answer: 7 } },
      { key: keys('piece').piece(0), value: { v: 1, deflated: 'never deflated' } },
    ]);
  });
  served = await place.serve(['--config', config]);
});

function idOf(name: (typeof IDS)[number]): string {
  return answers.get(name)?.id ?? '';
}

async function get(path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${served.url}/v1/responses/${path}`);
  return { status: answer.status, text: await answer.text() };
}

async function create(body: object): Promise<{ status: number; body: { error?: { code?: string } } }> {
  const answer = await fetch(`${served.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sim', input: 'on', ...body }),
  });
  return { status: answer.status, body: (await answer.json()) as { error?: { code?: string } } };
}

test('an answer without its response is not found, continued or listed', async () => {
  expect((await get(idOf('answer'))).status).toBe(404);
  expect((await get(`${idOf('answer')}/input_items`)).status).toBe(404);
  const going = await create({ previous_response_id: idOf('answer') });
  expect([going.status, going.body.error?.code]).toEqual([400, 'previous_response_not_found']);
});

test.each(['turn', 'items'] as const)('a conversation with a damaged %s is not continued or listed', async (name) => {
  expect((await get(idOf(name))).status).toBe(200);
  expect((await get(`${idOf(name)}/input_items`)).status).toBe(404);
  const going = await create({ previous_response_id: idOf(name) });
  expect([going.status, going.body.error?.code]).toEqual([400, 'previous_response_not_found']);
});

test('an item whose place is damaged is not found', async () => {
  const input = [{ type: 'item_reference', id: answers.get('item')?.item ?? '' }];
  expect((await create({ input })).status).toBe(404);
  expect((await create({ previous_response_id: idOf('item') })).status).toBe(200);
});

test('a stream whose piece cannot be read ends with an error, and never as if it were whole', async () => {
  const { status, text } = await get(`${idOf('piece')}?stream=true`);
  expect(status).toBe(200);
  expect(text).toContain('event: error');
  expect(text).toContain('the stream of this response is damaged');
});

test('one line tells of each', async () => {
  const told = () => served.entries().filter(({ msg }) => msg === 'a stored record is damaged');
  for (const name of ['answer', 'turn', 'items'] as const) {
    await until(() => told().some(({ record }) => String(record).endsWith(idOf(name))), `a line about ${name}`);
  }
  expect(served.logs()).not.toContain('unforeseen');
});
