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
const IDS = ['answer', 'turn', 'items', 'item', 'piece', 'end'] as const;
/** An item that its client named, so that an entry says where it is. */
const NAMED = 'msg_of_a_client';
/** Told by each of the first frames, so that they are a piece of their own. */
const LONG = 'a rule '.repeat(10_000);
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
    const input = [{ type: 'message', id: NAMED, role: 'user', content: name }] as unknown as string;
    const asked = { model: 'sim', stream: true, input: name === 'item' ? input : name } as const;
    for await (const event of await client.responses.create(
      name === 'piece' ? { ...asked, instructions: LONG } : asked,
    )) {
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
      { key: keysOf('all', NAMED).item, value: { v: 1, answer: 7 } },
      { key: keys('piece').piece(0), value: { v: 1, deflated: 'never deflated' } },
      { key: keys('end').piece(0), value: { v: 1, deflated: 'never deflated' } },
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

test('an item whose place, or whose turn, is damaged is not found', async () => {
  const refer = (id: string) => create({ input: [{ type: 'item_reference', id }] });
  expect((await refer(NAMED)).status).toBe(404);
  expect((await refer(answers.get('items')?.item ?? '')).status).toBe(404);
  expect((await refer(answers.get('item')?.item ?? '')).status).toBe(200);
  expect((await create({ previous_response_id: idOf('item') })).status).toBe(200);
});

test('a stream whose piece cannot be read ends with an error, and never as if it were whole', async () => {
  const { status, text } = await get(`${idOf('piece')}?stream=true`);
  expect(status).toBe(200);
  expect(text.slice(0, 200)).toContain('event: error');
  expect(text.slice(0, 500)).toContain('the stream of this response is damaged');
});

test('an answer is not found where the piece that shows it cannot be read', async () => {
  expect((await get(idOf('end'))).status).toBe(404);
  expect((await get(`${idOf('end')}?stream=true`)).status).toBe(404);
});

test('one line tells of each', async () => {
  const told = () => served.entries().filter(({ msg }) => msg === 'a stored record is damaged');
  for (const name of ['answer', 'turn', 'items'] as const) {
    await until(() => told().some(({ record }) => String(record).endsWith(idOf(name))), `a line about ${name}`);
  }
  expect(served.logs()).not.toContain('unforeseen');
});
