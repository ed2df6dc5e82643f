import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exchange } from '../backend/faults/cells.js';
import { type FaultyBackend, startFaultyBackend } from '../support/faulty-backend.js';
import { DIALECTS, STREAM, vendorsAt } from '../support/gateway/harness.js';
import { type Program, startProgram } from '../support/load/program.js';
import { until } from '../support/until.js';
import { flood } from './flood.js';

const MB = 1024 * 1024;

let backend: FaultyBackend;
let program: Program;

beforeAll(async () => {
  backend = await startFaultyBackend();
  program = await startProgram({
    ...vendorsAt(backend.url),
    // A long answer is not kept.
    store: { type: 'memory', entryMb: 1 },
    log: { level: 'error' },
  });
}, 60_000);
afterAll(async () => {
  await program.close();
  await backend.close();
});

test.each(DIALECTS)(
  'nothing of a long answer by %s outlives its exchange',
  async (dialect) => {
    flood(backend, 'short', MB / 16, []);
    flood(backend, 'long', 8 * MB, []);
    const ask = async (model: string): Promise<void> => {
      const { path, body } = STREAM.responses(`${dialect}/${model}`);
      const { status, complete } = await exchange(program.url, path, JSON.stringify(body));
      expect([status, complete]).toEqual([200, true]);
    };
    await ask('short');
    const before = (await program.holding()).memory.heapUsed;
    await ask('long');
    await until(async () => (await program.holding()).memory.heapUsed < before + 4 * MB);
  },
  60_000,
);
