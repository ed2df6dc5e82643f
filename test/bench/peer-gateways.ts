import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createWorkplace, type Workplace } from '../support/gateway/program.js';
import type { LoadOrder } from './load.js';
import type { Load } from './load-process.js';
import { type Row, ratioRow } from './measure.js';
import { orderOf, type Shape } from './order.js';
import { processorMs } from './pauses.js';
import { moduleFile, moduleVersion, pythonCommand, pythonVersion } from './peer-places.js';
import type { TargetName } from './targets.js';

/** Where a peer listens, and the address of the backend, which speaks messages. */
interface Place {
  readonly work: Workplace;
  readonly port: number;
  readonly baseUrl: string;
}

/** A gateway of others. */
export interface PeerGateway {
  /** The package. */
  readonly name: string;
  /** Undefined where it is not installed. */
  version(): string | undefined;
  /** The rows of the bench: one small request, and an agent's with 200 events apart; those that it can answer. */
  readonly rows: Readonly<Partial<Record<Shape['request'], TargetName>>>;
  /** How a server is started that leads to the backend. */
  command(place: Place): { readonly words: readonly [string, ...string[]]; readonly env?: Record<string, string> };
  /** The model and the headers of a request that is to reach the backend. */
  readonly model: string;
  headers(place: Pick<Place, 'baseUrl'>): Readonly<Record<string, string>>;
  /** Exchanges of a round, rounds before those that count (JavaScript needs thousands of exchanges), and those that do. */
  readonly effort: { readonly count: number; readonly warm: number; readonly rounds: number };
}

/** Exchanges of ours before any that count: of the first thousands the compiler takes a quarter. */
const WARM = 4000;

/** LiteLLM does not start without one. */
const KEY = `sk-${randomUUID()}`;

/** Each as its makers say that it is to be run in production, with one process. */
export const GATEWAYS: readonly PeerGateway[] = [
  {
    name: '@portkey-ai/gateway',
    version: () => moduleVersion('@portkey-ai/gateway'),
    // It answers a stream with 500 on Node.js 20: it adds to the headers of a Response of `fetch`.
    rows: { small: 'peerPortkey' },
    command: ({ port }) => ({
      words: [
        process.execPath,
        moduleFile('@portkey-ai/gateway', 'build/start-server.js'),
        `--port=${port}`,
        '--headless',
      ],
      env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
    }),
    model: 'claude-sonnet-4-5',
    headers: ({ baseUrl }) => ({
      'x-portkey-provider': 'anthropic',
      'x-portkey-custom-host': `${baseUrl}/v1`,
      authorization: 'Bearer key',
    }),
    effort: { count: 400, warm: 12, rounds: 7 },
  },
  {
    name: 'litellm',
    version: () => pythonVersion('litellm'),
    rows: { small: 'peerLitellm', agent: 'peerLitellmAgent' },
    command: ({ work, port, baseUrl }) => {
      const params = { model: 'anthropic/claude-sonnet-4-5', api_base: baseUrl, api_key: 'key' };
      const config = { model_list: [{ model_name: 'm', litellm_params: params }] };
      const file = work.file('litellm.yaml', JSON.stringify(config));
      const words = ['--config', file, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'];
      return {
        words: [pythonCommand('litellm'), ...words, '--telemetry', 'False'],
        env: {
          LITELLM_MODE: 'PRODUCTION',
          LITELLM_LOG: 'ERROR',
          LITELLM_LOCAL_MODEL_COST_MAP: 'True',
          LITELLM_MASTER_KEY: KEY,
        },
      };
    },
    model: 'm',
    headers: () => ({ authorization: `Bearer ${KEY}` }),
    // It is as warm after a few hundred as it gets, and takes thirty times as long for each.
    effort: { count: 100, warm: 2, rounds: 5 },
  },
];

/** Ours and a peer as processes of their own; processor time for each exchange, chat completions to messages. */
export async function besideGateway(peer: PeerGateway, load: Load): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const request of ['small', 'agent'] as const) {
    const target = peer.rows[request];
    if (target !== undefined) rows.push(await besideFor(target, request, peer, load));
  }
  return rows;
}

async function besideFor(target: TargetName, request: Shape['request'], peer: PeerGateway, load: Load): Promise<Row> {
  const work = createWorkplace();
  const place = { work, port: await freePort(), baseUrl: `http://127.0.0.1:${backendPort(load, request)}` };
  const { words, env } = peer.command(place);
  const child = spawn(words[0], words.slice(1), { stdio: 'ignore', env: { ...process.env, ...env } });
  try {
    const config = {
      backends: { b: { dialect: 'messages', baseUrl: place.baseUrl } },
      models: { m: { backend: 'b' } },
      log: { level: 'error' },
    };
    const served = await work.serve(['--config', work.file('bench.json', JSON.stringify(config))]);
    await reachable(peer.name, place.port, child);
    const { count, warm, rounds } = peer.effort;
    const shape = { request, stream: request === 'agent', stored: false, count, concurrency: 16 } as const;
    const ours = orderOf(served.url, 'chatCompletions', { model: 'm', ...shape });
    const plain = orderOf(`http://127.0.0.1:${place.port}`, 'chatCompletions', { model: peer.model, ...shape });
    const theirs = { ...plain, headers: { ...plain.headers, ...peer.headers(place) } };
    await load.run({ ...ours, count: WARM });
    const times: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < warm + rounds; round += 1) {
      times.push(await spent(load, ours, served.child));
      floors.push(await spent(load, theirs, child));
    }
    const row = { target, detail: 'chatCompletions to messages' };
    return ratioRow(row, times.slice(warm), floors.slice(warm));
  } finally {
    child.kill('SIGKILL');
    await work.end();
  }
}

function backendPort(load: Load, request: Shape['request']): number {
  return request === 'agent' ? load.apartPort : load.port;
}

/** Processor time of a process for each exchange, in ms. */
async function spent(load: Load, order: LoadOrder, { pid = 0 }: ChildProcess): Promise<number> {
  const before = processorMs(pid);
  await load.run(order);
  return (processorMs(pid) - before) / order.count;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Resolves once a server answers; LiteLLM takes several seconds to start. Throws where it ends instead, or takes minutes. */
async function reachable(name: string, port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1200 && child.exitCode === null; tries += 1) {
    const there = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (there) return;
    await delay(100);
  }
  throw new Error(`${name} does not listen`);
}
