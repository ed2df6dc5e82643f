import type { Parts } from '../archive/index.js';
import { byteLength, type Text, type Texts, toAdapter } from './adapter.js';
import { CLOCKS, type Clocks } from './age-clock.js';
import { createArea } from './area.js';
import { commit } from './lmdb-commit.js';
import { type Area, evict, type Turn } from './lmdb-evict.js';
import { type LmdbFile, openLmdbFile } from './lmdb-file.js';
import { type Ledger, openSums } from './lmdb-sums.js';
import { createLmdbTallies } from './lmdb-tallies.js';
import type { Tallies } from './tallies.js';
import type { AreaLimits, TallyStorage } from './types.js';

/** How often, in milliseconds, expired entries are looked for. */
const SWEEP_MS = 10_000;

/** How many entries one step of a sweep takes: short enough not to be felt by anybody who writes. */
const STEP = 100;

/**
 * Keeps everything in a memory-mapped file of `folder`, which the processes of one machine share. A write is visible to
 * all of them, and survives the death of any, once its promise resolves; the file is flushed to the disk right after,
 * so that a machine that loses power may lose the last moments but never the file. An area that is asked for again has
 * the limits of that time from then on. A damaged file is set aside, under the name that `onDamage` hears. Throws when the
 * folder is unusable.
 */
export function createLmdbStorage(
  folder: string,
  onDamage: (aside: string) => void = () => {},
  clocks: Clocks = CLOCKS,
): TallyStorage {
  const file = openLmdbFile(folder, onDamage);
  const sweeper = createSweeper();
  const areas = new Map<string, Texts>();
  const bounds = new Map<string, AreaLimits>();
  let tallies: Tallies | undefined;
  return {
    area(name, limits) {
      bounds.set(name, limits);
      let texts = areas.get(name);
      if (texts === undefined) {
        const opened = createTexts(file, name, () => bounds.get(name) ?? limits, sweeper.wake);
        sweeper.add(opened.sweep);
        texts = opened.texts;
        areas.set(name, texts);
      }
      return createArea(name, toAdapter(texts), texts.setMany, limits);
    },
    texts: (name) => areas.get(name),
    tallies() {
      tallies ??= createLmdbTallies(file, clocks);
      return tallies;
    },
    async close() {
      await sweeper.stop();
      await file.close();
    },
  };
}

interface Sweeper {
  /** `step` takes out a few entries and says whether there may be more. */
  add(step: () => Promise<boolean>): void;
  /** Begins at once, where the next round would be late. */
  wake(): void;
  stop(): Promise<void>;
}

/** Takes out what has expired and what is too much, a few entries at a time. */
function createSweeper(): Sweeper {
  const steps: (() => Promise<boolean>)[] = [];
  let stopped = false;
  let running: Promise<void> | undefined;
  const round = async (): Promise<void> => {
    for (const step of steps) while (!stopped && (await step()));
  };
  const wake = (): void => {
    if (stopped || running !== undefined) return;
    // A step fails with the storage itself; anyone who reads or writes gets the error.
    running = round().catch(() => {});
    running.then(() => {
      running = undefined;
    });
  };
  const timer = setInterval(wake, SWEEP_MS);
  timer.unref();
  return {
    add: (step) => steps.push(step),
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** The texts of one area in a file. */
interface AreaTexts {
  readonly file: LmdbFile;
  readonly area: Area;
  readonly limits: () => AreaLimits;
  /** Has what has expired taken out at once. */
  readonly wake: () => void;
  /** What is to be written by a transaction that was asked for and has not begun. */
  coming: Gathered | undefined;
}

/** A text as it is written: behind its time of expiry and a line feed, in UTF-8. */
interface Written {
  readonly key: string;
  readonly expires: number;
  readonly stored: Buffer;
  /** Of its key and its text. */
  readonly bytes: number;
}

interface Gathered {
  readonly texts: Written[];
  readonly written: Promise<void>;
}

function createTexts(
  file: LmdbFile,
  name: string,
  limits: () => AreaLimits,
  wake: () => void,
): { texts: Texts; sweep(): Promise<boolean> } {
  const { root } = file;
  const area: Area = {
    values: root.openDB(`${name}:values`, { encoding: 'string' }),
    order: root.openDB(`${name}:order`, { encoding: 'msgpack' }),
    owned: root.openDB(`${name}:owned`, { encoding: 'msgpack' }),
    sums: openSums(root, name),
  };
  const kept: AreaTexts = { file, area, limits, wake, coming: undefined };
  return {
    sweep: () => sweep(kept),
    texts: {
      getMany(keys) {
        const now = Date.now();
        return keys.map((key) => textOf(area.values.get(key), now));
      },
      setMany(texts: readonly Text[]) {
        const now = Date.now();
        kept.coming ??= gather(kept);
        // What waits is bytes, of which the collector moves nothing.
        for (const { key, value, ttl } of texts) kept.coming.texts.push(written(key, value, now + ttl));
        return kept.coming.written;
      },
      deleteMany: (keys) =>
        alone(kept, () => {
          const ledger = area.sums.open();
          for (const key of keys) drop(kept, key, ledger);
          ledger.close();
        }),
      clear: () =>
        alone(kept, () => {
          area.values.clearSync();
          area.order.clearSync();
          area.owned.clearSync();
          area.sums.clear();
        }),
    },
  };
}

function ownerOf({ limits }: AreaTexts, key: string): string {
  return limits().ownerOf?.(key) ?? '';
}

/** Inside a transaction. */
function drop(kept: AreaTexts, key: string, ledger: Ledger): void {
  const { values, order, owned } = kept.area;
  const old = values.get(key);
  if (old === undefined) return;
  const turn: Turn = [expiryOf(old), key];
  const owner = ownerOf(kept, key);
  const isOwned = owner !== '' && owned.removeSync([owner, ...turn]);
  ledger.count(isOwned ? owner : '', -(order.get(turn) ?? 0));
  order.removeSync(turn);
  values.removeSync(key);
}

function written(key: string, parts: Parts, expires: number): Written {
  const head = `${expires}\n`;
  const length = byteLength(parts);
  const stored = Buffer.allocUnsafe(head.length + length);
  let at = stored.write(head, 'latin1');
  for (const part of parts) {
    if (typeof part === 'string') at += stored.write(part, at);
    else {
      stored.set(part, at);
      at += part.length;
    }
  }
  return { key, expires, stored, bytes: key.length + length };
}

/** Inside a transaction. */
function put(kept: AreaTexts, { key, expires, stored, bytes }: Written, ledger: Ledger): void {
  const { values, order, owned } = kept.area;
  drop(kept, key, ledger);
  const owner = ownerOf(kept, key);
  const turn: Turn = [expires, key];
  // Bytes are written as they are, of which its types know nothing.
  values.putSync(key, stored as unknown as string);
  order.putSync(turn, bytes);
  if (owner !== '') owned.putSync([owner, ...turn], bytes);
  ledger.count(owner, bytes);
}

/** Takes out a few entries that have expired or are too many; whether there may be more. */
async function sweep(kept: AreaTexts): Promise<boolean> {
  const { file, area, limits } = kept;
  if (!isDue(area, limits())) return false;
  return commit(file, () => {
    const now = Date.now();
    const ledger = area.sums.open();
    let dropped = 0;
    for (const [expires, key] of [...area.order.getKeys({ limit: STEP })]) {
      if (expires > now) break;
      drop(kept, key, ledger);
      dropped += 1;
    }
    const over = { area, limits: limits(), drop: (key: string, sums: Ledger) => drop(kept, key, sums) };
    dropped += evict(over, STEP - dropped, ledger);
    ledger.close();
    return dropped === STEP;
  });
}

/** One transaction for all that comes until it begins: most of what it costs is the same for one text and for many. */
function gather(kept: AreaTexts): Gathered {
  const { file, area, limits, wake } = kept;
  const texts: Written[] = [];
  const close = (): void => {
    if (kept.coming === gathered) kept.coming = undefined;
  };
  const write = (): void => {
    close();
    const ledger = area.sums.open();
    for (const text of texts) put(kept, text, ledger);
    ledger.close();
  };
  const wakeIfDue = (): void => {
    if (isDue(area, limits())) wake();
  };
  // Also where it could not begin.
  const gathered: Gathered = { texts, written: commit(file, write).finally(close).then(wakeIfDue) };
  return gathered;
}

/** A transaction that is not joined, and after which what is written later stays later. */
function alone(kept: AreaTexts, work: () => void): Promise<void> {
  kept.coming = undefined;
  return commit(kept.file, work);
}

/** Whether there is anything to take out. */
function isDue({ order, sums }: Area, { maxBytes }: AreaLimits): boolean {
  if (sums.total() > maxBytes) return true;
  for (const [expires] of order.getKeys({ limit: 1 })) return expires <= Date.now();
  return false;
}

function expiryOf(stored: string): number {
  return Number(stored.slice(0, stored.indexOf('\n')));
}

/** undefined for what has expired. */
function textOf(stored: string | undefined, now: number): string | undefined {
  return stored === undefined || expiryOf(stored) <= now ? undefined : stored.slice(stored.indexOf('\n') + 1);
}
