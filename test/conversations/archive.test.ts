import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Archive, createArchive } from '../../src/archive/archive.js';
import type { Exchanged } from '../../src/archive/exchanged.js';
import type { Entry } from '../../src/archive/store.js';
import { fromPiece, toPiece } from '../../src/conversations/pieces.js';
import { createMemoryStorage } from '../../src/store/memory.js';
import { type History, keysOf } from '../../translators/responses/stored/records.js';

const DAY_MS = 86_400_000;
const TTL_MS = 30 * DAY_MS;
const START: History = { answers: [], turns: [] };

let archive: Archive;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const limits = { ttlMs: TTL_MS, maxBytes: 2 ** 24, entryBytes: 2 ** 20 };
  archive = createArchive(createMemoryStorage().area('conversations', limits), TTL_MS);
});

afterEach(() => {
  jest.useRealTimers();
});

function exchanged(id: string, before: History | undefined, more: Partial<Exchanged> = {}): Exchanged {
  const output = [{ id: `msg_${id}`, type: 'message', role: 'assistant', content: [] }];
  const input = [{ id: `in_${id}`, role: 'user', content: id }];
  return {
    id,
    response: { id, status: 'completed', output },
    kept: 0,
    pieces: [],
    before,
    input,
    owner: undefined,
    domain: undefined,
    ...more,
  };
}

/** Keeps answers one upon the other. */
async function chain(...ids: string[]): Promise<void> {
  let before: History | undefined = START;
  for (const id of ids) {
    await archive.keep('t', exchanged(id, before));
    before = await archive.history('t', id);
  }
}

describe('a conversation', () => {
  test('that goes on does not lose what its first turns said when they would expire', async () => {
    await chain('a', 'b');
    jest.advanceTimersByTime(20 * DAY_MS);
    await archive.keep('t', exchanged('c', await archive.history('t', 'b')));
    jest.advanceTimersByTime(20 * DAY_MS);
    expect((await archive.history('t', 'c'))?.answers).toEqual(['a', 'b', 'c']);
    expect(await archive.answer('t', 'a')).toBeUndefined();
    expect(await archive.history('t', 'b')).toBeUndefined();
  });

  test('is unknown as a whole when any of it is', async () => {
    await chain('a', 'b');
    await archive.store.delete([keysOf('t', 'a').turn]);
    expect(await archive.history('t', 'b')).toBeUndefined();
  });

  test('outlives the deletion of any of its answers, also of one that was deleted while the next was made', async () => {
    await chain('a', 'b', 'c');
    await archive.remove('t', 'b');
    expect((await archive.history('t', 'c'))?.turns).toHaveLength(3);
    const before = await archive.history('t', 'c');
    await archive.remove('t', 'c');
    expect(await archive.store.get([keysOf('t', 'c').turn])).toEqual([undefined]);
    await archive.keep('t', exchanged('d', before));
    expect((await archive.history('t', 'd'))?.answers).toEqual(['a', 'b', 'c', 'd']);
  });

  test("is another tenant's business to nobody", async () => {
    await chain('a');
    expect(await archive.history('u', 'a')).toBeUndefined();
    await archive.remove('u', 'a');
    expect(await archive.history('t', 'a')).toBeDefined();
  });
});

describe('an item', () => {
  const referred = async (id: string) => (await archive.items('t', [id])).get(id)?.answer;

  test('that is sent again stays where it was first, and goes with that', async () => {
    await chain('a');
    const again = [{ id: 'msg_a', type: 'message', role: 'assistant', content: [] }];
    await archive.keep('t', exchanged('b', START, { input: again }));
    expect(await referred('msg_a')).toBe('a');
    await archive.remove('t', 'b');
    expect(await referred('msg_a')).toBe('a');
    expect(await referred('msg_b')).toBeUndefined();
    await archive.remove('t', 'a');
    expect(await referred('msg_a')).toBeUndefined();
  });

  describe('that was named here', () => {
    const [first, second] = ['018f', '0190'].map((lead) => `${lead}${'0'.repeat(40)}`);
    const [one, two] = [`resp_il${first}`, `resp_il${second}`];
    const [third, fourth] = ['resp_third', 'resp_fourth'];
    const made = `msg_il${first}_0`;
    const given = `msg_ili${first}_0`;
    const message = (id: string) => ({ id, type: 'message', role: 'user', content: 'q' });
    const keep = (id: string, before: History | undefined, input: string, output: string) =>
      archive.keep('t', {
        ...exchanged(id, before, {
          input: [message(input)],
          response: { id, status: 'completed', output: [message(output)] },
        }),
      });

    test('is found by its id, with two entries for the whole exchange', async () => {
      const keys: string[] = [];
      const { store } = archive;
      const counting = {
        ...store,
        set: (entries: readonly Entry[]) => {
          keys.push(...entries.map(({ key }) => key));
          return store.set(entries);
        },
      };
      archive = createArchive(counting, TTL_MS);
      await keep(one, START, given, made);
      expect(keys).toEqual([keysOf('t', one).turn, keysOf('t', one).answer]);
      expect([...(await archive.items('t', [made, given]))].map(([id, { answer }]) => [id, answer])).toEqual([
        [given, one],
        [made, one],
      ]);
      expect((await archive.items('u', [made])).size).toBe(0);
    });

    test('is forgotten with its answer, also where a later one builds upon that', async () => {
      await keep(one, START, given, made);
      await keep(two, await archive.history('t', one), `msg_ili${second}_0`, `msg_il${second}_0`);
      expect(await referred(made)).toBe(one);
      await archive.remove('t', one);
      expect(await referred(made)).toBeUndefined();
      expect(await referred(`msg_il${second}_0`)).toBe(two);
      expect((await archive.history('t', two))?.turns).toHaveLength(2);
    });

    test('stays forgotten as long as its turn is kept for what builds upon it', async () => {
      await keep(one, START, given, made);
      const before = await archive.history('t', one);
      await keep(two, before, `msg_ili${second}_0`, `msg_il${second}_0`);
      await archive.remove('t', one);
      for (const [id, last] of [
        [third, two],
        [fourth, third],
      ] as const) {
        jest.advanceTimersByTime(20 * DAY_MS);
        await keep(id, await archive.history('t', last), `msg_${id}`, `out_${id}`);
        expect([await referred(made), await referred(given)]).toEqual([undefined, undefined]);
      }
      expect((await archive.history('t', fourth))?.turns).toHaveLength(4);
    });

    test('stays forgotten where its answer was deleted while the next was made', async () => {
      await keep(one, START, given, made);
      const before = await archive.history('t', one);
      await archive.remove('t', one);
      jest.advanceTimersByTime(10 * DAY_MS);
      await keep(two, before, `msg_ili${second}_0`, `msg_il${second}_0`);
      jest.advanceTimersByTime(25 * DAY_MS);
      expect((await archive.history('t', two))?.turns).toHaveLength(2);
      expect([await referred(made), await referred(given)]).toEqual([undefined, undefined]);
    });

    test('is taken from its own turn, also where one that is read before holds it as its client sent it again', async () => {
      const later = `msg_il${second}_0`;
      const issued = (id: string, before: History | undefined, input: string, output: string) =>
        archive.keep('t', {
          ...exchanged(id, before, { input: [message(input)], domain: 'someone' }),
          response: { id, status: 'completed', output: [message(output)] },
        });
      await issued(one, START, given, made);
      await issued(two, START, made, later);
      for (const ids of [
        [later, made],
        [made, later],
      ]) {
        const items = await archive.items('t', ids);
        expect(ids.map((id) => [items.get(id)?.answer, items.get(id)?.domain])).toEqual(
          ids.map((id) => [id === made ? one : two, 'someone']),
        );
      }
    });

    test('is known by who sent it again where its own answer is not kept', async () => {
      await keep(two, START, made, `msg_il${second}_0`);
      expect(await referred(made)).toBe(two);
    });
  });

  test('says whose state is in it, unless a client brought it', async () => {
    await archive.keep('t', exchanged('a', START, { domain: 'someone' }));
    const items = await archive.items('t', ['msg_a', 'in_a', 'msg_none', 'not an id']);
    expect([...items].map(([id, { domain }]) => [id, domain])).toEqual([
      ['in_a', undefined],
      ['msg_a', 'someone'],
    ]);
  });
});

/** What an answer was made from, oldest first. */
async function inputOf(id: string): Promise<unknown[] | undefined> {
  const items = await archive.input('t', id, { order: 'asc', after: undefined });
  if (items === undefined) return undefined;
  const read = [];
  for await (const item of items) read.push(item);
  return read;
}

test('an answer that is only promised has an input, and nothing can build upon it', async () => {
  const { input } = exchanged('a', START);
  const run = { v: 1, until: 0, streamed: false } as const;
  await archive.promise('t', { id: 'a', status: 'queued' }, run, { before: START, input });
  expect(await inputOf('a')).toEqual(input);
  expect(await archive.history('t', 'a')).toBeUndefined();
  await archive.keep('t', exchanged('a', START));
  expect((await archive.history('t', 'a'))?.answers).toEqual(['a']);
  await archive.remove('t', 'a');
  expect(await inputOf('a')).toBeUndefined();
});

describe('an answer whose stream is kept', () => {
  const response = { id: 'a', status: 'completed', output: [], instructions: 'a “long” text' };
  const frame = `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', sequence_number: 2, response })}\n\n`;
  const brief = { id: 'a', status: 'completed', output: [] };

  beforeEach(() => {
    jest.useRealTimers();
    archive = createArchive(archive.store, TTL_MS, fromPiece);
  });

  test('is read from the last frame of that, and is unknown without it', async () => {
    const pieces = [
      await toPiece(Buffer.from('event: x\ndata: {}\n\n')),
      await toPiece(Buffer.from(`event: y\ndata: {}\n\n${frame}`)),
    ];
    await archive.keep('t', exchanged('a', START, { response: brief, pieces, inStream: true }));
    expect((await archive.store.get([keysOf('t', 'a').answer]))[0]).toEqual({ v: 1, pieces: 2 });
    expect(await archive.answer('t', 'a')).toEqual({ v: 1, response, pieces: 2 });
    expect((await archive.history('t', 'a'))?.answers).toEqual(['a']);
    await archive.store.set([{ key: keysOf('t', 'a').piece(1), value: { v: 1, deflated: 'AAAA' } }]);
    expect(await archive.answer('t', 'a')).toBeUndefined();
    await archive.remove('t', 'a');
    expect(await archive.store.get([keysOf('t', 'a').piece(0), keysOf('t', 'a').piece(1)])).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('is kept as it was printed where the stream is too long to be kept', async () => {
    const printed = Buffer.from(JSON.stringify(response));
    await archive.keep('t', exchanged('a', START, { response: brief, printed, inStream: true }));
    expect((await archive.answer('t', 'a'))?.response).toEqual(response);
  });
});

test('records of another version are as unknown as what never was', async () => {
  await chain('a', 'b');
  for (const key of [keysOf('t', 'a').turn, keysOf('t', 'b').answer, keysOf('t', 'msg_a').item]) {
    const [value] = await archive.store.get([key]);
    await archive.store.set([{ key, value: { ...Object(value), v: 2 } }]);
  }
  expect(await archive.answer('t', 'b')).toBeUndefined();
  expect(await archive.history('t', 'b')).toBeUndefined();
  expect((await archive.items('t', ['msg_a'])).size).toBe(0);
});
