import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ASK, json, type Recorder, send, startRecorder, WHOLE } from '../support/gateway/harness.js';
import { createWorkplace, type Served } from '../support/gateway/program.js';
import { quantile, tellFigures } from '../support/load/figures.js';
import { loopMs } from '../support/loop-clock.js';
import { foreignState, LONG_PATHS, letters, nearlyFiles, squeezed, withValues } from './support/bodies.js';

/**
 * What the attacks of attacks.md cost a gateway in a process of its own, a line of figures for each. `stall` is the longest
 * wait of a second client and `calm` the 99th percentile of its waits before, `cpu` the gateway's processor time, all in ms;
 * `rss` is its peak memory in MB.
 */

const place = createWorkplace();
const HEADERS = { 'x-api-key': 'the-key-of-team-a-0001' };
let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response, { path }) => {
    // A backend that cannot count leaves it to the gateway.
    if (path.includes('input_tokens')) json(response, 404, { error: { message: 'not found' } });
    else json(response, 200, { ...WHOLE.responses('Yes.'), usage: null });
  };
});
afterAll(async () => {
  await place.end();
  await recorder.close();
});

function begin(): Promise<Served> {
  const config = {
    keys: [{ name: 'a', key: HEADERS['x-api-key'], tokensPerMinute: 1_000_000_000 }],
    backends: {
      r: { dialect: 'responses', state: 'own', baseUrl: recorder.url },
      forgetful: { dialect: 'responses', baseUrl: recorder.url, state: 'none', domain: 'forgetful.example' },
      other: { dialect: 'responses', state: 'own', baseUrl: recorder.url, domain: 'other.example' },
    },
    models: { m: { backend: 'r' }, forgetful: { backend: 'forgetful' } },
    log: { level: 'silent' },
  };
  return place.serve(['--config', place.file('figures.json', JSON.stringify(config))]);
}

/** Processor time in ms and peak memory in MB of a process. */
function usageOf(pid: number): { cpu: number; rss: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpu: (Number(fields[11]) + Number(fields[12])) * 10, rss: Math.round(Number(peak) / 1024) };
}

interface Request {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

interface Attack {
  readonly row: number;
  readonly attack: string;
  readonly times?: number;
  readonly request: () => Request;
}

const ask = (more: object) => ASK.messages('m', more).body;
const post = (body: unknown, path = '/v1/messages'): Request => ({
  path,
  body: Buffer.from(JSON.stringify(body)),
  headers: HEADERS,
});
const packed = (text: string): Request => ({
  path: '/v1/messages',
  body: squeezed(text),
  headers: { ...HEADERS, 'content-encoding': 'br' },
});
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

/** A schema with levels of definitions, of which each names the next one ten times. */
function branching(levels: number): object {
  const definition = (level: number) =>
    level + 1 === levels ? { type: 'object' } : { allOf: Array(10).fill({ $ref: `#/$defs/d${level + 1}` }) };
  const $defs = Object.fromEntries(Array.from({ length: levels }, (_, level) => [`d${level}`, definition(level)]));
  return { type: 'object', $defs, allOf: [{ $ref: '#/$defs/d0' }] };
}

const ATTACKS: readonly Attack[] = [
  { row: 1, attack: '15,500 slashes without a key', request: () => ({ path: LONG_PATHS.slashes }) },
  {
    row: 2,
    attack: 'schema of 10^14 branches',
    request: () => post(ask({ tools: [{ name: 'f', strict: true, input_schema: branching(15) }] })),
  },
  {
    row: 3,
    attack: '70,000 turns of one speaker, compressed',
    request: () =>
      packed(JSON.stringify(ask({ messages: Array.from({ length: 70_000 }, () => ({ role: 'user', content: 'x' })) }))),
  },
  {
    row: 4,
    attack: '20 MB of empty objects, compressed',
    request: () => packed(withValues(ask({}), 'junk', 7_000_000)),
  },
  { row: 6, attack: '4 MB of words of 1,023 letters', request: () => post(ask(user(nearlyFiles(4000)))) },
  {
    row: 7,
    attack: '10 bodies of 60 MB of junk, compressed',
    times: 10,
    request: () => packed(withValues(ask({}), 'junk', 20_000_000)),
  },
  {
    row: 8,
    attack: '4,000 losses in a relayed history',
    request: () => post({ model: 'forgetful', input: foreignState('other.example', 4000) }, '/v1/responses'),
  },
  {
    row: 16,
    attack: '30,000 MCP servers',
    request: () => {
      const server = (_: unknown, n: number) => ({ type: 'url', name: `s${n}`, url: 'https://example.com' });
      return post(ask({ mcp_servers: Array.from({ length: 30_000 }, server) }));
    },
  },
  {
    row: 18,
    attack: 'picture of 45 MB',
    request: () => {
      const data = 'iVBORw0KGgoAAAANSUhEUgAA'.padEnd(45_000_000, 'Ab3/');
      return post(ask(user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }])));
    },
  },
  {
    row: 18,
    attack: '5,000 messages of 6 kB',
    request: () => {
      const turn = (_: unknown, n: number) => ({
        role: n % 2 === 0 ? 'user' : 'assistant',
        content: 'word '.repeat(1200),
      });
      return post(ask({ messages: Array.from({ length: 4999 }, turn) }));
    },
  },
  {
    row: 19,
    attack: 'count of 3.8 MB of random letters',
    request: () => post(ask(user(letters(3_800_000))), '/v1/messages/count_tokens'),
  },
];

/**
 * The waits of a client that asks for nothing but health, in ms that the thread which serves everybody worked meanwhile; `take`
 * gives those since the last time.
 */
function secondClient(url: string, pid: number): { take(): number[]; end(): Promise<void> } {
  let waits: number[] = [];
  let over = false;
  const asking = (async () => {
    while (!over) {
      const begun = loopMs(pid);
      expect((await send(url, '/healthz')).status).toBe(200);
      waits.push(loopMs(pid) - begun);
      await sleep(5);
    }
  })();
  return {
    take() {
      const taken = waits;
      waits = [];
      return taken;
    },
    async end() {
      over = true;
      await asking;
    },
  };
}

test.each(ATTACKS)(
  'row $row: $attack',
  async ({ row, attack, times = 1, request }) => {
    const made = request();
    const served = await begin();
    const pid = served.child.pid ?? 0;
    // What a gateway loads with its first exchanges is not the attacker's doing.
    for (const first of [post(ask(user('Hi'))), post({ model: 'forgetful', input: 'Hi' }, '/v1/responses')])
      await send(served.url, first.path, first);
    const other = secondClient(served.url, pid);
    await sleep(1000);
    const calm = quantile(other.take(), 0.99);
    // Of a slow processor, more.
    const most = Math.max(350, 300 * calm);
    let stall = Number.POSITIVE_INFINITY;
    let cpu = 0;
    let status: number[] = [];
    // In one of six the collector does nothing.
    for (let run = 0; run < 6 && !(stall < most); run += 1) {
      const before = usageOf(pid);
      const answers = await Promise.all(Array.from({ length: times }, () => send(served.url, made.path, made)));
      await sleep(20);
      stall = Math.min(stall, Math.max(...other.take()));
      cpu = usageOf(pid).cpu - before.cpu;
      status = [...new Set(answers.map((answer) => answer.status))].sort();
    }
    const { rss } = usageOf(pid);
    await other.end();
    tellFigures('attack', { row, attack, stall: Math.round(stall), calm: Math.round(calm), cpu, rss, status });
    served.child.kill('SIGKILL');
    await served.exit;
    for (const one of status) expect([200, 400, 414, 503]).toContain(one);
    expect(stall).toBeLessThan(most);
  },
  60_000,
);
