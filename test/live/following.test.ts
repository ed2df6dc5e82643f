import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import type { CallRecord, ClientCall } from '../../src/http/index.js';
import { Entry, writeEntry } from '../../src/live/entry.js';
import { createLive } from '../../src/live/live.js';
import { type LiveExchange, readFilter } from '../../src/live/plain/index.js';
import { createReaders } from '../../src/live/readers.js';
import type { AnswerFacts } from '../../translators/index.js';
import { send, startGateway, type TestGateway, type Tree } from '../support/gateway/harness.js';
import { listen, shut } from '../support/sockets.js';
import { until } from '../support/until.js';
import { hear } from './support.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function start(more: Partial<ConfigInput> = {}): Promise<TestGateway> {
  const gateway = await startGateway({
    backends: { sim: { dialect: 'messages', simulator: true } },
    models: { '*': { backend: 'sim' } },
    ...more,
  });
  open.push(gateway);
  return gateway;
}

const ask = async ({ url }: TestGateway, model = 'any', headers: Record<string, string> = {}): Promise<void> => {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
  await send(url, '/v1/chat/completions', { body, headers });
};

describe('who follows', () => {
  test('gets what is kept and what comes, each once, and goes on where it was', async () => {
    const gateway = await start();
    await ask(gateway, 'first');
    const following = await hear(gateway.url, '/live');
    await until(() => following.exchanges().length === 1);
    await ask(gateway, 'second');
    await ask(gateway, 'third');
    await until(() => following.exchanges().length === 3);
    expect(following.exchanges().map(({ asked }) => asked.model)).toEqual(['first', 'second', 'third']);
    const ids = following.events.map(({ id }) => id);
    expect(ids.every((id) => /^[0-9a-f]{8}-\d+$/.test(id))).toBe(true);
    expect(following.response.headers['content-type']).toContain('text/event-stream');
    following.leave();
    const again = await hear(gateway.url, '/live', { 'last-event-id': ids[1] ?? '' });
    await until(() => again.exchanges().length > 0);
    expect(again.exchanges().map(({ n }) => n)).toEqual([3]);
    again.leave();
    // An id of another run: what it counted is not what is counted here.
    const stranger = await hear(gateway.url, '/live', { 'last-event-id': '0123abcd-99' });
    await until(() => stranger.exchanges().length === 3);
    stranger.leave();
  });

  test('with a filter gets what fits alone', async () => {
    const gateway = await start();
    const following = await hear(gateway.url, '/live?model=wanted');
    for (const model of ['wanted-1', 'other', 'wanted-2']) await ask(gateway, model);
    await until(() => following.exchanges().length === 2);
    expect(following.exchanges().map(({ asked }) => asked.model)).toEqual(['wanted-1', 'wanted-2']);
    following.leave();
  });

  test('hears a sign of life while nothing happens', async () => {
    const gateway = await start({ limits: { heartbeatSeconds: 0.05 } });
    const following = await hear(gateway.url, '/live');
    await until(() => (following.text().match(/^: waiting$/gm)?.length ?? 0) >= 2);
    following.leave();
  });

  test('is let go when the gateway stops, which does not wait for it', async () => {
    const gateway = await start({ limits: { drainSeconds: 60 } });
    const following = await hear(gateway.url, '/live');
    await until(() => following.text() !== '');
    const closed = gateway.close();
    await following.over;
    await closed;
    expect(following.response.complete).toBe(true);
  });

  test('one of too many gets 503 until another one leaves', async () => {
    const gateway = await start();
    const all = await Promise.all(Array.from({ length: 32 }, () => hear(gateway.url, '/live')));
    const refused = await send(gateway.url, '/live', { headers: { accept: 'text/event-stream' } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2']);
    all[0]?.leave();
    await until(async () => {
      const following = await hear(gateway.url, '/live');
      following.leave();
      return following.response.statusCode === 200;
    });
    for (const one of all) one.leave();
  });
});

describe('hostile names', () => {
  const HOSTILE = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"};alert(1);//',
    'data: {"n":1}',
    'a\u2028b\u2029c\u0085d',
    'x'.repeat(300),
  ];

  test('are data in the stream and in the answer, cut, and break neither', async () => {
    const gateway = await start();
    const following = await hear(gateway.url, '/live');
    for (const name of HOSTILE) {
      const agent = name.replace(/[^\x20-\x7e]/g, '');
      await ask(gateway, name, { 'user-agent': agent });
    }
    await ask(gateway, 'line\nend\n\nid: 0\nevent: exchange\ndata: {"n":666}');
    await until(() => following.exchanges().length === HOSTILE.length + 1);
    const exchanges: Tree[] = following.exchanges();
    expect(exchanges.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(exchanges[0].asked.model).toBe(HOSTILE[0]);
    expect(exchanges[0].client).toBe(HOSTILE[0]);
    expect(exchanges[5].client).toHaveLength(256);
    expect(exchanges[6]).toMatchObject({ status: 400, outcome: 'invalid_request' });
    following.leave();
    const answer = await send(gateway.url, '/live');
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.body.exchanges).toHaveLength(7);
  });

  test('whoever calls may ask for any number or place, and gets nothing that is not kept', async () => {
    const gateway = await start();
    for (const path of ['/live/0', '/live/999999999999999', '/live/-1', '/live/1e3', '/live/__proto__']) {
      expect((await send(gateway.url, path)).status).toBe(404);
    }
    const following = await hear(gateway.url, '/live', { 'last-event-id': 'x'.repeat(4000) });
    await ask(gateway);
    await until(() => following.exchanges().length === 1);
    following.leave();
    expect((await send(gateway.url, '/live', { method: 'POST', body: {} })).status).toBe(405);
  });
});

/** A call that is over, as far as it is looked at. */
function ended(more: Partial<CallRecord> = {}): ClientCall {
  const request = { method: 'POST', headers: { 'user-agent': 'Test/1' } };
  const response = { headersSent: true, statusCode: 200 };
  const record = { facts: { model: 'any' }, ms: 1, status: 200, outcome: 'ok', ...more };
  const call = { request, response, record, id: 'req_1', path: '/v1/messages', dialect: 'messages', startedAt: 0 };
  return { ...call, gone: false } as unknown as ClientCall;
}

describe('what is kept', () => {
  const plain = (text: string): string => text;

  test('are the last 500, and who was away is told how many it missed', async () => {
    const live = createLive(1, plain, false);
    live.use({ bodies: false });
    for (let count = 0; count < 520; count += 1) live.add(ended(), undefined, plain);
    const { exchanges } = await live.source.after(0);
    expect([exchanges.length, exchanges[0]?.n]).toEqual([500, 21]);
    const server = createServer((request, response) => {
      const call = { ...ended(), request, response } as unknown as ClientCall;
      void live.follow(SERVICES as never, call, { run: '', n: 1 }, readFilter(new URLSearchParams()));
    });
    const url = await listen(server);
    const following = await hear(url, '/');
    await until(() => following.exchanges().length === 500);
    const first = following.events.slice(0, 2).map(({ event, data }) => `${event} ${data.slice(0, 7)}`);
    expect(first).toEqual(['missed 19', 'exchange {"n":21']);
    live.close();
    await following.over;
    await shut(server);
  });

  test('shows nothing of the older exchange in whose place it is kept', async () => {
    const live = createLive(1, plain, false);
    live.use({ bodies: false });
    const shown = async () => (await live.source.after(0)).exchanges.map(({ n: _n, at: _at, ...rest }) => rest).at(-1);
    live.add(ended(), undefined, plain);
    const alone = await shown();
    const facts = {
      model: 'other',
      backend: 'b',
      dialect: 'messages',
      target: 't',
      answeredBy: 'a',
      cost: 1,
      losses: 1,
    };
    const full = {
      ...{ facts: { ...facts, costPartial: true, inputTokens: 1, outputTokens: 1, firstByteMs: 1, passed: 1 } },
      ...{ tried: [TRIED], words: 'words', error: 'upstream', waitedMs: 1, backendMs: 1, lastTokenMs: 9 },
      losses: [{ path: '/user', feature: 'user', kind: 'dropped', detail: 'a detail' }],
      ...{ restrictions: [{ kind: 'cap', tokens: 1 }], learned: [{ kind: 'cap', tokens: 1 }] },
      headers: { 'x-interlingua-losses': '1' },
      reported: { finish: 'stop', usage: { cacheRead: 1, cacheWrite: 1, reasoning: 1 } },
    } as unknown as Partial<CallRecord>;
    for (let count = 0; count < 500; count += 1) live.add(ended(full), undefined, plain);
    expect(Object.keys((await shown()) ?? {}).length).toBeGreaterThan(15);
    for (let count = 0; count < 500; count += 1) live.add(ended(), undefined, plain);
    expect(await shown()).toEqual(alone);
    live.close();
  });

  test('has a bound in bytes, whatever an exchange lost', async () => {
    const live = createLive(1, plain, false);
    live.use({ bodies: false });
    const losses = Array.from({ length: 3000 }, () => ({
      ...{ path: `/${'p'.repeat(1000)}`, feature: 'user', kind: 'dropped', detail: 'a detail' },
    })) as unknown as CallRecord['losses'];
    for (let count = 0; count < 300; count += 1) {
      live.add(ended({ losses, facts: { model: 'm'.repeat(1_000_000), losses: 3000 } }), undefined, plain);
    }
    const { exchanges } = await live.source.after(0);
    // A hundred losses of each are held, of 1.2 kB.
    expect(exchanges.length).toBeGreaterThan(50);
    expect(exchanges.length).toBeLessThan(70);
    expect(exchanges[0]?.losses?.list).toHaveLength(1);
    expect(exchanges[0]?.asked.model).toHaveLength(256);
    live.close();
  });

  test('attempts with long words count as what they take', async () => {
    const tried = Array.from({ length: 10 }, () => ({
      ...TRIED,
      ...{ code: 'c'.repeat(256), path: 'p'.repeat(256), words: 'w'.repeat(640) },
    }));
    // Of 64 workers, each of which has its part.
    const live = createLive(64, plain, false);
    live.use({ bodies: false });
    for (let count = 0; count < 60; count += 1) live.add(ended({ tried }), undefined, plain);
    const { exchanges } = await live.source.after(0);
    expect(exchanges.length).toBeLessThan((8 * 1024 * 1024) / 64 / 11_520);
  });

  test('a secret across the end of what is shown is hidden as a whole', async () => {
    const secret = 'sk-ant-the-secret-of-the-backend';
    const live = createLive(1, (text) => text.replaceAll(secret, '[redacted]'), false);
    live.use({ bodies: false });
    const words = `${'w'.repeat(280)}${secret}`;
    live.add(ended({ tried: [{ ...TRIED, words }], words }), undefined, plain);
    const shown = JSON.stringify((await live.source.after(0)).exchanges);
    expect(shown).toContain('w[redacted]');
    expect(shown).not.toContain('sk-ant');
  });

  test('holds nothing of an answer but its figures', () => {
    const body = { text: 'said' };
    const reported = {
      finish: 'stop',
      usage: { output: 1, reasoning: 1, src: { ptr: '', body } },
      body,
    } as unknown as AnswerFacts;
    const kept = new Entry();
    writeEntry(kept, ended({ reported, soFar: () => reported }), { model: 'm' }, undefined);
    expect(JSON.stringify(kept)).not.toContain('said');
    expect(Object.values(kept).filter((value) => typeof value === 'function')).toEqual([]);
  });
});

/** A call that did not serve. */
const TRIED = { backend: 'b', dialect: 'messages', target: 't', reason: 'refused', ms: 1 } as const;

/** What a reader is served with beside its call. */
const SERVICES = { config: { limits: { heartbeatSeconds: 15, writeIdleSeconds: 0.2 } }, state: { draining: false } };

test('who left before it was served leaves no timer behind', async () => {
  const readers = createReaders({ after: async () => ({ run: '', exchanges: [] }), detail: async () => undefined });
  const set = jest.spyOn(globalThis, 'setInterval');
  const call = { ...ended(), response: new EventEmitter(), gone: true } as unknown as ClientCall;
  await readers.follow(SERVICES as never, call, { run: '', n: 0 }, readFilter(new URLSearchParams()));
  expect(set).not.toHaveBeenCalled();
  set.mockRestore();
});

test('a reader that reads nothing holds no more than its socket, and is dropped after a while', async () => {
  const wide = 'w'.repeat(128 * 1024);
  const exchange = (n: number): LiveExchange => ({
    ...{ n, at: '', id: wide, route: 'POST /', asked: { dialect: 'messages' }, outcome: 'ok' },
    times: { whole: 0, waiting: 0, backend: 0, gateway: 0 },
  });
  const exchanges = Array.from({ length: 200 }, (_, index) => exchange(index + 1));
  const readers = createReaders({
    after: async (n) => ({ run: '0123abcd', exchanges: exchanges.slice(n) }),
    detail: async () => undefined,
  });
  let most = 0;
  let over = false;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const call = { id: 'req_1', request, response, record: {}, dialect: 'messages', startedAt: 0, gone: false };
    const timer = setInterval(() => {
      most = Math.max(most, response.writableLength);
    }, 1);
    const filter = readFilter(new URLSearchParams());
    response.on('close', () => {
      over = true;
      clearInterval(timer);
      Object.assign(call, { gone: true });
      (call as unknown as ClientCall).running?.abort();
    });
    void readers.follow(SERVICES as never, call as unknown as ClientCall, { run: '', n: 0 }, filter);
  });
  const url = await listen(server);
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
    socket.write('GET / HTTP/1.1\r\nhost: h\r\n\r\n'),
  );
  socket.on('error', () => {});
  socket.pause();
  await until(() => over);
  // 25 MB wanted to go out; what waited in the process was one exchange beyond what the connection takes.
  expect(most).toBeLessThan(2 * 1024 * 1024);
  socket.destroy();
  await shut(server);
});
