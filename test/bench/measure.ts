import { TARGETS, type Target, type TargetName } from './targets.js';

/** What was measured for one row: several runs of the same, of which the table shows the median and the spread. */
export interface Row {
  readonly target: TargetName;
  /** Which case of several. */
  readonly detail?: string;
  /** Ratios to the floor, or figures that stand for themselves. */
  readonly figures: readonly number[];
  /** Medians of what the ratios were made of, in ms. */
  readonly ours?: number;
  readonly floor?: number;
}

/** How much of a run is done. */
export interface Effort {
  readonly short: boolean;
  /** Rounds that count, and those before them. */
  readonly rounds: number;
  readonly warm: number;
  /** About how long a round takes. */
  readonly roundMs: number;
}

/** The short form is for a machine that has other work. */
export const EFFORTS = {
  whole: { short: false, rounds: 15, warm: 5, roundMs: 60 },
  short: { short: true, rounds: 9, warm: 4, roundMs: 20 },
} as const satisfies Readonly<Record<string, Effort>>;

/** Two works on the same kind of thing. */
export interface Comparison<T> {
  /** Makes what one call works on; no call gets what another had. */
  readonly fresh: () => T;
  readonly work: (thing: T) => void;
  readonly floor: (thing: T) => void;
  /** How many units one call is. */
  readonly units?: number;
}

/**
 * Takes the processor time of `work` and `floor` in turns, in milliseconds per unit. Turns make both feel the same noise, and
 * are so long that each has its share of the collector's pauses. What they work on is made before the time is taken.
 */
export function compare<T>(
  row: Pick<Row, 'target' | 'detail'>,
  { fresh, work, floor, units = 1 }: Comparison<T>,
  effort: Effort,
): Row {
  const { roundMs } = effort;
  // What is not yet warm takes several times as long, and would make the rounds that much shorter.
  for (let warm = 0; warm < effort.warm; warm += 1) {
    repeat(work, fresh, callsWithin(roundMs, work, fresh));
    repeat(floor, fresh, callsWithin(roundMs, floor, fresh));
  }
  const calls = callsWithin(roundMs, work, fresh);
  const times: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    times.push(repeat(work, fresh, calls) / calls / units);
    floors.push(repeat(floor, fresh, calls) / calls / units);
  }
  return ratioRow(row, times, floors);
}

/** A row of ratios of what was measured in turns. */
export function ratioRow(
  row: Pick<Row, 'target' | 'detail'>,
  times: readonly number[],
  floors: readonly number[],
): Row {
  return {
    ...row,
    figures: times.map((time, index) => time / (floors[index] ?? Number.NaN)),
    ours: median(times),
    floor: median(floors),
  };
}

/** The table of all rows, as text in Markdown. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const { what, floor, unit, reach }: Target = TARGETS[row.target];
    const figure = median(row.figures);
    return [
      row.detail === undefined ? what : `${what}: ${row.detail}`,
      floor === undefined ? '' : `${floor}${row.floor === undefined ? '' : `: ${short(row.floor)} ms`}`,
      row.ours === undefined ? '' : `${short(row.ours)} ms`,
      `${short(figure)}${unit === '' ? '' : ` ${unit}`}${spread(row.figures)}`,
      reach === undefined ? '' : short(reach),
      reach === undefined ? '' : figure <= reach ? 'met' : 'missed',
    ];
  });
  const head = ['What', 'Floor', 'Ours', 'Figure (spread)', 'Reach', ''];
  const line = (words: readonly string[]): string => `| ${words.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...cells.map(line)].join('\n');
}

/** The rows that are above the limit of the short form in the best of their runs, each as a sentence. */
export function regressions(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ target, detail = '', figures }) => {
    const { what, limit }: Target = TARGETS[target];
    const best = Math.min(...figures);
    return limit === undefined || best <= limit
      ? []
      : [`${what} ${detail}: ${short(best)} where at most ${limit} pass`];
  });
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The figures between the lowest and the highest tenth. */
function spread(figures: readonly number[]): string {
  if (figures.length < 3) return '';
  const sorted = [...figures].sort((a, b) => a - b);
  const tenth = Math.floor(figures.length / 10);
  return ` (${short(sorted[tenth] ?? 0)} to ${short(sorted[sorted.length - 1 - tenth] ?? 0)})`;
}

/** A number with three digits that count. */
function short(value: number): string {
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function repeat<T>(work: (thing: T) => void, fresh: () => T, calls: number): number {
  const things = Array.from({ length: calls }, fresh);
  const before = process.cpuUsage();
  for (const thing of things) work(thing);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How many calls take about so long, by the time of a few. */
function callsWithin<T>(ms: number, work: (thing: T) => void, fresh: () => T): number {
  return Math.max(1, Math.ceil(ms / Math.max(0.05, repeat(work, fresh, 10) / 10)));
}
