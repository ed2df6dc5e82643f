import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inParallel } from '../backend/faults/cells.js';
import { share } from '../support/runs.js';
import { CELLS, type Cell } from './cells.js';
import { type Departures, startDepartures } from './leaving.js';

let departures: Departures;
beforeAll(async () => {
  departures = await startDepartures(CELLS);
});
afterAll(() => departures.close());

/** Leaves at the given points of every cell, some cells at a time; gives how long each took, in ms, in order. */
async function measure(
  cells: readonly Cell[],
  points: (cell: Cell) => readonly number[],
  flood = false,
): Promise<number[]> {
  const took: number[] = [];
  const failures: string[] = [];
  const tasks = cells.map((cell) => async () => {
    for (const steps of points(cell)) {
      await departures.leave(cell, steps, flood).then(
        (ms) => took.push(ms),
        (error: unknown) => failures.push(String(error)),
      );
    }
  });
  await inParallel(tasks, 6);
  expect(failures).toEqual([]);
  return took.sort((a, b) => a - b);
}

function expectPrompt(took: readonly number[]): void {
  const median = took[Math.floor(took.length / 2)] ?? Number.NaN;
  if (process.env.INTERLINGUA_FIGURES !== undefined) {
    process.stdout.write(
      `${took.length} departures: median ${median.toFixed(1)} ms, longest ${took.at(-1)?.toFixed(1)} ms\n`,
    );
  }
  // The figure is one second (hardening.md row 47). What else this machine does at the time may come on top of the longest.
  expect(median).toBeLessThan(1000);
  expect(took.at(-1)).toBeLessThan(9000);
}

test('hardening.md row 47: a client that leaves at any point of any exchange ends the call to the backend', async () => {
  expectPrompt(
    await measure(share(CELLS), ({ steps }) => Array.from({ length: steps.length + 1 }, (_, index) => index)),
  );
}, 180_000);

test('hardening.md row 47: also one that reads nothing while the backend sends more than anybody takes', async () => {
  const streams = CELLS.filter(({ endless }) => endless !== undefined);
  expectPrompt(await measure(streams, ({ endless }) => [endless?.after ?? 0], true));
});
