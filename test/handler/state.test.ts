import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import OpenAI from 'openai';
import { createHandler, type HandlerOptions, type HandlerRecord, type HandlerStore } from '../../src/handler/index.js';
import { openFakes, waysTo } from '../sdk/stage.js';
import type { Fakes } from '../support/fakes.js';

let fakes: Fakes;
beforeAll(async () => {
  fakes = await openFakes();
});
afterAll(() => fakes.close());
beforeEach(() => fakes.reset());

const KEYS = { one: 'a-key-of-the-first-caller', other: 'a-key-of-the-other-caller' };
const BACKENDS = ['messages', 'responses'] as const;

/** A store as Workers KV is: texts by key, with a time to live. */
function createTexts(): HandlerStore & { readonly texts: Map<string, string>; readonly times: Set<number> } {
  const texts = new Map<string, string>();
  const times = new Set<number>();
  return {
    texts,
    times,
    get: async (key) => texts.get(key) ?? null,
    async set(key, text, ttlSeconds) {
      texts.set(key, text);
      times.add(ttlSeconds);
    },
    async delete(key) {
      texts.delete(key);
    },
  };
}

/** The official client of a key. */
function clientOf(changes: Partial<HandlerOptions>, key: keyof typeof KEYS = 'one'): OpenAI {
  const keys = Object.entries(KEYS).map(([name, text]) => ({ name, key: text }));
  const handler = createHandler({ ...waysTo(fakes), keys, ...changes });
  const fetch: typeof globalThis.fetch = (input, init) => handler(new Request(input, init));
  return new OpenAI({ baseURL: 'http://handler.example/v1', apiKey: KEYS[key], fetch, maxRetries: 0 });
}

/** The answer to a request, asked for whole or as a stream. */
async function answered(
  client: OpenAI,
  body: OpenAI.Responses.ResponseCreateParamsNonStreaming,
  stream: boolean,
): Promise<OpenAI.Responses.Response> {
  if (!stream) return client.responses.create(body);
  let last: OpenAI.Responses.Response | undefined;
  for await (const event of await client.responses.create({ ...body, stream: true })) {
    if (event.type === 'response.completed') last = event.response;
  }
  if (last === undefined) throw new Error('the stream has no end');
  return last;
}

const WAYS = BACKENDS.flatMap((backend) => [false, true].map((stream) => ({ backend, stream })));

describe.each(WAYS)('with a store: $backend backend, stream: $stream', ({ backend, stream }) => {
  const model = `via-${backend}`;

  test('a conversation goes on by the id of its last answer', async () => {
    const store = createTexts();
    fakes.backends[backend].script([
      { kind: 'text', text: 'I am fine.' },
      { kind: 'text', text: 'You asked how I am.' },
    ]);
    const client = clientOf({ store, storeDays: 2 });
    const first = await answered(client, { model, input: 'How are you?' }, stream);
    expect(first).toMatchObject({ store: true, previous_response_id: null, status: 'completed' });
    const second = await answered(client, { model, input: 'What did I ask?', previous_response_id: first.id }, stream);
    expect(second).toMatchObject({ store: true, previous_response_id: first.id });
    expect(second.id).not.toBe(first.id);
    const { raw = '' } = fakes.backends[backend].requests[1] ?? {};
    expect(raw).toMatch(/How are you\?.*I am fine\..*What did I ask\?/s);
    expect(raw).not.toContain(first.id);
    if (backend === 'responses') expect(JSON.parse(raw)).toMatchObject({ store: false });
    expect([...store.times]).toEqual([2 * 86_400]);
  });

  test('an answer is shown, listed and forgotten, to its own caller alone', async () => {
    const store = createTexts();
    const client = clientOf({ store });
    const made = await answered(client, { model, input: 'Hello' }, stream);
    const other = clientOf({ store }, 'other');
    await expect(other.responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    await expect(other.responses.create({ model, input: 'x', previous_response_id: made.id })).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
    });
    await other.responses.delete(made.id).catch(() => undefined);
    await expect(client.responses.retrieve(made.id)).resolves.toMatchObject({ id: made.id, output: made.output });
    const { data } = await client.responses.inputItems.list(made.id);
    expect(data).toMatchObject([{ role: 'user', content: [{ text: 'Hello' }] }]);
    await expect(client.responses.retrieve(made.id, { stream: true })).rejects.toMatchObject({ status: 400 });
    await client.responses.delete(made.id);
    await expect(client.responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    expect([...store.texts.keys()].filter((key) => !key.includes(':gone:'))).toEqual([]);
  });

  test('what could not be kept is delivered, and says that it is not kept', async () => {
    const records: HandlerRecord[] = [];
    const full = new Error('the store is full');
    const store = { ...createTexts(), set: () => Promise.reject(full) };
    const client = clientOf({ store, onExchange: (record) => records.push(record) });
    const made = await answered(client, { model, input: 'Hello' }, stream);
    expect(made).toMatchObject({ status: 'completed', store: false });
    expect(records).toMatchObject([{ outcome: 'ok', notKept: { cause: full } }]);
  });

  test('nothing is kept that is not to be', async () => {
    const store = createTexts();
    const made = await answered(clientOf({ store }), { model, input: 'Hello', store: false }, stream);
    expect(made).toMatchObject({ store: false });
    expect(store.texts.size).toBe(0);
  });
});

describe.each(BACKENDS)('without a store: %s backend', (backend) => {
  const model = `via-${backend}`;

  test('an answer says that it is not kept, and none is continued', async () => {
    const client = clientOf({});
    const made = await client.responses.create({ model, input: 'Hello' });
    expect(made).toMatchObject({ store: false });
    await expect(
      client.responses.create({ model, input: 'x', previous_response_id: 'resp_of_somebody' }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
    await expect(client.responses.retrieve('resp_of_somebody')).rejects.toMatchObject({ status: 404 });
    expect(fakes.backends[backend].requests).toHaveLength(1);
  });

  test.each([
    [{ background: true }, 'background'],
    [{ conversation: 'conv_1' }, 'conversation'],
  ])('%j cannot be had, and is refused by name', async (body, name) => {
    await expect(clientOf({}).responses.create({ model, input: 'x', ...body })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(name),
    });
    expect(fakes.backends[backend].requests).toEqual([]);
  });
});

describe('as days pass', () => {
  const DAY_MS = 86_400_000;

  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('what a deleted answer said stays forgotten, for as long as others build upon it', async () => {
    let now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    const kept = createTexts();
    const ends = new Map<string, number>();
    const store: HandlerStore = {
      ...kept,
      get: async (key) => ((ends.get(key) ?? 0) > now ? kept.get(key) : null),
      async set(key, text, ttlSeconds) {
        ends.set(key, now + ttlSeconds * 1000);
        await kept.set(key, text, ttlSeconds);
      },
    };
    const client = clientOf({ store, storeDays: 30 });
    const ask = (more: object) => client.responses.create({ model: 'via-messages', input: 'Hello', ...more });
    const first = await ask({});
    const reference = { type: 'item_reference', id: first.output[0]?.id };
    const refer = () => ask({ input: [reference, { role: 'user', content: 'Again' }], store: false });
    await expect(refer()).resolves.toMatchObject({ status: 'completed' });
    let last = await ask({ previous_response_id: first.id });
    await client.responses.delete(first.id);
    for (let days = 20; days <= 60; days += 20) {
      now += 20 * DAY_MS;
      last = await ask({ previous_response_id: last.id });
      await expect(refer()).rejects.toMatchObject({ status: 404 });
    }
  });
});

test('a store that cannot be read is a failure that may be retried', async () => {
  const store = { ...createTexts(), get: () => Promise.reject(new Error('no such host')) };
  const asked = clientOf({ store }).responses.create({
    model: 'via-messages',
    input: 'x',
    previous_response_id: 'resp_1',
  });
  await expect(asked).rejects.toMatchObject({ status: 503 });
});

describe('a store that never answers', () => {
  const NEVER = new Promise<never>(() => undefined);
  const body = { model: 'via-messages', input: 'x' };

  test('is a failure that may be retried, once the time for an answer is over', async () => {
    const store = { ...createTexts(), get: () => NEVER };
    const asked = clientOf({ store, firstByteSeconds: 1 }).responses.create({
      ...body,
      previous_response_id: 'resp_1',
    });
    await expect(asked).rejects.toMatchObject({ status: 503 });
  });

  test('holds back no answer for longer than that', async () => {
    const store = { ...createTexts(), set: () => NEVER };
    const made = await clientOf({ store, firstByteSeconds: 1 }).responses.create(body);
    expect(made).toMatchObject({ status: 'completed', store: false });
  });

  test.each(['POST', 'GET'])('holds no client that left: %s', async (method) => {
    const leaving = new AbortController();
    const records: HandlerRecord[] = [];
    const store = {
      ...createTexts(),
      get() {
        leaving.abort();
        return NEVER;
      },
    };
    const handler = createHandler({
      ...waysTo(fakes),
      open: true,
      store,
      firstByteSeconds: 1,
      onExchange: (record) => records.push(record),
    });
    const post = { body: JSON.stringify({ ...body, previous_response_id: 'resp_1' }) };
    const path = `/v1/responses${method === 'GET' ? '/resp_1' : ''}`;
    const init = { method, signal: leaving.signal, ...(method === 'POST' && post) };
    const response = await handler(new Request(`http://handler.example${path}`, init));
    expect([response.status, records]).toMatchObject([499, [{ outcome: 'client_closed' }]]);
  });
});
