import { ABORT, open, type RootDatabase } from 'lmdb';
import { DAMAGED, FILE_OPTIONS } from './lmdb-options.js';

/** How long, in milliseconds, a file is walked: large ones are looked at in part. */
const WALK_MS = 400;

/** What is written and taken back: entries of so many characters each. */
const SAMPLES = 64;
const SAMPLE = 20_000;

/** Codes of lmdb that say that something is full: MDB_MAP_FULL, _DBS_FULL, _READERS_FULL, _TXN_FULL, and MDB_MAP_RESIZED. */
const FULL: ReadonlySet<unknown> = new Set([-30792, -30791, -30790, -30788, -30785]);

/** What lmdb finds wrong with its file has a code below zero, what cannot be read as a key has none; the system's are others. */
function isFault(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === undefined || (typeof code === 'number' && code < 0 && !FULL.has(code));
}

/** Reads the entries of every database from both ends, each for its share of the time. */
function walk(root: RootDatabase): void {
  const names = [...root.getKeys()].map(String);
  for (const name of names) {
    const database = root.openDB(name, { encoding: 'binary', compression: false });
    for (const reverse of [false, true]) {
      const end = performance.now() + WALK_MS / names.length / 2;
      for (const _entry of database.getRange({ reverse })) if (performance.now() > end) break;
    }
  }
}

/** Writes and takes it back: pages that are free are looked at by those who write alone. */
function tryWriting(root: RootDatabase): void {
  const text = 'x'.repeat(SAMPLE);
  root.transactionSync(() => {
    const database = root.openDB('probe', { encoding: 'string', compression: false });
    for (let index = 0; index < SAMPLES; index += 1) database.putSync(`probe-${index}`, text);
    return ABORT;
  });
}

/** A process of its own: a damaged file may end it in ways that nothing catches. */
try {
  const root = open({ path: process.argv[2] ?? '', ...FILE_OPTIONS });
  walk(root);
  tryWriting(root);
} catch (error) {
  process.exitCode = isFault(error) ? DAMAGED : 1;
}
