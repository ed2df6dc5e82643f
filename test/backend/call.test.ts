import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { callBackend, collectBody } from '../../src/backend/call.js';
import type { Transport, TransportSink } from '../../src/backend/transport.js';
import { CallFailure } from '../../src/ground/call-failure.js';

const ASK = { method: 'POST', path: '/', headers: {} } as const;
const TIMES = { connect: 0.1, firstByte: 0.2, idle: 0.2, total: 0.8 };

/** A transport that is played by hand. */
function played() {
  const log: string[] = [];
  let sink: TransportSink | undefined;
  const transport: Transport = {
    send(_request, given) {
      sink = given;
      return {
        pause: () => log.push('pause'),
        resume: () => log.push('resume'),
        abort: () => log.push('abort'),
      };
    },
    close: async () => {},
  };
  const call = callBackend(transport, ASK, TIMES);
  if (sink === undefined) throw new Error('nothing was sent');
  return { call, sink, log };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function failureOf(promise: Promise<unknown>): Promise<CallFailure> {
  const failure: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(failure instanceof CallFailure)) throw new Error(`no failure of a call: ${failure}`);
  return failure;
}

/** The failure that so many milliseconds bring. */
async function failureAfter(ms: number, promise: Promise<unknown>): Promise<CallFailure> {
  const [failure] = await Promise.all([failureOf(promise), jest.advanceTimersByTimeAsync(ms)]);
  return failure;
}

/** Reads a body and tells how it went. */
function reading(answer: Awaited<ReturnType<typeof callBackend>['answer']>) {
  const seen = { text: '', end: '' };
  answer.pipe({
    data: (chunk) => {
      seen.text += new TextDecoder().decode(chunk);
    },
    end: () => {
      seen.end = 'end';
    },
    fail: ({ error }) => {
      seen.end = error.kind;
    },
  });
  return seen;
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('time limits', () => {
  test('to connect: the request has not left', async () => {
    const { call, log } = played();
    const failure = await failureAfter(100, call.answer);
    expect(failure).toMatchObject({ connected: false, repeats: 1, error: { kind: 'timeout' } });
    expect(log).toEqual(['abort']);
  });

  test('to the first byte', async () => {
    const { call, sink, log } = played();
    sink.connected();
    const failure = await failureAfter(200, call.answer);
    expect(failure).toMatchObject({ connected: true, repeats: 0, error: { kind: 'timeout' } });
    expect(log).toEqual(['abort']);
  });

  test('between two pieces', async () => {
    const { call, sink, log } = played();
    sink.connected();
    sink.head(200, {});
    const seen = reading(await call.answer);
    for (let piece = 0; piece < 3; piece += 1) {
      await jest.advanceTimersByTimeAsync(100);
      sink.data(bytes('x'));
    }
    await new Promise(process.nextTick);
    expect(seen).toEqual({ text: 'xxx', end: '' });
    await jest.advanceTimersByTimeAsync(300);
    expect(seen).toEqual({ text: 'xxx', end: 'timeout' });
    expect(log).toEqual(['abort']);
  });

  test('for the whole, however busy it is', async () => {
    const { call, sink } = played();
    sink.connected();
    sink.head(200, {});
    const seen = reading(await call.answer);
    for (let piece = 0; piece < 10; piece += 1) {
      await jest.advanceTimersByTimeAsync(100);
      sink.data(bytes('x'));
    }
    expect(seen.end).toBe('timeout');
  });

  test('stand still while the reader has paused, but for the whole', async () => {
    const { call, sink, log } = played();
    sink.connected();
    sink.head(200, {});
    const answer = await call.answer;
    const seen = reading(answer);
    answer.pause();
    sink.data(bytes('late'));
    await jest.advanceTimersByTimeAsync(400);
    expect(seen).toEqual({ text: 'late', end: '' });
    answer.resume();
    await jest.advanceTimersByTimeAsync(300);
    expect(seen.end).toBe('timeout');
    expect(log).toEqual(['pause', 'resume', 'abort']);
  });
});

describe('the order of things', () => {
  test('what comes before the body is read is kept', async () => {
    const { call, sink } = played();
    sink.connected();
    sink.head(200, { a: 'b' });
    sink.data(bytes('one '));
    sink.data(bytes('two'));
    sink.end();
    const answer = await call.answer;
    expect(answer).toMatchObject({ status: 200, headers: { a: 'b' } });
    expect(reading(answer)).toEqual({ text: 'one two', end: 'end' });
  });

  test('a break before the body is read is told to its reader', async () => {
    const { call, sink } = played();
    sink.connected();
    sink.head(200, {});
    sink.data(bytes('one'));
    sink.error(new Error('reset'));
    expect(reading(await call.answer)).toEqual({ text: 'one', end: 'upstream' });
  });

  test('pieces of one moment are one piece', async () => {
    const { call, sink } = played();
    sink.connected();
    sink.head(200, {});
    const told: string[] = [];
    (await call.answer).pipe({
      data: (chunk) => told.push(new TextDecoder().decode(chunk)),
      end: () => told.push('end'),
      fail: ({ error }) => told.push(error.kind),
    });
    for (const pieces of [['a', 'b'.repeat(100)], ['c'], ['d', 'e']]) {
      for (const piece of pieces) sink.data(bytes(piece));
      await new Promise(process.nextTick);
    }
    sink.end();
    expect(told).toEqual([`a${'b'.repeat(100)}`, 'c', 'de', 'end']);
  });

  test('pieces of one moment come before the break behind them', async () => {
    const { call, sink } = played();
    sink.connected();
    sink.head(200, {});
    const answer = await call.answer;
    const told: string[] = [];
    answer.pipe({
      data: (chunk) => told.push(new TextDecoder().decode(chunk)),
      end: () => told.push('end'),
      fail: ({ error }) => told.push(error.kind),
    });
    for (const piece of ['a', 'b', 'c'.repeat(100), 'd']) sink.data(bytes(piece));
    sink.error(new Error('reset'));
    expect(told).toEqual([`ab${'c'.repeat(100)}d`, 'upstream']);
  });

  test('nothing is told after the end', async () => {
    const { call, sink, log } = played();
    sink.connected();
    sink.head(200, {});
    const seen = reading(await call.answer);
    sink.end();
    sink.data(bytes('more'));
    sink.error(new Error('reset'));
    call.abort();
    await jest.advanceTimersByTimeAsync(300);
    expect(seen).toEqual({ text: '', end: 'end' });
    expect(log).toEqual([]);
  });

  test('ending a call tells whoever waits', async () => {
    const open = played();
    open.call.abort();
    expect((await failureOf(open.call.answer)).error.kind).toBe('cancelled');
    const begun = played();
    begun.sink.connected();
    begun.sink.head(200, {});
    const seen = reading(await begun.call.answer);
    begun.call.abort();
    expect(seen.end).toBe('cancelled');
    expect(begun.log).toEqual(['abort']);
  });

  test('a body beyond its limit ends the call', async () => {
    const { call, sink, log } = played();
    sink.connected();
    sink.head(200, {});
    const body = collectBody(await call.answer, 5, call.abort);
    sink.data(bytes('123'));
    sink.data(bytes('456'));
    await expect(body).rejects.toMatchObject({ error: { kind: 'upstream' } });
    expect(log).toEqual(['abort']);
  });
});

test.each([
  ['ECONNREFUSED', Number.POSITIVE_INFINITY, 'upstream'],
  ['ENOTFOUND', Number.POSITIVE_INFINITY, 'upstream'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 0, 'upstream'],
  ['CERT_HAS_EXPIRED', 0, 'upstream'],
  ['UND_ERR_CONNECT_TIMEOUT', 1, 'timeout'],
])('%s before a connection', async (code, repeats, kind) => {
  const { call, sink } = played();
  sink.error(Object.assign(new Error('secret-host'), { code }));
  const failure = await failureOf(call.answer);
  expect(failure).toMatchObject({ connected: false, repeats, error: { kind } });
  expect(failure.error.message).not.toContain('secret-host');
});
