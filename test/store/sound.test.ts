import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createLmdbStorage } from '../../src/store/lmdb.js';
import { isKnownSound } from '../../src/store/lmdb-sound.js';

const top = mkdtempSync(join(tmpdir(), 'interlingua-sound-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const LIMITS = { ttlMs: 60_000, maxBytes: 1024 * 1024, entryBytes: 1024 * 1024 };

/** A folder with a file that was written to and closed. */
async function written(name: string): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = join(top, name);
  const storage = createLmdbStorage(folder);
  await storage.area('a', LIMITS).set([{ key: 'key', value: 'value' }]);
  await storage.close();
  return { folder, file: join(folder, 'state.mdb') };
}

test('a file that was closed is known, until it is written to', async () => {
  const { folder, file } = await written('closed');
  expect(isKnownSound(file)).toBe(true);
  const storage = createLmdbStorage(folder);
  await storage.area('a', LIMITS).set([{ key: 'key', value: 'another value' }]);
  expect(isKnownSound(file)).toBe(false);
  await storage.close();
  expect(isKnownSound(file)).toBe(true);
});

test('a file whose bytes were changed is not known, whatever its times and its size', async () => {
  const { file } = await written('changed');
  const bytes = readFileSync(file);
  const past = new Date(2000, 1);
  utimesSync(file, past, past);
  expect(isKnownSound(file)).toBe(false);
  writeFileSync(file, bytes.fill(0, 0, 100));
  utimesSync(file, past, past);
  expect(isKnownSound(file)).toBe(false);
});

test('a copy is not known, and is set aside when it is damaged', async () => {
  const { folder } = await written('original');
  const copy = join(top, 'copy');
  cpSync(folder, copy, { recursive: true });
  const file = join(copy, 'state.mdb');
  expect(isKnownSound(file)).toBe(false);
  writeFileSync(file, readFileSync(file).fill(0, 0, 4096));
  const aside: string[] = [];
  await createLmdbStorage(copy, (name) => aside.push(name)).close();
  expect(aside).toHaveLength(1);
  expect(readdirSync(copy)).toContain('state.mdb-sound');
});
