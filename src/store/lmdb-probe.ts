import { open } from 'lmdb';
import { DAMAGED, FILE_OPTIONS } from './lmdb-options.js';

/** How long, in milliseconds, a file is walked: large ones are looked at in part. */
const WALK_MS = 400;

/** Codes of lmdb that say that its file is no good (MDB_CURSOR_FULL, MDB_INVALID to MDB_PAGE_NOTFOUND, MDB_BAD_TXN). */
const FAULTS: ReadonlySet<unknown> = new Set([-30787, -30793, -30794, -30795, -30796, -30797, -30782]);

/** Reads the entries of every database from both ends, each for its share of the time. */
function walk(path: string): void {
  const root = open({ path, ...FILE_OPTIONS, readOnly: true });
  const names = [...root.getKeys()];
  for (const name of names) {
    const database = root.openDB(String(name), { encoding: 'binary', compression: false });
    for (const reverse of [false, true]) {
      const end = performance.now() + WALK_MS / names.length / 2;
      for (const _entry of database.getRange({ reverse })) if (performance.now() > end) break;
    }
  }
}

/** A process of its own: a damaged file may end it in ways that nothing catches. */
try {
  walk(process.argv[2] ?? '');
} catch (error) {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  process.exitCode = FAULTS.has(code) ? DAMAGED : 1;
}
