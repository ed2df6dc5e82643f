import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { type Archive, createArchive } from '../../src/archive/archive.js';
import type { Store } from '../../src/archive/index.js';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { createStorage } from '../../src/store/create.js';
import { page } from '../../translators/responses/stored/page.js';
import type { History } from '../../translators/responses/stored/records.js';
import { connectResponses } from '../support/clients.js';

/** What is stored, loaded for one request: bounded, page by page, and never more than is shown (attacks.md finding 12). */
const MB = 1024 * 1024;
const LIMITS = { ttlMs: 86_400_000, maxBytes: 256 * MB, entryBytes: 16 * MB };

/** An archive that notes which keys are read. */
function watchedArchive(): { archive: Archive; read: string[] } {
  const storage = createStorage({ type: 'memory', ttlDays: 1, maxMb: 256, entryMb: 16 }, () => {});
  if (storage === undefined) throw new Error('no storage');
  const inner = storage.area('conversations', LIMITS);
  const read: string[] = [];
  const store: Store = {
    ...inner,
    get(keys) {
      read.push(...keys);
      return inner.get(keys);
    },
    find(keys) {
      read.push(...keys);
      return inner.find(keys);
    },
  };
  return { archive: createArchive(store, LIMITS.ttlMs), read };
}

/** A conversation of `turns` answers, `a0` and so on, with inputs `i0` and outputs `o0` of so many characters. */
async function converse(archive: Archive, turns: number, characters: number): Promise<void> {
  let before: History | undefined = { answers: [], turns: [] };
  for (let n = 0; n < turns; n += 1) {
    const output = [{ id: `o${n}`, type: 'message', role: 'assistant', content: [] }];
    const response = { id: `a${n}`, status: 'completed', output };
    const input = [{ id: `i${n}`, role: 'user', content: 'x'.repeat(characters) }];
    const kept = { kept: 0, pieces: [], owner: undefined, domain: undefined };
    await archive.keep('t', { ...kept, id: `a${n}`, response, before, input });
    before = await archive.history('t', `a${n}`);
  }
}

describe('a list of input items', () => {
  const TURNS = 40;
  /** Ids of one page, and the turns that were read for it. */
  const list = async (archive: Archive, read: string[], limit: number, order: 'asc' | 'desc', after?: string) => {
    read.length = 0;
    const items = await archive.input('t', `a${TURNS - 1}`, { order, after });
    if (items === undefined) throw new Error('the answer is not known');
    const shown = await page(items as AsyncIterable<Record<string, unknown>>, { limit, order, after });
    const { data } = shown as { data: { id: string }[] };
    const turns = read.filter((key) => key.includes(':turn:')).map((key) => key.slice(key.lastIndexOf(':') + 1));
    return { ids: data.map(({ id }) => id), turns, more: shown.has_more };
  };

  test('reads only what it shows, wherever it begins', async () => {
    const { archive, read } = watchedArchive();
    await converse(archive, TURNS, 10);
    expect(await list(archive, read, 1, 'desc')).toEqual({ ids: ['i39'], turns: ['a39', 'a38'], more: true });
    const middle = await list(archive, read, 2, 'desc', 'o20');
    expect(middle).toEqual({ ids: ['i20', 'o19'], turns: ['a39', 'a20', 'a19', 'a18'], more: true });
    const forth = await list(archive, read, 2, 'asc', 'o20');
    expect(forth).toEqual({ ids: ['i21', 'o21'], turns: ['a39', 'a20', 'a21', 'a22'], more: true });
    expect(await list(archive, read, 3, 'asc', 'i38')).toMatchObject({ ids: ['o38', 'i39'], more: false });
    expect(await list(archive, read, 3, 'desc', 'o0')).toMatchObject({ ids: ['i0'], more: false });
    await expect(list(archive, read, 1, 'desc', 'elsewhere')).rejects.toThrow('names no item of this list');
  });

  test('goes through everything once, page by page, in both orders', async () => {
    const { archive, read } = watchedArchive();
    await converse(archive, TURNS, 10);
    const forward = Array.from({ length: TURNS }, (_, n) => [`i${n}`, `o${n}`]).flat();
    forward.pop();
    for (const order of ['asc', 'desc'] as const) {
      const all: string[] = [];
      let shown: Awaited<ReturnType<typeof list>>;
      do {
        shown = await list(archive, read, 7, order, all.at(-1));
        all.push(...shown.ids);
      } while (shown.more);
      expect(all).toEqual(order === 'asc' ? forward : [...forward].reverse());
    }
  });
});

test('others run between the turns of a long history, and only a few of its texts are held at once', async () => {
  const { archive, read } = watchedArchive();
  const TURNS = 24;
  await converse(archive, TURNS, 300_000);
  read.length = 0;
  let loaded = false;
  let turns = 0;
  const loading = archive.history('t', `a${TURNS - 1}`).then(() => {
    loaded = true;
  });
  while (!loaded) {
    await turn();
    turns += 1;
  }
  await loading;
  expect(turns).toBeGreaterThanOrEqual(TURNS - 1);
});

describe('a gateway', () => {
  const closing: GatewayServer[] = [];
  afterAll(() => Promise.all(closing.map((gateway) => gateway.close())));

  const start = async (limits: object, key: object = {}): Promise<OpenAI> => {
    const gateway = createGateway({
      backends: { sim: { dialect: 'messages', simulator: true } },
      models: { sim: { backend: 'sim', model: 'claude-sonnet-4-5' } },
      keys: [{ name: 'k', key: 'a-key-of-sixteen-characters', ...key }],
      limits: { drainSeconds: 1, ...limits },
      store: { type: 'memory' },
      log: { level: 'silent' },
    });
    closing.push(gateway);
    const { url } = await gateway.listen({ port: 0 });
    return connectResponses(url, { apiKey: 'a-key-of-sixteen-characters' });
  };
  const refusal = async (asked: Promise<unknown>): Promise<{ status: unknown; message: string }> => {
    const error = await asked.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof OpenAI.APIError)) throw new Error('it was not refused');
    return { status: error.status, message: error.message };
  };

  test('names the bound of stored items that one request refers to', async () => {
    const client = await start({ references: 3 });
    const first = await client.responses.create({ model: 'sim', input: 'one' });
    const [item] = first.output;
    const references = (count: number) =>
      Array.from({ length: count }, () => ({ type: 'item_reference' as const, id: item?.id ?? '' }));
    const input = (count: number) => [...references(count), { role: 'user' as const, content: 'on' }];
    expect((await client.responses.create({ model: 'sim', input: input(3) })).status).toBe('completed');
    const { status, message } = await refusal(client.responses.create({ model: 'sim', input: input(4) }));
    expect([status, message]).toEqual([400, expect.stringContaining('limits.references: 3')]);
  });

  test('names the bound of the history that is loaded for one request', async () => {
    const client = await start({ historyMb: 0.5 });
    const input = 'x'.repeat(200_000);
    const first = await client.responses.create({ model: 'sim', input });
    const second = await client.responses.create({ model: 'sim', input, previous_response_id: first.id });
    const third = await client.responses.create({ model: 'sim', input, previous_response_id: second.id });
    const going = client.responses.create({ model: 'sim', input: 'on', previous_response_id: third.id });
    const bound = expect.stringContaining('limits.historyMb: 0.5');
    expect(await refusal(going)).toEqual({ status: 400, message: bound });
    const named = [first, second, third].map(({ output: [item] }) => ({
      type: 'item_reference' as const,
      id: item?.id ?? '',
    }));
    expect(await refusal(client.responses.create({ model: 'sim', input: named }))).toEqual({
      status: 400,
      message: bound,
    });
    // The list of the same conversation is not loaded as one.
    const items = await client.responses.inputItems.list(third.id, { limit: 100 });
    expect(items.data).toHaveLength(5);
  });

  test('counts what is read towards the requests of the key, and not towards its tokens', async () => {
    const client = await start({}, { requestsPerMinute: 4, tokensPerMinute: 1 });
    const { id } = await client.responses.create({ model: 'sim', input: 'one' });
    expect((await refusal(client.responses.create({ model: 'sim', input: 'two' }))).status).toBe(429);
    await client.responses.retrieve(id);
    await client.responses.inputItems.list(id);
    await client.responses.retrieve(id);
    expect(await refusal(client.responses.inputItems.list(id))).toEqual({
      status: 429,
      message: expect.stringContaining('4 requests per minute'),
    });
  });

  test('has places of a key for what is read, beside those for its answers', async () => {
    const client = await start({}, { concurrency: 1 });
    const made = await client.responses.create({
      model: 'sim',
      input: 'simulate slow',
      background: true,
      stream: true,
    });
    let id = '';
    for await (const event of made) {
      if (event.type !== 'response.queued' && event.type !== 'response.created') continue;
      ({ id } = event.response);
      break;
    }
    expect((await client.responses.retrieve(id)).id).toBe(id);
    const reader = await client.responses.retrieve(id, { stream: true });
    expect((await refusal(client.responses.retrieve(id))).status).toBe(429);
    reader.controller.abort();
  });
});
