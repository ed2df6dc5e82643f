import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createMemoryLedger, type LimitedKey } from '../../src/limits/ledger.js';

const key = (limits: Omit<LimitedKey, 'name'>, name = 'k'): LimitedKey => ({ name, ...limits });

afterEach(() => {
  jest.restoreAllMocks();
});

/** What the clock of ledgers shows. */
let clock = 0;
const newLedger = () => createMemoryLedger(() => clock);

function later(ms: number): void {
  clock += ms;
}

/** The clock of the machine is set. */
function setBy(ms: number): void {
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now + ms);
}

test('a key without limits is always admitted, and nothing is told of limits', async () => {
  const ledger = newLedger();
  for (let index = 0; index < 100; index += 1) expect(await ledger.admit(key({}), `p${index}`)).toEqual({ limits: {} });
});

describe('requests per minute', () => {
  const two = key({ requestsPerMinute: 2 });

  test('so many in a minute, and again so many in the next', async () => {
    const ledger = newLedger();
    const first = await ledger.admit(two, 'a');
    expect(first).toEqual({ limits: { requests: { limit: 2, remaining: 1, resetMs: 60_000 } } });
    expect((await ledger.admit(two, 'b')).limits.requests).toMatchObject({ limit: 2, remaining: 0 });
    const refused = await ledger.admit(two, 'c');
    expect(refused).toMatchObject({ refused: 'requests', limits: { requests: { limit: 2, remaining: 0 } } });
    expect(refused.retryAfterMs).toBeGreaterThan(55_000);
    expect(refused.retryAfterMs).toBeLessThanOrEqual(60_000);
    later(60_001);
    expect((await ledger.admit(two, 'd')).refused).toBeUndefined();
    expect((await ledger.admit(two, 'e')).refused).toBeUndefined();
    expect((await ledger.admit(two, 'f')).refused).toBe('requests');
  });

  test.each([-86_400_000, 86_400_000])('a machine whose clock is set by %i ms changes no minute', async (ms) => {
    const ledger = createMemoryLedger();
    for (const place of ['a', 'b']) await ledger.admit(two, place);
    setBy(ms);
    const refused = await ledger.admit(two, 'c');
    expect(refused.refused).toBe('requests');
    expect(refused.retryAfterMs).toBeGreaterThan(0);
    expect(refused.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  test('of many at once exactly so many', async () => {
    const ledger = newLedger();
    const ten = key({ requestsPerMinute: 10, tokensPerMinute: 5, concurrency: 100 });
    const all = await Promise.all(Array.from({ length: 30 }, (_, index) => ledger.admit(ten, `p${index}`)));
    expect(all.filter(({ refused }) => refused === undefined)).toHaveLength(10);
  });

  test('keys do not share', async () => {
    const ledger = newLedger();
    const one = { requestsPerMinute: 1 };
    expect((await ledger.admit(key(one, 'a'), 'a')).refused).toBeUndefined();
    expect((await ledger.admit(key(one, 'a:b'), 'b')).refused).toBeUndefined();
    expect((await ledger.admit(key(one, 'b'), 'c')).refused).toBeUndefined();
    expect((await ledger.admit(key(one, 'b'), 'd')).refused).toBe('requests');
  });

  test('a changed limit holds at once, whatever was refused under the old one', async () => {
    const ledger = newLedger();
    for (let index = 0; index < 50; index += 1) await ledger.admit(two, `p${index}`);
    const five = key({ requestsPerMinute: 5 });
    for (let index = 0; index < 5; index += 1) {
      expect((await ledger.admit(five, `q${index}`)).refused).toBeUndefined();
    }
    expect((await ledger.admit(five, 'r')).refused).toBe('requests');
    expect((await ledger.admit(key({ requestsPerMinute: 1 }), 's')).refused).toBeUndefined();
    expect((await ledger.admit(key({ requestsPerMinute: 1 }), 't')).refused).toBe('requests');
  });
});

describe('tokens per minute', () => {
  const limited = key({ tokensPerMinute: 100 });

  test('admitted below the limit, whatever an exchange then uses', async () => {
    const ledger = newLedger();
    expect((await ledger.admit(limited, 'a')).limits.tokens).toEqual({ limit: 100, remaining: 100, resetMs: 60_000 });
    await ledger.charge(limited, 99);
    expect((await ledger.admit(limited, 'b')).limits.tokens).toMatchObject({ remaining: 1 });
    await ledger.charge(limited, 5000);
    const refused = await ledger.admit(limited, 'c');
    expect(refused).toMatchObject({ refused: 'tokens', limits: { tokens: { limit: 100, remaining: 0 } } });
    expect(refused.retryAfterMs).toBeLessThanOrEqual(60_000);
    later(60_001);
    expect((await ledger.admit(limited, 'd')).refused).toBeUndefined();
  });

  test('a changed limit holds at once for what was used already', async () => {
    const ledger = newLedger();
    await ledger.charge(limited, 150);
    expect((await ledger.admit(limited, 'a')).refused).toBe('tokens');
    expect((await ledger.admit(key({ tokensPerMinute: 200 }), 'b')).limits.tokens).toMatchObject({ remaining: 50 });
    expect((await ledger.admit(key({ tokensPerMinute: 10 }), 'c')).refused).toBe('tokens');
  });
});

describe('requests at the same time', () => {
  const two = key({ concurrency: 2 });

  test('so many, and one more for each that ends; ending twice frees one', async () => {
    const ledger = newLedger();
    await ledger.admit(two, 'a');
    await ledger.admit(two, 'b');
    expect(await ledger.admit(two, 'c')).toMatchObject({ refused: 'concurrency', retryAfterMs: 1000 });
    await ledger.free(two, 'c');
    expect((await ledger.admit(two, 'd')).refused).toBe('concurrency');
    await ledger.free(two, 'a');
    await ledger.free(two, 'a');
    expect((await ledger.admit(two, 'e')).refused).toBeUndefined();
    expect((await ledger.admit(two, 'f')).refused).toBe('concurrency');
  });
});

test('what one limit refuses counts towards no other', async () => {
  const ledger = newLedger();
  const all = key({ requestsPerMinute: 3, tokensPerMinute: 100, concurrency: 1 });
  await ledger.admit(all, 'a');
  for (let index = 0; index < 5; index += 1) {
    const refused = await ledger.admit(all, `b${index}`);
    expect(refused).toMatchObject({ refused: 'concurrency', limits: { requests: { remaining: 2 } } });
  }
  await ledger.free(all, 'a');
  await ledger.admit(all, 'c');
  await ledger.free(all, 'c');
  await ledger.admit(all, 'd');
  await ledger.free(all, 'd');
  expect((await ledger.admit(all, 'e')).refused).toBe('requests');
  // The place it had taken by then is free.
  expect((await ledger.admit(key({ concurrency: 1 }), 'f')).refused).toBeUndefined();
  await ledger.free(all, 'f');
  await ledger.charge(all, 100);
  expect((await ledger.admit(all, 'g')).refused).toBe('tokens');
});

test('keys that come and go leave nothing behind', async () => {
  jest.useFakeTimers();
  try {
    const ledger = newLedger();
    const before = jest.getTimerCount();
    for (let index = 0; index < 2000; index += 1) {
      const passing = key({ requestsPerMinute: 5, tokensPerMinute: 5, concurrency: 1 }, `key-${index}`);
      await ledger.admit(passing, 'p');
      await ledger.charge(passing, 3);
      await ledger.free(passing, 'p');
    }
    expect(jest.getTimerCount() - before).toBe(4000);
    jest.advanceTimersByTime(61_000);
    expect(jest.getTimerCount()).toBe(before);
  } finally {
    jest.useRealTimers();
  }
});
