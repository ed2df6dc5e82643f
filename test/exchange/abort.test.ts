import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inParallel } from '../backend/faults/cells.js';
import { share } from '../support/runs.js';
import { CELLS, type Cell } from './cells.js';
import { type Departure, type Departures, startDepartures } from './leaving.js';

let departures: Departures;
beforeAll(async () => {
  departures = await startDepartures(CELLS);
});
afterAll(() => departures.close());

/** Leaves at the given points of every cell, some cells at a time. */
async function measure(
  cells: readonly Cell[],
  points: (cell: Cell) => readonly number[],
  flood = false,
): Promise<readonly Departure[]> {
  const took: Departure[] = [];
  const failures: string[] = [];
  const tasks = cells.map((cell) => async () => {
    for (const steps of points(cell)) {
      await departures.leave(cell, steps, flood).then(
        (one) => took.push(one),
        (error: unknown) => failures.push(String(error)),
      );
    }
  });
  await inParallel(tasks, 6);
  expect(failures).toEqual([]);
  return took;
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** How many times as long as a connection with nothing between a departure may take: on a quiet machine, a part of a second. */
const MOST = 1000;

function expectPrompt(took: readonly Departure[]): void {
  const [through, plain] = [medianOf(took.map(({ ms }) => ms)), medianOf(took.map(({ plainMs }) => plainMs))];
  if (process.env.INTERLINGUA_FIGURES !== undefined) {
    const longest = Math.max(...took.map(({ ms }) => ms));
    process.stdout.write(
      `${took.length} departures: median ${through.toFixed(1)} ms, longest ${longest.toFixed(1)} ms, plain ${plain.toFixed(2)} ms\n`,
    );
  }
  expect(through / Math.max(plain, 0.2)).toBeLessThan(MOST);
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
