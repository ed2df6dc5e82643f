import { type DialectId, dialectIds } from '../../../translators/index.js';
import { type Entry, entriesOf } from './entries.js';
import { examine, modelOf } from './examine.js';
import { type Exchange, understand } from './exchange.js';
import type { Place, Report } from './report.js';
import type { Source } from './source.js';
import { createTally, type Tally } from './tally.js';
import { AS_RECORDED, type Target } from './target.js';

/** Where recorded requests would go. */
export interface Way {
  /** undefined = to every other dialect. */
  readonly to: DialectId | undefined;
  /** Where the requests for a model would go, by its recorded name; absent = to a model of that name at the vendor's own service. */
  readonly targetOf?: (model: string) => Target;
}

/** How recorded traffic is read. */
export interface ReadingOptions {
  readonly sources: readonly Source[];
  /** The dialect of all recorded requests; undefined = it is recognised from each. */
  readonly from: DialectId | undefined;
  /** Whether reports hold values of bodies. */
  readonly showValues?: boolean;
  /** Ends the reading; what was read until then is reported as partial. */
  readonly signal?: AbortSignal;
  /** Gives everything else its turn: a signal is handled between two turns alone. */
  readonly pause: () => Promise<void>;
  /** Hears how far it is, often. */
  readonly progress?: (progress: Progress) => void;
}

/** What is to be looked at, and where it would go. */
export type MigrateOptions = ReadingOptions & Way;

export interface Progress {
  /** Entries that were looked at. */
  readonly entries: number;
  /** Bytes that were read, and those of all files; undefined when that is not known. */
  readonly read: number;
  readonly size: number | undefined;
}

/** The reports of one way, one for each direction. */
export async function migrate({ to, targetOf, ...reading }: MigrateOptions): Promise<readonly Report[]> {
  const [reports = []] = await migrateAll(reading, [{ to, ...(targetOf && { targetOf }) }]);
  return reports;
}

/**
 * Reads recorded traffic once and reports, for each way and in it for each direction, what would be lost if it moved. Memory does not
 * grow with the number of exchanges.
 */
export async function migrateAll(
  { sources, from, showValues = false, signal, pause, progress }: ReadingOptions,
  ways: readonly Way[],
): Promise<readonly (readonly Report[])[]> {
  const runs = ways.map((way) => createRun(way, from, showValues));
  const unread: Report['unread'][number][] = [];
  let [read, entries, unreadable] = [0, 0, 0];
  const size = sources.some((one) => one.size === undefined)
    ? undefined
    : sources.reduce((sum, one) => sum + (one.size ?? 0), 0);
  const count = (bytes: number): void => {
    read += bytes;
  };
  const take = ({ file, line, text, reason = '' }: Entry): void => {
    const understood = text === undefined ? ({ kind: 'unreadable', reason } as const) : understand(text, from);
    if (understood.kind === 'exchange') for (const run of runs) run.take({ file, line }, understood.exchange);
    if (understood.kind !== 'unreadable') return;
    unreadable += 1;
    if (unread.length < UNREAD) unread.push({ file, line, reason: understood.reason });
  };
  const reports = (partial: boolean) => runs.map((run) => run.reports({ partial, unreadable, unread }));
  for (const source of sources) {
    for await (const portion of entriesOf(source, { read: count, signal })) {
      for (const entry of portion) {
        if (signal?.aborted === true) return reports(true);
        take(entry);
        entries += 1;
        if (entries % TURN === 0) await pause();
        progress?.({ entries, read, size });
      }
    }
    if (signal?.aborted === true) return reports(true);
  }
  return reports(false);
}

/** So many entries are looked at before anything else gets its turn. */
const TURN = 64;

/** So many unreadable entries are named. */
const UNREAD = 100;

/** Counts what becomes of exchanges on one way. */
function createRun({ to, targetOf = () => AS_RECORDED }: Way, from: DialectId | undefined, showValues: boolean) {
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
  return {
    take(place: Place, exchange: Exchange): void {
      const target = targetOf(modelOf(exchange));
      for (const dialect of targetsOf(exchange.from))
        tallyOf(exchange.from, dialect).add(place, exchange, examine(exchange, dialect, target), target);
    },
    /** Of every direction; what has no recognised dialect counts for each. */
    reports(read: Pick<Report, 'partial' | 'unreadable' | 'unread'>): readonly Report[] {
      return [...tallies.values()].map((tally) => tally.report(read));
    },
  };
}
