import type { Database } from 'lmdb';
import { type Text, type Texts, toAdapter } from './adapter.js';
import { createArea } from './area.js';
import { commit } from './lmdb-commit.js';
import { type LmdbFile, openLmdbFile } from './lmdb-file.js';
import type { AreaLimits, Storage } from './types.js';

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
export function createLmdbStorage(folder: string, onDamage: (aside: string) => void = () => {}): Storage {
  const file = openLmdbFile(folder, onDamage);
  const sweeper = createSweeper();
  const areas = new Map<string, Texts>();
  const bounds = new Map<string, AreaLimits>();
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
      return createArea(name, toAdapter(texts), limits);
    },
    async close() {
      await sweeper.stop();
      await file.root.close();
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
    // A step fails with the storage itself; who reads or writes is told.
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

/** Time of expiry and key: the order in which entries go. */
type Turn = [number, string];

interface Area {
  /** Each text behind its time of expiry and a line feed. */
  readonly values: Database<string, string>;
  /** The bytes of each entry, in the order in which entries go. */
  readonly order: Database<number, Turn>;
  /** The bytes of all. */
  readonly sums: Database<number, string>;
}

const SUM = 'bytes';

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
    sums: root.openDB(`${name}:sums`, { encoding: 'msgpack' }),
  };
  const { values, order, sums } = area;

  /** Inside a transaction: takes an entry out and gives the bytes that came free. */
  const drop = (key: string): number => {
    const old = values.get(key);
    if (old === undefined) return 0;
    const turn: Turn = [expiryOf(old), key];
    const bytes = order.get(turn) ?? 0;
    order.removeSync(turn);
    values.removeSync(key);
    return bytes;
  };

  const sweep = async (): Promise<boolean> => {
    if (!isDue(area, limits())) return false;
    return commit(file, () => {
      const { maxBytes } = limits();
      const now = Date.now();
      let sum = sums.get(SUM) ?? 0;
      let dropped = 0;
      for (const { key: turn } of [...order.getRange({ limit: STEP })]) {
        const [expires, key] = turn;
        if (expires > now && sum <= maxBytes) break;
        sum -= drop(key);
        dropped += 1;
      }
      if (dropped > 0) sums.putSync(SUM, sum);
      return dropped === STEP;
    });
  };

  return {
    sweep,
    texts: {
      getMany: (keys) => keys.map((key) => textOf(values.get(key))),
      async setMany(texts: readonly Text[]) {
        await commit(file, () => {
          const now = Date.now();
          let sum = sums.get(SUM) ?? 0;
          for (const { key, value, ttl } of texts) {
            sum -= drop(key);
            const expires = now + (ttl ?? limits().ttlMs);
            const bytes = key.length + Buffer.byteLength(value);
            values.putSync(key, `${expires}\n${value}`);
            order.putSync([expires, key], bytes);
            sum += bytes;
          }
          sums.putSync(SUM, sum);
        });
        if (isDue(area, limits())) wake();
      },
      async deleteMany(keys) {
        await commit(file, () => {
          let freed = 0;
          for (const key of keys) freed += drop(key);
          if (freed > 0) sums.putSync(SUM, (sums.get(SUM) ?? 0) - freed);
        });
      },
      async clear() {
        await commit(file, () => {
          values.clearSync();
          order.clearSync();
          sums.putSync(SUM, 0);
        });
      },
    },
  };
}

/** Whether there is anything to take out. */
function isDue({ order, sums }: Area, { maxBytes }: AreaLimits): boolean {
  if ((sums.get(SUM) ?? 0) > maxBytes) return true;
  for (const [expires] of order.getKeys({ limit: 1 })) return expires <= Date.now();
  return false;
}

function expiryOf(stored: string): number {
  return Number(stored.slice(0, stored.indexOf('\n')));
}

function textOf(stored: string | undefined): string | undefined {
  return stored?.slice(stored.indexOf('\n') + 1);
}
