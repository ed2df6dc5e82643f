import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { open } from 'lmdb';
import OpenAI from 'openai';
import { parse } from 'yaml';
import { createLmdbStorage } from '../../src/store/lmdb.js';
import { clientOf, openStage, type Stage } from './stage.js';
import { takeTurn } from './turns.js';

const [FIRST, SECOND] = ['resp_ilee9fddb8bcd6a9fddbf2a25074ec3315', 'resp_il474b915bb8d971d38f240320e3e64a1e'];
/** Of the client, and of the backend, in the first answer. */
const [ASKED, SAID] = ['msg_ili801e059eace21c9c2f3de244e099ed3f', 'msg_ile3hvgo5k5epxogjcri5y3zp3'];
/** Of the second. */
const RESULT = 'fc_ili639c20d75747bf63718ecea4f75f5592';
const MODEL = 'messages';
const TTL_MS = 86_400_000;

const kept: Readonly<Record<string, Record<string, unknown>>> = parse(
  readFileSync(new URL('./older-store.yaml', import.meta.url), 'utf8'),
);
const ownerOf = (key: string): string => key.split(':', 1)[0] ?? '';
const recordOf = (kind: string, id: string) => kept[`${ownerOf(Object.keys(kept)[0] ?? '')}:${kind}:${id}`];

/** Fills a folder as a gateway before decision 0048 did, which compressed short entries too. */
async function fillOlder(folder: string): Promise<void> {
  const expires = Date.now() + TTL_MS;
  const storage = createLmdbStorage(folder);
  storage.area('conversations', { ttlMs: TTL_MS, maxBytes: 2 ** 24, entryBytes: 2 ** 20, ownerOf });
  const texts = Object.entries(kept).map(([key, value]) => ({
    key,
    value: [JSON.stringify({ value, expires })],
    ttl: TTL_MS,
  }));
  await storage.texts('conversations')?.setMany(texts);
  await storage.close();
  const root = open({ path: join(folder, 'state.mdb'), maxDbs: 40, compression: true, eventTurnBatching: false });
  const values = root.openDB<string, string>('conversations:values', { encoding: 'string' });
  for (const { key, value } of [...values.getRange()]) await values.put(key, value);
  await root.close();
}

describe('a store that was written before ids told where items are', () => {
  let stage: Stage;
  let client: OpenAI;
  let url: string;
  const folders: string[] = [];

  beforeAll(async () => {
    stage = await openStage();
  });

  beforeEach(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'interlingua-older-'));
    folders.push(folder);
    await fillOlder(folder);
    ({ url } = await stage.gateway({ type: 'lmdb', path: folder }));
    client = clientOf(url);
    stage.backends[MODEL].reset();
  });

  afterAll(async () => {
    await stage.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const statusOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 200,
      (thrown) => (thrown instanceof OpenAI.APIError ? thrown.status : thrown),
    );
  const refer = (id: string) =>
    client.responses.create({
      model: MODEL,
      input: [
        { type: 'item_reference', id },
        { role: 'user', content: 'again' },
      ],
    });
  const lastSent = (): string => JSON.stringify(stage.backends[MODEL].requests.at(-1)?.body);

  test('shows its answers, the stream of one, and what they were made from', async () => {
    for (const id of [FIRST, SECOND])
      expect(await client.responses.retrieve(id)).toMatchObject(recordOf('answer', id)?.response as object);
    const read = await fetch(`${url}/v1/responses/${SECOND}?stream=true`, {
      headers: { authorization: `Bearer ${client.apiKey}` },
    });
    const { deflated } = recordOf('piece', `${SECOND}:0`) ?? {};
    expect(await read.text()).toBe(inflateRawSync(Buffer.from(String(deflated), 'base64')).toString());
    const listed: (string | undefined)[] = [];
    for await (const { id } of client.responses.inputItems.list(SECOND, { order: 'asc', limit: 2 })) listed.push(id);
    expect([listed[0], listed.at(-1), listed.length]).toEqual([ASKED, RESULT, 5]);
    const behind = await client.responses.inputItems.list(SECOND, { order: 'asc', after: SAID });
    expect(behind.data.map(({ id }) => id)).toEqual(listed.slice(-2));
  });

  test('has conversations that go on, and those end as others do', async () => {
    const call = 'toolu_a82390deb78ab472e5b77e7d';
    const next = await takeTurn(client, stage.backends[MODEL], MODEL, { turn: 2, previous: SECOND, call }, false);
    for (const said of ['question 0', 'answer\u20280', 'result 1', 'result 2']) expect(lastSent()).toContain(said);
    await client.responses.delete(SECOND);
    await takeTurn(client, stage.backends[MODEL], MODEL, next, true);
    for (const said of ['question 0', 'result 1', 'result 3']) expect(lastSent()).toContain(said);
  });

  test('has items that are found by their ids, until their answer is deleted', async () => {
    for (const [id, said] of [
      [ASKED, 'question 0'],
      [SAID, 'answer\u20280'],
    ] as const) {
      await refer(id);
      expect(lastSent()).toContain(said);
    }
    await client.responses.delete(FIRST);
    expect(await statusOf(client.responses.retrieve(FIRST))).toBe(404);
    expect(await statusOf(client.responses.delete(FIRST))).toBe(404);
    for (const id of [ASKED, SAID]) expect(await statusOf(refer(id))).toBe(404);
    expect(await statusOf(client.responses.create({ model: MODEL, input: 'x', previous_response_id: FIRST }))).toBe(
      400,
    );
    expect(await client.responses.retrieve(SECOND)).toMatchObject({ id: SECOND, status: 'completed' });
  });
});
