import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, type Stats, statfsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { errorCode, programPath } from '../ground/index.js';
import { DAMAGED, FILE_OPTIONS } from './lmdb-options.js';
import { isKnownSound, noteSound } from './lmdb-sound.js';

/** The file that a storage is in. */
export interface LmdbFile {
  readonly root: RootDatabase;
  /** Throws when the file is not any more where it was opened: nobody would find what is written. */
  check(): void;
  /** Writes what waits. */
  close(): Promise<void>;
}

const PROBE = programPath('store/lmdb-probe.js');

/** How long, in milliseconds, the look at a file may take. It may wait for others that write. */
const PROBE_MS = 30_000;

/** The free bytes without which no file is made: what is mapped into memory ends the process that writes to it. */
const ROOM = 1024 * 1024;

/**
 * Opens the file of `folder`, and makes both where there are none. A file that is damaged is set aside first, under a name
 * with the time, which `onDamage` hears: opening it would end the process. Looking for damage takes a sixth of a second, so that a
 * file is not looked at that has not changed since the last look or the last close. Throws when the folder is unusable.
 */
export function openLmdbFile(folder: string, onDamage: (aside: string) => void): LmdbFile {
  makeFolder(folder);
  const path = join(folder, 'state.mdb');
  const lock = `${path}-lock`;
  if (!existsSync(lock)) checkRoom(folder);
  const found = statOf(path);
  if (found !== undefined && found.size > 0 && !isKnownSound(path)) {
    if (isDamaged(path)) {
      const aside = setAside(path, lock, found);
      if (aside !== undefined) onDamage(aside);
    } else noteSound(path);
  }
  const root = lmdb().open({ path, ...FILE_OPTIONS });
  const opened = statOf(path);
  return {
    root,
    check() {
      if (opened === undefined || isSame(statOf(path), opened)) return;
      throw new Error(`${path} was removed or replaced; a new start stores again`);
    },
    async close() {
      await root.close();
      if (opened !== undefined && isSame(statOf(path), opened)) noteSound(path);
    },
  };
}

/** Loaded only where there is a file: with its native part it takes a twentieth of a second. */
function lmdb(): typeof import('lmdb') {
  return createRequire(import.meta.url)('lmdb');
}

/** Node's own recursive way does not end where a folder cannot be made although its parent is there, as in `/proc`. */
function makeFolder(path: string): void {
  if (statOf(path)?.isDirectory() === true) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (errorCode(error) !== 'EEXIST' || statOf(path)?.isDirectory() !== true) throw error;
  }
}

function checkRoom(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < ROOM) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
}

/** Looks at a file in a process of its own, which may die of it. A look that could not be taken says nothing. */
function isDamaged(path: string): boolean {
  const { status, signal } = spawnSync(process.execPath, [PROBE, path], {
    stdio: 'ignore',
    timeout: PROBE_MS,
    killSignal: 'SIGKILL',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return status === DAMAGED || (signal !== null && DEADLY.has(signal));
}

/** Signals of a process that dies by itself, and not because somebody ends it. */
const DEADLY = new Set<NodeJS.Signals>(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/** Gives the new name; undefined when another process has set it aside already. */
function setAside(path: string, lock: string, found: Stats): string | undefined {
  if (!isSame(statOf(path), found)) return undefined;
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
  renameSync(path, aside);
  // It counts the transactions of the file that it belongs to.
  if (existsSync(lock)) renameSync(lock, `${aside}-lock`);
  return aside;
}

function isSame(one: Stats | undefined, other: Stats): boolean {
  return one?.ino === other.ino && one.dev === other.dev;
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
