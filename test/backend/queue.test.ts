import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callBackend } from '../../src/backend/call.js';
import { createGate, shareOf } from '../../src/backend/gate.js';
import { createQueue, type Waiter } from '../../src/backend/queue.js';
import type { Transport } from '../../src/backend/transport.js';
import {
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  messageOf,
  type Recorder,
  STREAM,
  send,
  WHOLE,
} from '../support/gateway/harness.js';
import { dialectOf, leavingClient, startBackend, startWatched, until, type WatchedGateway } from './stage.js';

let backend: Recorder;
let spare: Recorder;
let gateway: WatchedGateway;
/** Calls that the backend has and does not answer. */
let held: { readonly response: ServerResponse; readonly path: string; readonly body: string }[] = [];
/** Most calls at the same time. */
let most = 0;
let open = 0;

beforeAll(async () => {
  backend = await startBackend();
  spare = await startBackend();
  const one = { dialect: 'messages' as const, baseUrl: backend.url };
  gateway = await startWatched({
    backends: {
      two: { ...one, concurrency: 2, queue: 3 },
      strict: { ...one, baseUrl: `${backend.url}/strict`, concurrency: 1, queue: 0 },
      fragile: { ...one, concurrency: 1, queue: 5, retries: 0, breaker: { failures: 1, seconds: 600 } },
      spare: { dialect: 'messages', baseUrl: spare.url },
    },
    models: {
      two: { backend: 'two' },
      strict: { backend: 'strict' },
      fragile: { backend: 'fragile' },
      'fragile-then': [{ backend: 'fragile' }, { backend: 'spare' }],
      'strict-then': [{ backend: 'strict' }, { backend: 'spare' }],
      'listed-*': { backend: 'strict' },
    },
  });
});
beforeEach(() => {
  held = [];
  most = 0;
  backend.seen.length = 0;
  gateway.passed.length = 0;
  backend.reply = (response, { path, body }) => {
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => {
      open -= 1;
    });
    held.push({ response, path, body });
  };
});
afterEach(async () => {
  for (const { response } of held) response.destroy();
  for (const name of ['two', 'strict', 'fragile']) {
    await until(() => standing(name).running + standing(name).waiting === 0, `${name} is idle`);
  }
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([backend.close(), spare.close()]);
});

const standing = (name: string) => gateway.parts.backends.get(name).status();
const ask = (model: string) => send(gateway.url, '/v1/messages', { body: ASK.messages(model).body });
const numbered = (model: string, number: number) =>
  send(gateway.url, '/v1/messages', {
    body: { ...ASK.messages(model).body, messages: [{ role: 'user', content: `number ${number}` }] },
  });
/** Those for a model: a call that a test before has ended may arrive late. */
const calls = (model: string) => held.filter(({ body }) => body.includes(`"model":"${model}`));
const serve = (model: string, index: number): void => {
  const one = calls(model)[index];
  if (one !== undefined) json(one.response, 200, WHOLE[dialectOf(one.path)]('hi'));
};
const leaving = (model: string) => leavingClient(gateway.url, '/v1/messages', ASK.messages(model).body);

test('no more than so many calls run, and who waits follows in the order of coming', async () => {
  const answers = [];
  for (let number = 0; number < 5; number += 1) {
    answers.push(numbered('two', number));
    await until(() => standing('two').running + standing('two').waiting === number + 1, `call ${number} came`);
  }
  expect(standing('two')).toMatchObject({ breaker: 'closed', out: [], running: 2, waiting: 3 });
  for (let number = 0; number < 5; number += 1) {
    await until(() => calls('two').length > number, `call ${number} is running`);
    serve('two', number);
  }
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(most).toBe(2);
  const order = backend.seen.map(({ body }) => Number(/number (\d)/.exec(body)?.[1]));
  expect(new Set(order.slice(0, 2))).toEqual(new Set([0, 1]));
  expect(order.slice(2)).toEqual([2, 3, 4]);
});

test('a call is over when its answer has ended, and not before', async () => {
  const frames = FRAMES.messages('hello you');
  const { path, body } = STREAM.messages('strict');
  const streaming = send(gateway.url, path, { body });
  await until(() => calls('strict').length === 1, 'the call came');
  calls('strict')[0]?.response.writeHead(200, EVENT_STREAM);
  calls('strict')[0]?.response.write(frames[0]);
  expect((await ask('strict')).status).toBe(503);
  calls('strict')[0]?.response.end(frames.slice(1).join(''));
  expect((await streaming).text).toContain('message_stop');
  await until(() => standing('strict').running === 0, 'the place is free');
  const next = ask('strict');
  await until(() => calls('strict').length === 2, 'the next call came');
  serve('strict', 1);
  expect((await next).status).toBe(200);
});

test.each([
  ['broke', () => calls('two')[0]?.response.destroy()],
  [
    'was refused',
    () =>
      calls('two')
        .slice(0, 1)
        .map(({ response }) => json(response, 400, {})),
  ],
])('a call that %s gives its place to the next', async (_name, end) => {
  const first = ask('two');
  const second = ask('two');
  const third = ask('two');
  await until(() => calls('two').length === 2 && standing('two').waiting === 1, 'two run and one waits');
  end();
  await until(() => calls('two').length === 3, 'the third call came');
  serve('two', 1);
  serve('two', 2);
  const statuses = (await Promise.all([first, second, third])).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
});

describe('without a place', () => {
  test.each(DIALECTS)('a %s client gets 503 at once, with the time to come again', async (client) => {
    const first = leaving('strict');
    await until(() => calls('strict').length === 1, 'the call came');
    const { path, body } = ASK[client]('strict');
    const answer = await send(gateway.url, path, { body });
    expect(answer.status).toBe(503);
    expect(messageOf(client, answer.body)).toBe('the backend has no free place');
    expect(answer.headers['retry-after']).toBe('1');
    expect(calls('strict')).toHaveLength(1);
    first.leave();
  });

  test('the next target serves', async () => {
    const first = leaving('strict');
    await until(() => calls('strict').length === 1, 'the call came');
    const answer = await ask('strict-then');
    expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([200, 'spare']);
    expect(gateway.passed).toEqual(['strict queue']);
    first.leave();
  });

  test('the list of models is not asked for either', async () => {
    const first = leaving('strict');
    await until(() => calls('strict').length === 1, 'the call came');
    backend.reply = (response) => json(response, 200, { data: [] });
    expect((await send(gateway.url, '/v1/models')).status).toBe(200);
    const asked = backend.seen.filter(({ method }) => method === 'GET').map(({ path }) => path);
    expect(asked).toHaveLength(2);
    expect(asked.filter((path) => path.startsWith('/strict'))).toEqual([]);
    first.leave();
  });
});

test('who goes away while waiting leaves the row at once, and is never called for', async () => {
  const running = [leaving('two'), leaving('two')];
  await until(() => calls('two').length === 2, 'two run');
  const waiting = [leaving('two'), leaving('two'), leaving('two')];
  await until(() => standing('two').waiting === 3, 'three wait');
  expect((await ask('two')).status).toBe(503);
  for (const client of waiting) client.leave();
  await until(() => standing('two').waiting === 0, 'nobody waits');
  expect(standing('two').running).toBe(2);
  for (const client of running) client.leave();
  await until(() => standing('two').running === 0, 'nothing runs');
  expect(calls('two')).toHaveLength(2);
});

test('one place in the row is free again for each who leaves it', async () => {
  const [a, b] = [leaving('two'), leaving('two')];
  await until(() => standing('two').running === 2, 'two run');
  const waiting = [leaving('two'), leaving('two'), leaving('two')];
  await until(() => standing('two').waiting === 3, 'three wait');
  waiting[1]?.leave();
  await until(() => standing('two').waiting === 2, 'two wait');
  const late = leaving('two');
  await until(() => standing('two').waiting === 3, 'three wait again');
  for (const client of [a, b, ...waiting, late]) client.leave();
});

test('waiting counts towards the whole time', async () => {
  let sent = 0;
  const transport: Transport = {
    send() {
      sent += 1;
      return { pause() {}, resume() {}, abort() {} };
    },
    close: async () => {},
  };
  const gate = createGate({ breaker: false, concurrency: 1, queue: 1 }, { onOut() {}, onBack() {} });
  const times = { connect: 600, firstByte: 600, idle: 600 };
  const running = callBackend(transport, REQUEST, { ...times, total: 600 }, { gate });
  const waiting = callBackend(transport, REQUEST, { ...times, total: 0.05 }, { gate });
  await expect(waiting.answer).rejects.toMatchObject({
    error: { kind: 'overloaded', status: 503 },
    hindrance: 'queue',
  });
  expect([sent, gate.status().running, gate.status().waiting]).toEqual([1, 1, 0]);
  running.abort();
  await expect(running.answer).rejects.toMatchObject({ error: { kind: 'cancelled' } });
  expect(gate.status().running).toBe(0);
});

test('processes that share a port share the places and the row, and each has a place', () => {
  const whole = { breaker: false, concurrency: 5, queue: 3 } as const;
  expect(shareOf(whole, 1)).toEqual(whole);
  expect(shareOf(whole, 2)).toEqual({ breaker: false, concurrency: 3, queue: 2 });
  expect(shareOf({ ...whole, concurrency: 1, queue: 0 }, 4)).toEqual({ breaker: false, concurrency: 1, queue: 0 });
  expect(shareOf({ ...whole, concurrency: undefined }, 4).concurrency).toBeUndefined();
});

describe('several keys share the places', () => {
  /** A queue, and the names of the calls that began; the letter of a name is its key, `-` is nobody's. */
  function stageOf(places: number, length: number) {
    const queue = createQueue<Waiter>(places, length);
    const began: string[] = [];
    const calls = new Map<string, Waiter>();
    return {
      began,
      enter(name: string) {
        const key = name.startsWith('-') ? undefined : name.slice(0, 1);
        const waiter = { key, begin: () => began.push(name) };
        calls.set(name, waiter);
        return queue.enter(waiter);
      },
      leave(...names: string[]) {
        for (const name of names) {
          const waiter = calls.get(name);
          if (waiter !== undefined) queue.leave(waiter);
        }
      },
    };
  }

  test('one key takes half of them, and another finds a place at once however many wait', () => {
    const { began, enter } = stageOf(4, 100);
    for (let index = 1; index <= 20; index += 1) enter(`a${index}`);
    expect(began).toEqual(['a1', 'a2']);
    enter('b1');
    expect(began).toEqual(['a1', 'a2', 'b1']);
  });

  test('the place that is free goes to the next key in turn', () => {
    const { began, enter, leave } = stageOf(1, 100);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) enter(name);
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) leave(name);
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('a place that only the key with its share wants stays free for others', () => {
    const { began, enter, leave } = stageOf(2, 100);
    for (const name of ['a1', 'a2', 'b1']) enter(name);
    leave('b1');
    expect(began).toEqual(['a1', 'b1']);
    leave('a1');
    expect(began).toEqual(['a1', 'b1', 'a2']);
  });

  test("calls that are no key's have all places", () => {
    const { began, enter } = stageOf(3, 0);
    for (const name of ['-1', '-2', '-3']) enter(name);
    expect([began, enter('-4')]).toEqual([['-1', '-2', '-3'], 'full']);
  });

  test('where there is no row, a key with its share is told so', () => {
    const { enter } = stageOf(2, 0);
    expect([enter('a1'), enter('a2'), enter('b1'), enter('b2')]).toEqual([undefined, 'share', undefined, 'full']);
  });

  test('a place that is given back while another begins is not lost', () => {
    const queue = createQueue<Waiter>(1, 10);
    const began: string[] = [];
    const short: Waiter = {
      key: 'b',
      begin() {
        began.push('short');
        queue.leave(short);
      },
    };
    const first: Waiter = { key: 'a', begin: () => began.push('first') };
    const last: Waiter = { key: 'a', begin: () => began.push('last') };
    for (const waiter of [first, short, last]) queue.enter(waiter);
    queue.leave(first);
    expect([began, queue.running, queue.row.size]).toEqual([['first', 'short', 'last'], 1, 0]);
  });
});

const REQUEST = { method: 'POST', path: '/', headers: {} } as const;

test('who waits when the breaker opens goes to the next target at once', async () => {
  const first = ask('fragile');
  await until(() => calls('fragile').length === 1, 'the call came');
  const waiting = [ask('fragile'), ask('fragile-then'), ask('fragile-then')];
  await until(() => standing('fragile').waiting === 3, 'three wait');
  calls('fragile')[0]?.response.destroy();
  expect((await first).status).toBe(502);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([503, 200, 200]);
  expect(calls('fragile')).toHaveLength(1);
  expect(gateway.passed).toEqual(['fragile breaker', 'fragile breaker']);
  expect(standing('fragile')).toMatchObject({ breaker: 'open', out: ['conversations'], running: 0, waiting: 0 });
});
