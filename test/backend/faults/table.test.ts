import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { DIALECTS } from '../../support/gateway/harness.js';
import { PAIRS } from '../../support/pairs.js';
import { SHORT } from '../../support/runs.js';
import { leaksIn } from './canaries.js';
import { asking, exchange, inParallel, type Mode, type Outcome } from './cells.js';
import { expectAnswer, expectLateFailure, expectNothingAdded, expectRefusal, SERVICE } from './checks.js';
import { type Cell, type Fault, relaysBytes, TEXT } from './fault.js';
import { type Stage, startStage } from './stage.js';
import { FAULTS } from './table.js';

interface Case {
  readonly id: string;
  readonly title: string;
  readonly fault: Fault;
  readonly cell: Cell;
}

const MODES: readonly Mode[] = ['plain', 'stream', 'array'];

/** In the short run every fault meets an eighth of the pairs, and its neighbour another eighth. */
const SHARE = SHORT ? 8 : 1;

const CASES: readonly Case[] = PAIRS.flatMap(([client, backend], pair) =>
  FAULTS.filter((_fault, row) => (row + pair) % SHARE === 0).flatMap((fault) =>
    MODES.filter(
      (mode) => (fault.modes ?? MODES).includes(mode) && (mode !== 'array' || client === 'generateContent'),
    ).map((mode) => ({ title: `row ${fault.row}, ${mode}: ${fault.name}`, fault, cell: { client, backend, mode } })),
  ),
).map((found, index) => ({ ...found, id: `cell-${index}` }));

let stage: Stage;
const outcomes = new Map<string, Outcome | Error>();

/** How many cells run at a time: more than there are pooled connections that wait, fewer than sockets that are cheap. */
const WIDTH = 48;

beforeAll(async () => {
  stage = await startStage();
  await inParallel(
    CASES.map(({ id, fault, cell }) => async () => {
      stage.backend.on(id, fault.serve);
      const { path, body } = asking(cell.client, cell.mode, `${cell.backend}-${fault.limits ?? 'calm'}-${id}`);
      outcomes.set(id, await exchange(stage.gateway.url, path, body).catch((error: Error) => error));
    }),
    WIDTH,
  );
}, 300_000);

/** How many sockets and timers a test runner may have open. */
const FEW = 20;

/** The errors inside answers of this dialect keep the service's words, without its secrets. */
function saysInBand({ row }: Fault, { backend }: Cell): boolean {
  return row === 24 && backend === 'responses';
}

function outcomeOf(id: string): Outcome {
  const outcome = outcomes.get(id);
  if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error(`${id} was not run`);
  return outcome;
}

describe.each(DIALECTS)('a %s client', (client) => {
  describe.each(DIALECTS)('of a %s backend', (backend) => {
    const cases = CASES.filter(({ cell }) => cell.client === client && cell.backend === backend);
    test.each(cases)('$title', ({ id, fault, cell }) => {
      const outcome = outcomeOf(id);
      const { mode } = cell;
      const told = typeof fault.told === 'function' ? fault.told(cell) : fault.told;
      expect(leaksIn(`${outcome.head}\n${outcome.text}`, stage.host)).toEqual([]);
      expect(stage.backend.seen.get(id)).toHaveLength(fault.requests?.(cell) ?? 1);
      for (const [name, value] of Object.entries(fault.headers?.(cell) ?? {})) {
        expect([name, outcome.headers[name]]).toEqual([name, value]);
      }
      if (told !== 'answer' && SERVICE.has(told) && client !== backend && !saysInBand(fault, cell))
        expect(outcome.text).not.toContain('Wrong key');
      if (relaysBytes(fault, cell)) {
        expect(outcome.status).toBe(200);
        if (told === 'answer' && fault.said !== undefined) expectNothingAdded(client, outcome, fault.said);
      } else if (told === 'answer') expectAnswer(client, mode, outcome, fault.said ?? TEXT);
      else if (fault.said === undefined) expectRefusal(client, outcome, told);
      else if (fault.breaksFrame === true && client === backend) expect(outcome.complete).toBe(false);
      else expectLateFailure(client, mode, outcome, told, fault.said);
    });
  });
});

test('no connection is kept on which an answer did not end', async () => {
  const unfinished = () =>
    CASES.filter(({ id }) =>
      (stage.backend.seen.get(id) ?? []).some(({ answered, socket }) => !answered && !socket.destroyed),
    );
  for (let wait = 0; wait < 600 && unfinished().length > 0; wait += 1) await sleep(50);
  const left = unfinished();
  expect(left.map(({ title }) => title)).toEqual([]);
});

test('neither sockets nor timers are left when the gateway has closed', async () => {
  await stage.close();
  const left = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap' || name === 'Timeout');
  // A few belong to the test runner; what every exchange left would be thousands.
  for (let wait = 0; wait < 600 && left().length > FEW; wait += 1) await sleep(50);
  expect(left().length).toBeLessThanOrEqual(FEW);
});
