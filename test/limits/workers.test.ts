import { execFileSync, spawn } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { LimitedKey, Verdict } from '../../src/limits/ledger.js';
import { createLimitsAnswerer } from '../../src/limits/primary.js';
import { createWorkerLedger, type LimitsQuestion } from '../../src/limits/worker.js';

const here = dirname(fileURLToPath(import.meta.url));

const ESBUILD = join(here, '..', '..', 'node_modules', '.bin', 'esbuild');

/** A worker as the primary sees it. */
function workerOf(id: number) {
  const state = { dead: false };
  return { state, worker: { id, isDead: () => state.dead } as unknown as Worker };
}

describe('the primary', () => {
  const key: LimitedKey = { name: 'k', concurrency: 1 };
  const admit = (place: string): LimitsQuestion => ({ do: 'admit', key, place });
  const free = (place: string): LimitsQuestion => ({ do: 'free', key, place });

  test('counts for all workers, whose ids of places may be alike', async () => {
    const answer = createLimitsAnswerer();
    const [{ worker: a }, { worker: b }] = [workerOf(1), workerOf(2)];
    expect(await answer(admit('p'), a)).toEqual({ limits: {} });
    expect(await answer(admit('p'), b)).toMatchObject({ refused: 'concurrency' });
    await answer(free('p'), b);
    expect(await answer(admit('q'), b)).toMatchObject({ refused: 'concurrency' });
    await answer(free('p'), a);
    expect(await answer(admit('q'), b)).toEqual({ limits: {} });
  });

  test('frees the places of a worker that ended, and gives none to one that is dead', async () => {
    const answer = createLimitsAnswerer();
    const [{ worker: a, state }, { worker: b }] = [workerOf(101), workerOf(102)];
    await answer(admit('p'), a);
    expect(await answer(admit('q'), b)).toMatchObject({ refused: 'concurrency' });
    state.dead = true;
    cluster.emit('exit', a, 1, null);
    // It was asked before the worker died, and is read afterwards.
    await answer(admit('late'), a);
    expect(await answer(admit('r'), b)).toEqual({ limits: {} });
  });

  test('takes what is given back at once after what was asked', async () => {
    const answer = createLimitsAnswerer();
    const { worker } = workerOf(1);
    const full: LimitedKey = { name: 'k', concurrency: 1, tokensPerMinute: 5, requestsPerMinute: 9 };
    const given = answer({ do: 'admit', key: full, place: 'p' }, worker);
    await Promise.all([given, answer({ do: 'free', key: full, place: 'p' }, worker)]);
    expect(await answer({ do: 'admit', key: full, place: 'q' }, worker)).not.toHaveProperty('refused');
  });

  test('refuses what is no question', () => {
    const answer = createLimitsAnswerer();
    for (const value of [undefined, {}, { do: 'drop' }, { do: 'charge', key, tokens: 'many' }]) {
      expect(() => answer(value, workerOf(1).worker)).toThrow();
    }
  });
});

describe('a worker', () => {
  const key: LimitedKey = { name: 'k', requestsPerMinute: 2, tokensPerMinute: 100, concurrency: 2 };

  test('asks the primary', async () => {
    const answer = createLimitsAnswerer();
    const told: unknown[] = [];
    const ledgers = [1, 2].map((id) => {
      const { worker } = workerOf(id);
      return createWorkerLedger(
        (reason) => told.push(reason),
        async (question) => answer(JSON.parse(JSON.stringify(question)), worker),
      );
    });
    const [a, b] = ledgers;
    await a?.charge(key, 40);
    expect((await b?.admit(key, 'p'))?.limits).toMatchObject({ tokens: { remaining: 60 }, requests: { remaining: 1 } });
    await b?.free(key, 'p');
    expect((await a?.admit(key, 'q'))?.limits.requests).toMatchObject({ remaining: 0 });
    expect((await b?.admit(key, 'r'))?.refused).toBe('requests');
    expect(told).toEqual([]);
  });

  test.each([
    ['fails', () => Promise.reject(new Error('the primary failed'))],
    ['is another program', () => Promise.resolve(undefined)],
    ['does not answer', () => new Promise<never>(() => {})],
  ])('counts for itself when the primary %s, and says so once', async (_name, ask) => {
    const told: (string | undefined)[] = [];
    const questions: LimitsQuestion[] = [];
    const ledger = createWorkerLedger(
      (reason) => told.push(reason),
      (question) => {
        questions.push(question);
        return ask();
      },
    );
    const verdicts: Verdict[] = [];
    for (const place of ['a', 'b', 'c']) verdicts.push(await ledger.admit(key, place));
    expect(verdicts.map(({ refused }) => refused)).toEqual([undefined, undefined, 'concurrency']);
    expect(told).toHaveLength(1);
    // What the primary may still give is given back; the later ones did not wait.
    expect(questions).toEqual([
      { do: 'admit', key, place: 'a' },
      { do: 'free', key, place: 'a' },
    ]);
    await ledger.free(key, 'a');
    expect((await ledger.admit(key, 'd')).refused).toBe('requests');
  });
});

test('processes of one machine share one limit, and one that is killed leaves its places', async () => {
  // A program of its own, made of the sources; beside the test, where it finds the packages.
  const folder = mkdtempSync(join(here, '.cluster-'));
  const program = join(folder, 'cluster.mjs');
  const options = ['--bundle', '--platform=node', '--format=esm', '--packages=external', '--log-level=error'];
  execFileSync(ESBUILD, [join(here, 'cluster.mjs'), ...options, `--outfile=${program}`]);
  const child = spawn(process.execPath, [program]);
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  rmSync(folder, { recursive: true });
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(JSON.parse(output)).toEqual({ admitted: 10, held: 3, refusedWhileHeld: true, afterDeath: true });
});
