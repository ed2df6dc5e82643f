import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createBreaker } from '../../src/backend/breaker.js';
import { ASK, json, type Recorder, send, WHOLE } from '../support/gateway/harness.js';
import { dialectOf, leavingClient, startBackend, startWatched, until, type WatchedGateway } from './stage.js';

/** Pauses that end within a test, and such that do not. */
const SECONDS = 0.4;
const LONG = 600;

let backend: Recorder;
let spare: Recorder;
let gateway: WatchedGateway;
let name = '';
let count = 0;

/** A backend for each test, so that no test begins with the breaker of another. */
const config = (firstByte = 1.5) => {
  // Where the pause ends within a test, silence does not.
  const one = (seconds: number, patience: number) => ({
    dialect: 'messages' as const,
    baseUrl: backend.url,
    retries: 0,
    breaker: { failures: 3, seconds },
    timeouts: { firstByte: patience, idle: 20, total: 30 },
  });
  const numbers = Array.from({ length: 30 }, (_one, index) => index);
  const names = numbers.flatMap((index) => [`short${index}`, `long${index}`]);
  return {
    backends: {
      ...Object.fromEntries(
        names.map((each) => [each, each.startsWith('short') ? one(SECONDS, 20) : one(LONG, firstByte)]),
      ),
      unbroken: { dialect: 'messages' as const, baseUrl: backend.url, breaker: false as const },
      spare: { dialect: 'messages' as const, baseUrl: spare.url, retries: 2 },
    },
    models: Object.fromEntries([
      ...names.map((each) => [each, { backend: each }]),
      ...names.map((each) => [`then-${each}`, [{ backend: each }, { backend: 'spare' }]]),
      ['unbroken', { backend: 'unbroken' }],
    ]),
  };
};

beforeAll(async () => {
  backend = await startBackend();
  spare = await startBackend();
  gateway = await startWatched(config());
});
beforeEach(() => {
  name = `long${count}`;
  count += 1;
  backend.seen.length = 0;
  spare.seen.length = 0;
  gateway.passed.length = 0;
  backend.reply = serve;
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([backend.close(), spare.close()]);
});

const serve: Recorder['reply'] = (response, { path }) => json(response, 200, WHOLE[dialectOf(path)]('hi'));
const fail = (status: number) => (response: ServerResponse) => json(response, status, {});
const ask = (model = name, more: object = {}) => {
  const { path, body } = ASK.messages(model, more);
  return send(gateway.url, path, { body });
};
const standing = (model = name) => gateway.parts.backends.get(model).status();
const fill = async (reply: Recorder['reply'], times = 3): Promise<void> => {
  backend.reply = reply;
  for (let index = 0; index < times; index += 1) await ask();
};
const pause = async (): Promise<void> => {
  const last = performance.now() + SECONDS * 1000 + 20;
  while (performance.now() < last) await sleep(last - performance.now());
};

describe('calls are kept away after so many failures in a row', () => {
  test.each([502, 503, 504, 529])('of status %i', async (status) => {
    await fill(fail(status), 2);
    expect(standing().breaker).toBe('closed');
    await ask();
    expect(standing().breaker).toBe('open');
    const answer = await ask();
    expect([answer.status, answer.body.error.type]).toEqual([503, 'overloaded_error']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(LONG / 2);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(LONG);
    expect(backend.seen).toHaveLength(3);
  });

  test('of status 500 for requests of more than one shape', async () => {
    await fill(fail(500), 2);
    await ask(name, { system: 'Be brief.' });
    expect(standing().breaker).toBe('open');
  });

  test('of broken connections, and of silence', async () => {
    await fill((response) => response.destroy(), 2);
    backend.reply = () => {};
    expect((await ask()).status).toBe(504);
    expect(standing().breaker).toBe('open');
  });

  test.each([400, 401, 403, 404, 408, 422, 429, 501])(
    'and not of status %i, which shows that it works',
    async (status) => {
      await fill(fail(503), 2);
      await fill(fail(status), 1);
      await fill(fail(503), 2);
      expect(standing().breaker).toBe('closed');
    },
  );

  test('and not of status 500 for one kind of request, whatever that says', async () => {
    backend.reply = (response, seen) =>
      seen.body.includes('"image"') ? fail(500)(response) : json(response, 200, WHOLE.messages('hi'));
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
    for (let index = 0; index < 9; index += 1) {
      const content = [
        { type: 'text', text: `What is this, ${index}?` },
        { type: 'image', source },
      ];
      const before = index % 2 === 0 ? [] : [{ role: 'user', content: 'More words.' }];
      expect((await ask(name, { messages: [...before, { role: 'user', content }] })).status).toBe(500);
    }
    expect([backend.seen.length, standing().breaker, (await ask()).status]).toEqual([9, 'closed', 200]);
  });

  test('and not of one 500 among other failures', async () => {
    await fill(fail(503), 2);
    await fill(fail(500), 5);
    expect(standing().breaker).toBe('closed');
    await fill(fail(503), 1);
    expect(standing().breaker).toBe('open');
  });

  test('and not where that is switched off', async () => {
    backend.reply = fail(503);
    for (let index = 0; index < 7; index += 1) await ask('unbroken');
    expect([backend.seen.length, standing('unbroken').breaker]).toEqual([7, 'closed']);
  });

  test('and not because clients went away', async () => {
    await fill(fail(503), 2);
    backend.reply = () => {};
    for (let index = 0; index < 3; index += 1) {
      const client = leavingClient(gateway.url, '/v1/messages', ASK.messages(name).body);
      await until(() => backend.seen.length === 3 + index, 'the call came');
      client.leave();
      await until(() => standing().running === 0, 'the call ended');
    }
    expect(standing().breaker).toBe('closed');
    await fill(fail(503), 1);
    expect(standing().breaker).toBe('open');
  });

  test('while the next target serves', async () => {
    await fill(fail(503));
    const answer = await ask(`then-${name}`);
    expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([200, 'spare']);
    expect(backend.seen).toHaveLength(3);
    expect(gateway.passed).toEqual([`${name} breaker`]);
  });
});

describe('after the pause', () => {
  beforeEach(() => {
    name = `short${count}`;
  });

  test('one call tries, the others are refused without waiting, and its success lets all through', async () => {
    await fill(fail(503));
    await pause();
    let answer: (() => void) | undefined;
    backend.reply = (response, seen) => {
      answer = () => serve(response, seen);
    };
    const trial = ask();
    await until(() => answer !== undefined, 'the trial came');
    expect(standing().breaker).toBe('half-open');
    const others = await Promise.all([ask(), ask(), ask()]);
    expect(others.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(backend.seen).toHaveLength(4);
    answer?.();
    expect((await trial).status).toBe(200);
    expect(standing().breaker).toBe('closed');
    backend.reply = serve;
    expect((await ask()).status).toBe(200);
  });

  test('the head of the answer is enough', async () => {
    await fill(fail(503));
    await pause();
    let rest: (() => void) | undefined;
    backend.reply = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      rest = () => response.end(JSON.stringify(WHOLE.messages('hi')));
    };
    const trial = ask();
    await until(() => standing().breaker === 'closed', 'the breaker closes');
    rest?.();
    expect((await trial).status).toBe(200);
  });

  test('a failed trial begins another pause', async () => {
    await fill(fail(503));
    await pause();
    await ask();
    expect([backend.seen.length, standing().breaker]).toEqual([4, 'open']);
    await pause();
    backend.reply = serve;
    expect((await ask()).status).toBe(200);
    const told = gateway.lines.filter((line) => line.backend === name && /not called|again/.test(line.msg));
    expect(told.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'the backend failed and is not called for a while'],
      [40, 'the backend failed and is not called for a while'],
      [30, 'the backend answers again'],
    ]);
  });

  test('a trial whose client went away says nothing: the next call tries', async () => {
    await fill(fail(503));
    await pause();
    backend.reply = () => {};
    const client = leavingClient(gateway.url, '/v1/messages', ASK.messages(name).body);
    await until(() => backend.seen.length === 4, 'the trial came');
    client.leave();
    await until(() => standing().running === 0, 'the trial ended');
    expect(standing().breaker).toBe('open');
    backend.reply = serve;
    expect((await ask()).status).toBe(200);
    expect(standing().breaker).toBe('closed');
  });
});

test('what began before the pause says nothing about the trial after it', async () => {
  const slow: ServerResponse[] = [];
  name = `short${count}`;
  backend.reply = (response) => slow.push(response);
  const early = ask();
  await until(() => slow.length === 1, 'the early call came');
  await fill(fail(503));
  await pause();
  let answer: (() => void) | undefined;
  backend.reply = (response, seen) => {
    answer = () => serve(response, seen);
  };
  const trial = ask();
  await until(() => answer !== undefined, 'the trial came');
  fail(503)(slow[0] as ServerResponse);
  expect((await early).status).not.toBe(200);
  expect(standing().breaker).toBe('half-open');
  answer?.();
  await trial;
  expect(standing().breaker).toBe('closed');
});

test('a trial without an answer is followed by another: a backend that works is not kept out for as long as it takes', async () => {
  jest.useFakeTimers();
  try {
    const breaker = createBreaker({ failures: 1, seconds: 30 }, () => {});
    const first = breaker.begin();
    first.report('failure');
    await first.noted();
    jest.advanceTimersByTime(30_000);
    const slow = breaker.begin();
    jest.advanceTimersByTime(29_000);
    expect([breaker.state, breaker.rest()]).toEqual(['half-open', 1000]);
    jest.advanceTimersByTime(1000);
    await slow.noted();
    expect([breaker.state, breaker.rest()]).toEqual(['open', 0]);
    const next = breaker.begin();
    next.report('success');
    await next.noted();
    slow.report('failure');
    expect([breaker.state, breaker.rest()]).toEqual(['closed', 0]);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

test('a trial to which a request of one shape got a 500 is followed by another', async () => {
  jest.useFakeTimers();
  try {
    const breaker = createBreaker({ failures: 1, seconds: 30 }, () => {});
    const failed = breaker.begin();
    failed.report('failure');
    await failed.noted();
    jest.advanceTimersByTime(30_000);
    for (const shape of ['picture', 'picture']) {
      const trial = breaker.begin();
      trial.report({ shape });
      await trial.noted();
      expect(breaker.rest()).toBe(0);
    }
    const other = breaker.begin();
    other.report({ shape: 'text' });
    await other.noted();
    expect([breaker.state, breaker.rest()]).toEqual(['open', 30_000]);
  } finally {
    jest.useRealTimers();
  }
});

test('a changed configuration keeps the breakers of backends that stay as they are', async () => {
  await fill(fail(503));
  expect(standing().breaker).toBe('open');
  const same = config();
  const changed = { ...same, backends: { ...same.backends, spare: { ...same.backends.spare, retries: 7 } } };
  gateway.reload(changed);
  expect(standing().breaker).toBe('open');
  expect(gateway.parts.backends.get('spare').config.retries).toBe(7);
  const all = [...gateway.parts.backends.all()];
  expect(all.find((one) => one.config.name === name)?.status().breaker).toBe('open');
  gateway.reload(config(2));
  expect(standing().breaker).toBe('closed');
});

test.each([-86_400_000, 86_400_000])('a machine whose clock is set by %i ms changes no pause', async (ms) => {
  jest.useFakeTimers();
  try {
    const breaker = createBreaker({ failures: 1, seconds: 30 }, () => {});
    const failed = breaker.begin();
    failed.report('failure');
    await failed.noted();
    jest.setSystemTime(Date.now() + ms);
    expect([breaker.state, breaker.rest()]).toEqual(['open', 30_000]);
    jest.advanceTimersByTime(30_000);
    expect(breaker.rest()).toBe(0);
    jest.setSystemTime(Date.now() + ms);
    const trial = breaker.begin();
    trial.report('success');
    await trial.noted();
    expect(breaker.state).toBe('closed');
  } finally {
    jest.useRealTimers();
  }
});
