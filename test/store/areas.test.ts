import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createLmdbStorage } from '../../src/store/lmdb.js';
import { until } from '../support/gateway/program.js';

test('an area follows the limits of a later configuration, larger or smaller', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'interlingua-areas-'));
  const storage = createLmdbStorage(folder);
  const limits = (maxBytes: number) => ({ ttlMs: 60_000, maxBytes, entryBytes: 20_000 });
  const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
  const value = 'x'.repeat(10_000);
  try {
    storage.area('a', limits(30_000));
    const larger = storage.area('a', limits(1_000_000));
    for (const key of keys) await larger.set([{ key, value }]);
    const kept = async () => (await larger.get(keys)).filter((one) => one !== undefined).length;
    expect(await kept()).toBe(20);
    const smaller = storage.area('a', limits(50_000));
    await smaller.set([{ key: 'one', value }]);
    await until(async () => (await kept()) < 5, 'the end of the oldest');
    expect(await smaller.get(['one'])).toEqual([value]);
  } finally {
    await storage.close();
    rmSync(folder, { recursive: true });
  }
});
