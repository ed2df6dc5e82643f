/** One timed thing: its time against the floor of the same run. */
export interface Figure {
  readonly name: string;
  /** Milliseconds per unit. */
  readonly time: number;
  readonly floor: number;
}

/**
 * Times `work` and `floor` in turns and gives the median of each, in milliseconds per call. Turns make both feel the same
 * noise; the median forgets the collector's pauses.
 */
export function compare(name: string, work: () => void, floor: () => void, units = 1): Figure {
  const rounds = 41;
  const calls = Math.max(1, Math.ceil(20 / Math.max(0.05, once(work))));
  for (let warm = 0; warm < 10; warm += 1) {
    repeat(work, calls);
    repeat(floor, calls);
  }
  const times: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(repeat(work, calls));
    floors.push(repeat(floor, calls));
  }
  return { name, time: median(times) / calls / units, floor: median(floors) / calls / units };
}

/** The table of all figures, as text. */
export function table(title: string, unit: string, figures: readonly Figure[]): string {
  const rows = figures.map(({ name, time, floor }) => [
    name,
    time.toFixed(4),
    floor.toFixed(4),
    `${(time / floor).toFixed(2)}x`,
  ]);
  const head = [title, unit, 'floor', 'ratio'];
  const widths = head.map((word, column) => Math.max(word.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [line(head), ...rows.map(line)].join('\n');
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function repeat(work: () => void, calls: number): number {
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) work();
  return performance.now() - start;
}

function once(work: () => void): number {
  for (let warm = 0; warm < 20; warm += 1) work();
  return repeat(work, 20) / 20;
}
