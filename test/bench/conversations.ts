import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Archive, createArchive } from '../../src/archive/archive.js';
import { createStorage } from '../../src/store/create.js';
import type { Storage } from '../../src/store/types.js';
import { type Row, ratioRow } from './measure.js';

const FEW = 100;
const MANY = 10_000;
const TURNS = 3;
const LOOKUPS = 200;
const ROUNDS = 21;
const LIMITS = { ttlMs: 86_400_000, maxBytes: 4 * 2 ** 30, entryBytes: 2 ** 24 };
const TEXT = 'word '.repeat(400);

/** What finding a stored conversation of three turns costs among many, against among few. */
export async function benchConversations(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'interlingua-bench-'));
  const storages: Storage[] = [];
  try {
    const rows: Row[] = [];
    for (const type of ['memory', 'lmdb'] as const) {
      const [few, many] = await Promise.all(
        [FEW, MANY].map((count) => filled(type, join(folder, `${count}`), count, storages)),
      );
      if (few === undefined || many === undefined) continue;
      const floors: number[] = [];
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        floors.push(await lookUp(few, FEW));
        times.push(await lookUp(many, MANY));
      }
      rows.push(ratioRow({ target: 'conversations', detail: type }, times, floors));
    }
    return rows;
  } finally {
    for (const storage of storages) await storage.close();
    rmSync(folder, { recursive: true });
  }
}

async function filled(type: 'memory' | 'lmdb', path: string, count: number, storages: Storage[]): Promise<Archive> {
  const sizes = { ttlDays: 1, maxMb: 4096, entryMb: 16 };
  const storage = createStorage(type === 'lmdb' ? { type, path, ...sizes } : { type, ...sizes }, () => {});
  if (storage === undefined) throw new Error('no storage');
  storages.push(storage);
  const archive = createArchive(storage.area('conversations', LIMITS), LIMITS.ttlMs);
  for (let from = 0; from < count; from += 500) {
    const batch = Array.from({ length: Math.min(500, count - from) }, (_, n) => keepConversation(archive, from + n));
    await Promise.all(batch);
  }
  return archive;
}

async function keepConversation(archive: Archive, number: number): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = turn === 0 ? { answers: [], turns: [] } : await archive.history('all', idOf(number, turn - 1));
    const output = [
      {
        id: `msg_${number}_${turn}`,
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: TEXT }],
      },
    ];
    await archive.keep('all', {
      id: idOf(number, turn),
      response: { id: idOf(number, turn), status: 'completed', output },
      kept: 0,
      pieces: [],
      before,
      input: [{ id: `msg_in_${number}_${turn}`, type: 'message', role: 'user', content: TEXT }],
      owner: undefined,
      domain: undefined,
    });
  }
}

function idOf(number: number, turn: number): string {
  return `resp_${number}_${turn}`;
}

/** Milliseconds for one look-up of a whole conversation. */
async function lookUp(archive: Archive, count: number): Promise<number> {
  const start = performance.now();
  for (let n = 0; n < LOOKUPS; n += 1) {
    const found = await archive.history('all', idOf((n * 7919) % count, TURNS - 1));
    if (found?.turns.length !== TURNS) throw new Error('a stored conversation is missing');
  }
  return (performance.now() - start) / LOOKUPS;
}
