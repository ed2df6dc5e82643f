import { type DialectId, dialectIds } from '../../../translators/index.js';
import { type Entry, entriesOf } from './entries.js';
import { examine, modelOf } from './examine.js';
import { understand } from './exchange.js';

import type { Report } from './report.js';
import type { Source } from './source.js';
import { createTally, type Tally } from './tally.js';
import { AS_RECORDED, type Target } from './target.js';

/** What is to be looked at. */
export interface MigrateOptions {
  readonly sources: readonly Source[];
  /** The dialect of all recorded requests; undefined = it is told from each. */
  readonly from: DialectId | undefined;
  /** Where they would go; undefined = to every other dialect. */
  readonly to: DialectId | undefined;
  /** Where the requests for a model would go, by its recorded name; absent = to a model of that name at the vendor's own service. */
  readonly targetOf?: (model: string) => Target;
  /** Whether reports hold values of bodies. */
  readonly showValues?: boolean;
  /** Ends the reading; what was read until then is reported as partial. */
  readonly signal?: AbortSignal;
  /** Gives everything else its turn: a signal is heard between two turns alone. */
  readonly pause: () => Promise<void>;
  /** Hears how far it is, often. */
  readonly progress?: (progress: Progress) => void;
}

export interface Progress {
  /** Entries that were looked at. */
  readonly entries: number;
  /** Bytes that were read, and those of all files; undefined when that is not known. */
  readonly read: number;
  readonly size: number | undefined;
}

/**
 * Reads recorded traffic once and reports, for each direction, what would be lost if it moved. Memory does not grow with the
 * number of exchanges.
 */
export async function migrate(options: MigrateOptions): Promise<readonly Report[]> {
  const { sources, signal, pause, progress } = options;
  const run = createRun(options);
  let [read, entries] = [0, 0];
  const size = sources.some((one) => one.size === undefined)
    ? undefined
    : sources.reduce((sum, one) => sum + (one.size ?? 0), 0);
  const count = (bytes: number): void => {
    read += bytes;
  };
  for (const source of sources) {
    for await (const portion of entriesOf(source, { read: count, signal })) {
      for (const entry of portion) {
        if (signal?.aborted === true) return run.reports(true);
        run.take(entry);
        entries += 1;
        if (entries % TURN === 0) await pause();
        progress?.({ entries, read, size });
      }
    }
    if (signal?.aborted === true) return run.reports(true);
  }
  return run.reports(false);
}

/** So many entries are looked at before anything else gets its turn. */
const TURN = 64;

function createRun({
  from,
  to,
  targetOf = () => AS_RECORDED,
  showValues = false,
}: Pick<MigrateOptions, 'from' | 'to' | 'targetOf' | 'showValues'>) {
  const tallies = new Map<string, Tally>();
  const tallyOf = (source: DialectId, target: DialectId): Tally => {
    const key = `${source} ${target}`;
    const tally = tallies.get(key) ?? createTally({ from: source, to: target, showValues });
    tallies.set(key, tally);
    return tally;
  };
  const targetsOf = (source: DialectId): readonly DialectId[] =>
    to === undefined ? dialectIds.filter((id) => id !== source) : [to];
  // What is asked for is reported even if there is nothing of it.
  if (from !== undefined) for (const target of targetsOf(from)) tallyOf(from, target);
  const lost: Report['unread'][number][] = [];
  let unreadable = 0;
  return {
    take({ file, line, text, reason = '' }: Entry): void {
      const understood = text === undefined ? ({ kind: 'unreadable', reason } as const) : understand(text, from);
      if (understood.kind === 'unreadable') {
        unreadable += 1;
        if (lost.length < UNREAD) lost.push({ file, line, reason: understood.reason });
      } else if (understood.kind === 'exchange') {
        const { exchange } = understood;
        const target = targetOf(modelOf(exchange));
        for (const dialect of targetsOf(exchange.from)) {
          tallyOf(exchange.from, dialect).add({ file, line }, exchange, examine(exchange, dialect, target), target);
        }
      }
    },
    /** Of every direction; what no dialect could be told of counts for each. */
    reports(partial: boolean): readonly Report[] {
      return [...tallies.values()].map((tally) => tally.report({ partial, unreadable, unread: lost }));
    },
  };
}

/** So many unreadable entries are named. */
const UNREAD = 100;
