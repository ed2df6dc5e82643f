import { setImmediate as turn } from 'node:timers/promises';
import { Failure } from '../ground/index.js';
import { HOUR_MS, type Tallies } from '../store/index.js';
import type { Group, Period } from './period.js';
import { type Row, rowOf } from './row.js';
import { PARTS_OF_USD, SUMS, type Sums, sumsFrom } from './sums.js';

/** The figures of many exchanges, as they are told. */
export interface Figures {
  readonly requests: number;
  /** Those that failed; not those that their client left. */
  readonly errors: number;
  readonly inputTokens: number;
  /** Of the input, what was read from a prompt cache, and what was written to one. */
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  /** Of the output. */
  readonly reasoningTokens: number;
  /** Requests whose tokens the backend did not count: they are in no sum of tokens. */
  readonly tokensUnknown: number;
  /** In USD, of those whose cost is known as a whole. */
  readonly cost: number;
  /** Requests whose cost is not known, or in part only: they are not in `cost`. */
  readonly costUnknown: number;
  /** What is known of the cost of those. */
  readonly partialCost: number;
  /** From requests to the ends of their answers. */
  readonly seconds: number;
}

/** Figures with what they are of: a time for `minute`, `hour` and `day`, a name for the others. */
export type UsageRow = Readonly<Partial<Record<Group, string>>> & Figures;

/** What was used in a period. */
export interface UsageReport {
  readonly since: string;
  /** null = up to now. */
  readonly until: string | null;
  readonly by: readonly Group[];
  readonly currency: 'USD';
  /** In the order of what they are of. */
  readonly rows: readonly UsageRow[];
  readonly total: Figures;
}

/** More rows are no table. */
const MOST_ROWS = 10_000;
/** So many kept rows are read before others run. */
const STRETCH = 1000;

/** The sums of a period, of all keys or of one. Rejects with Failure (400) above {@link MOST_ROWS}. */
export async function readUsage(tallies: Tallies, period: Period, key?: string): Promise<UsageReport> {
  const { by, unitMs, from, to = Number.MAX_SAFE_INTEGER } = period;
  const groups = new Map<string, { readonly names: readonly string[]; readonly sums: number[] }>();
  const total = SUMS.map(() => 0);
  let read = 0;
  for await (const { interval, owner, rows } of tallies.read({
    from,
    to,
    ...(key !== undefined && { owner: key }),
  })) {
    for (const [text, values] of rows) {
      const row = rowOf({ owner, row: text });
      if (row === undefined) continue;
      const names = by.map((group) => nameOf(group, interval * unitMs, row));
      const id = JSON.stringify(names);
      const found = groups.get(id) ?? { names, sums: SUMS.map(() => 0) };
      groups.set(id, found);
      if (groups.size > MOST_ROWS) throw tooMany();
      for (const [index] of SUMS.entries()) {
        found.sums[index] = (found.sums[index] ?? 0) + (values[index] ?? 0);
        total[index] = (total[index] ?? 0) + (values[index] ?? 0);
      }
    }
    read += rows.length;
    if (read < STRETCH) continue;
    read = 0;
    await turn();
  }
  const rows = [...groups.values()]
    .sort((one, other) => compare(one.names, other.names))
    .map(({ names, sums }): UsageRow => {
      const named = Object.fromEntries(by.map((group, index) => [group, names[index] ?? '']));
      return { ...named, ...figuresOf(sumsFrom(sums)) };
    });
  return {
    since: timeOf(from * unitMs),
    until: period.to === undefined ? null : timeOf(period.to * unitMs),
    by,
    currency: 'USD',
    rows,
    total: figuresOf(sumsFrom(total)),
  };
}

function nameOf(group: Group, ms: number, row: Row): string {
  switch (group) {
    case 'minute':
      return timeOf(ms);
    case 'hour':
      return timeOf(Math.floor(ms / HOUR_MS) * HOUR_MS);
    case 'day':
      return timeOf(ms).slice(0, 10);
    default:
      return row[group];
  }
}

/** A time; of one that no date can name, which a clock may have said, the furthest. */
function timeOf(ms: number): string {
  return `${new Date(Math.max(-MOST_MS, Math.min(ms, MOST_MS))).toISOString().slice(0, -5)}Z`;
}

const MOST_MS = 8.64e15;

function compare(one: readonly string[], other: readonly string[]): number {
  for (const [index, name] of one.entries()) {
    const than = other[index] ?? '';
    if (name !== than) return name < than ? -1 : 1;
  }
  return 0;
}

function figuresOf(sums: Sums): Figures {
  return {
    requests: sums.requests,
    errors: sums.errors,
    inputTokens: sums.input,
    cachedTokens: sums.cached,
    writtenTokens: sums.written,
    outputTokens: sums.output,
    reasoningTokens: sums.reasoning,
    tokensUnknown: sums.uncounted,
    cost: sums.cost / PARTS_OF_USD,
    costUnknown: sums.unpriced,
    partialCost: sums.partialCost / PARTS_OF_USD,
    seconds: sums.ms / 1000,
  };
}

function tooMany(): Failure {
  const message = `there are more than ${MOST_ROWS} rows: name fewer in by, or a shorter time`;
  return new Failure({ kind: 'invalid_request', status: 400, message });
}
