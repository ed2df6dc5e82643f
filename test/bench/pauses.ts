import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { V8_FLAGS } from '../../src/cli/flags.js';
import type { DialectId } from '../../translators/index.js';
import { createWorkplace } from '../support/gateway/program.js';
import { quantile } from '../support/load/figures.js';
import type { Load } from './load-process.js';
import { median, type Row, ratioRow } from './measure.js';
import { orderOf } from './order.js';

const FIRST = 200;
const SERVERS = 5;
const BURST = 200;
const PAUSES = 3;
/** V8 makes its collections of idle processes after 8 seconds, and drops compiled code in the next ones. */
const PAUSE_MS = 60_000;
/** A server warms up while nobody is there. */
const WARM_MS = 2000;

/** A program that takes requests: where, in which dialect, for which model, and as which process. */
interface Program {
  readonly url: string;
  readonly client: DialectId;
  readonly model: string;
  readonly pid: number;
}

/**
 * What the command costs when it is not hot: its first requests, two seconds after it is ready, and those after a pause, beside the bare
 * pipe as a program. In between, hot, what it adds to the time to the first byte.
 */
export async function benchPauses(load: Load): Promise<readonly Row[]> {
  const place = createWorkplace();
  const baseUrl = `http://127.0.0.1:${load.port}`;
  const config = {
    backends: { b: { dialect: 'chatCompletions', baseUrl } },
    models: { m: { backend: 'b' } },
    log: { level: 'error' },
  };
  const file = place.file('bench.json', JSON.stringify(config));
  const pipe = fork(fileURLToPath(new URL('./pipe-process.js', import.meta.url)), [String(load.port)]);
  try {
    const [{ url }] = (await once(pipe, 'message')) as [{ url: string }];
    const bare: Program = { url, client: 'chatCompletions', model: 'M', pid: pipe.pid ?? 0 };
    const firsts: number[] = [];
    let ours: Program = bare;
    for (let server = 0; server < SERVERS; server += 1) {
      const served = await place.serve(['--config', file], { flags: V8_FLAGS });
      ours = { url: served.url, client: 'messages', model: 'm', pid: served.child.pid ?? 0 };
      await delay(WARM_MS);
      firsts.push(await spent(load, ours, FIRST));
    }
    for (let warm = 0; warm < 40; warm += 1) {
      await spent(load, ours, BURST);
      await spent(load, bare, BURST);
    }
    const bytes = await firstByte(load, ours);
    const times: number[] = [];
    const floors: number[] = [];
    for (let pause = 0; pause < PAUSES; pause += 1) {
      await delay(PAUSE_MS);
      times.push(await spent(load, ours, BURST));
      floors.push(await spent(load, bare, BURST));
    }
    return [
      { target: 'first', figures: firsts, ours: median(firsts) },
      ratioRow({ target: 'afterPause' }, times, floors),
      ...bytes,
    ];
  } finally {
    pipe.kill();
    await place.end();
  }
}

/** What the command adds to the time to the first byte: one call after the other, in turns with direct ones. */
async function firstByte(load: Load, { url, client, model }: Program): Promise<readonly Row[]> {
  const shape = { request: 'small', stream: false, stored: false, count: 200, concurrency: 1 } as const;
  const ours = orderOf(url, client, { model, ...shape });
  const direct = orderOf(`http://127.0.0.1:${load.port}`, 'chatCompletions', { model: 'M', ...shape });
  const middle: number[] = [];
  const worst: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const through = await load.run(ours);
    const straight = await load.run(direct);
    middle.push(median(through) - median(straight));
    worst.push(quantile(through, 0.99) - quantile(straight, 0.99));
  }
  return [
    { target: 'firstByte', figures: middle.slice(2) },
    { target: 'firstByteWorst', figures: worst.slice(2) },
  ];
}

/** Processor time of a program for each of `count` exchanges, in ms. */
async function spent(load: Load, { url, client, model, pid }: Program, count: number): Promise<number> {
  const shape = { model, request: 'small', stream: false, stored: false, count, concurrency: 16 } as const;
  const before = processorMs(pid);
  await load.run(orderOf(url, client, shape));
  return (processorMs(pid) - before) / count;
}

/** Processor time of a process so far, in ms, in steps of 10. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
