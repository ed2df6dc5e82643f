import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { quantile, rounded, setting, tellFigures } from '../support/load/figures.js';
import { PAIRS } from '../support/load/mix.js';
import { type Program, startProgram, startScript } from '../support/load/program.js';
import { type Loaded, loadFor, requestBytes, startSocketBackend } from '../support/load/sockets.js';
import { configFor } from '../support/load/stage.js';

const SECONDS = setting('LOAD_SECONDS', 5);
const CONNECTIONS = setting('LOAD_CONNECTIONS', 50);
/** The share of the bare relay's rate that is aimed at, and the one below which something is wrong. */
const TARGET = 0.5;
const LEAST = 0.4;
const RELAY_SECONDS = Math.min(SECONDS, 1);

let backend: Awaited<ReturnType<typeof startSocketBackend>>;
let program: Program;
let relay: Program;

beforeAll(async () => {
  backend = await startSocketBackend();
  program = await startProgram(configFor(backend.url));
  const script = fileURLToPath(new URL('../support/load/bare-relay.js', import.meta.url));
  relay = await startScript(script, [backend.url]);
}, 60_000);

afterAll(async () => {
  await program.close();
  await relay.close();
  await backend.close();
});

interface Timed extends Loaded {
  readonly cpuMs: number;
}

/** Loads a program, and tells what each request cost it. */
async function timed(server: Program, bytes: Buffer, seconds: number): Promise<Timed> {
  const before = await server.holding({ collect: false });
  const loaded = await loadFor(server.url, bytes, CONNECTIONS, seconds);
  const after = await server.holding({ collect: false });
  return { ...loaded, cpuMs: (after.cpuMs - before.cpuMs) / loaded.times.length };
}

interface Row {
  readonly pair: string;
  readonly perSecond: number;
  /** Of the relay's rate right before and right behind. */
  readonly ratio: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
  readonly relayCpuMs: number;
  readonly bad: readonly string[];
}

test(
  `${CONNECTIONS} connections, 4 KB bodies, ${SECONDS} s each of all pairs, against a bare relay`,
  async () => {
    let behind: Timed;
    const bare = () => timed(relay, requestBytes('messages', 'messages'), RELAY_SECONDS);
    const measure = async (client: (typeof PAIRS)[number][0], to: (typeof PAIRS)[number][1]): Promise<Row> => {
      const before = behind;
      const run = await timed(program, requestBytes(client, to), SECONDS);
      const after = await bare();
      behind = after;
      return {
        pair: `${client} to ${to}`,
        perSecond: Math.round(run.perSecond),
        ratio: rounded(run.perSecond / ((before.perSecond + after.perSecond) / 2), 2),
        p99Ms: rounded(quantile(run.times, 0.99)),
        cpuMs: rounded(run.cpuMs, 3),
        relayCpuMs: rounded((before.cpuMs + after.cpuMs) / 2, 3),
        bad: [...before.bad, ...run.bad, ...after.bad],
      };
    };
    // Both have compiled what they run before anything counts.
    await bare();
    for (const [client, to] of PAIRS) await loadFor(program.url, requestBytes(client, to), CONNECTIONS, 0.5);
    behind = await bare();
    const rows: Row[] = [];
    for (const [client, to] of PAIRS) {
      const row = await measure(client, to);
      // A neighbour on the machine may have slowed one of the two down: a slow pair is slow each time.
      const again = row.ratio >= TARGET ? row : better(row, await measure(client, to));
      rows.push(again.ratio >= LEAST ? again : better(again, await measure(client, to)));
    }
    const after = await program.holding();
    tellFigures('load', { connections: CONNECTIONS, seconds: SECONDS, target: TARGET, rows, rss: after.memory.rss });
    expect(rows.flatMap(({ bad }) => bad)).toEqual([]);
    expect(rows.filter(({ ratio }) => ratio < LEAST)).toEqual([]);
    expect(program.stderr).toBe('');
  },
  60_000 + (SECONDS + 2 * RELAY_SECONDS) * 1000 * PAIRS.length * 4,
);

function better(one: Row, other: Row): Row {
  const bad = [...one.bad, ...other.bad];
  return { ...(one.ratio > other.ratio ? one : other), bad };
}
