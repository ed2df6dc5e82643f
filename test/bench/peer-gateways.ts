import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { V8_FLAGS } from '../../src/cli/flags.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
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

/** A fake service of each dialect that a gateway leads to: `via-D` with its key, `locked-D` with one that it refuses. */
export type Services = Readonly<
  Record<FakeDialectName, { readonly url: string; readonly model: string; readonly key: string }>
>;

/** How a gateway is started, as its makers say that it is to be run. */
interface Command {
  readonly words: readonly [string, ...string[]];
  readonly env?: Record<string, string>;
}

/** A gateway of others in front of services of all dialects, for the tests with the official clients. */
interface PeerStage {
  /** Clients of `client` reach a service of `backend`, as its documents have it. */
  routes(client: FakeDialectName, backend: FakeDialectName): boolean;
  command(services: Services, place: Pick<Place, 'work' | 'port'>): Command;
  /** What its clients send beside what they would send anyway, for a model such as `via-messages`. */
  headers?(model: string, services: Services): Readonly<Record<string, string>>;
  /** The name by which a request asks for such a model, where it is not the same. */
  modelOf?(model: string, services: Services): string;
  /** The cap that its clients name where they would name none; absent where it sets one itself. */
  readonly maxTokens?: number;
  /** The key of its callers; absent where it has none and passes on that of the service. */
  readonly key?: string;
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
  command(place: Place): Command;
  /** The model and the headers of a request that is to reach the backend. */
  readonly model: string;
  headers(place: Pick<Place, 'baseUrl'>): Readonly<Record<string, string>>;
  /** Exchanges of a round, rounds before those that count (JavaScript needs thousands of exchanges), and those that do. */
  readonly effort: { readonly count: number; readonly warm: number; readonly rounds: number };
  readonly stage: PeerStage;
}

/** Exchanges of ours before any that count: of the first thousands the compiler takes a quarter. */
const WARM = 4000;

/** LiteLLM does not start without one. */
const KEY = `sk-${randomUUID()}`;

/** A key that no service takes. */
const WRONG_KEY = 'a-key-nobody-accepts';

const DIALECTS = [
  'messages',
  'responses',
  'generateContent',
  'chatCompletions',
] as const satisfies readonly FakeDialectName[];

/** Where a model such as `via-messages` leads. */
function serviceOf(name: string, services: Services): { backend: FakeDialectName; model: string; key: string } {
  const backend = DIALECTS.find((dialect) => name.endsWith(`-${dialect}`)) ?? 'messages';
  if (!name.endsWith(`-${backend}`)) return { backend, model: name, key: services[backend].key };
  return { backend, model: services[backend].model, key: name.startsWith('via') ? services[backend].key : WRONG_KEY };
}

const PORTKEY_PROVIDERS: Readonly<Record<FakeDialectName, string>> = {
  messages: 'anthropic',
  responses: 'openai',
  generateContent: 'google',
  chatCompletions: 'openai',
};

function portkey(port: number): Command {
  const words = [moduleFile('@portkey-ai/gateway', 'build/start-server.js'), `--port=${port}`, '--headless'];
  return {
    words: [process.execPath, ...words],
    env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
  };
}

/** What stands before the name of a model, and behind the address of a service. */
const LITELLM_PROVIDERS: Readonly<Record<FakeDialectName, readonly [prefix: string, path: string]>> = {
  messages: ['anthropic/', ''],
  responses: ['openai/responses/', '/v1'],
  generateContent: ['gemini/', '/v1beta'],
  chatCompletions: ['hosted_vllm/', '/v1'],
};

function litellm(config: object, { work, port }: Pick<Place, 'work' | 'port'>): Command {
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
}

/** The type of a service, and what stands behind its address. */
const ROSETTA_PROVIDERS: Readonly<Record<FakeDialectName, readonly [type: string, path: string]>> = {
  messages: ['anthropic', ''],
  responses: ['openai_responses', '/v1'],
  generateContent: ['google', ''],
  chatCompletions: ['openai_chat', '/v1'],
};

/** Its keys stand in a database that only its page writes, so that it is open here. */
function rosetta(providers: object, models: object, { work, port }: Pick<Place, 'work' | 'port'>): Command {
  const server = { host: '127.0.0.1', port, open_on_no_keys: true, data_dir: work.folder };
  const file = work.file('rosetta.jsonc', JSON.stringify({ providers, models, server }));
  return {
    words: [pythonCommand('llm-rosetta-gateway'), '--config', file, '--no-banner', '--log-level', 'error'],
    env: { HOME: work.folder },
  };
}

/** Each as its makers say that it is to be run in production, with one process. */
export const GATEWAYS: readonly PeerGateway[] = [
  {
    name: '@portkey-ai/gateway',
    version: () => moduleVersion('@portkey-ai/gateway'),
    rows: { small: 'peerPortkey' },
    command: ({ port }) => portkey(port),
    model: 'claude-sonnet-4-5',
    headers: ({ baseUrl }) => ({
      'x-portkey-provider': 'anthropic',
      'x-portkey-custom-host': `${baseUrl}/v1`,
      authorization: 'Bearer key',
    }),
    effort: { count: 400, warm: 12, rounds: 7 },
    stage: {
      routes: (client, backend) =>
        client === 'chatCompletions' ? backend !== 'responses' : client === backend && client !== 'generateContent',
      command: (_services, { port }) => portkey(port),
      headers(model, services) {
        const { backend, key } = serviceOf(model, services);
        return {
          'x-portkey-provider': PORTKEY_PROVIDERS[backend],
          'x-portkey-custom-host': `${services[backend].url}/${backend === 'generateContent' ? 'v1beta' : 'v1'}`,
          authorization: `Bearer ${key}`,
        };
      },
      modelOf: (model, services) => serviceOf(model, services).model,
      // It sets none where a service wants one, and says so.
      maxTokens: 4096,
    },
  },
  {
    name: 'litellm',
    version: () => pythonVersion('litellm'),
    rows: { small: 'peerLitellm', agent: 'peerLitellmAgent' },
    command: ({ work, port, baseUrl }) => {
      const params = { model: 'anthropic/claude-sonnet-4-5', api_base: baseUrl, api_key: 'key' };
      return litellm({ model_list: [{ model_name: 'm', litellm_params: params }] }, { work, port });
    },
    model: 'm',
    headers: () => ({ authorization: `Bearer ${KEY}` }),
    // It is as warm after a few hundred as it gets, and takes thirty times as long for each.
    effort: { count: 100, warm: 2, rounds: 5 },
    stage: {
      key: KEY,
      routes: () => true,
      command(services, place) {
        const models = DIALECTS.flatMap((backend) => {
          const { url, model, key } = services[backend];
          const [prefix, path] = LITELLM_PROVIDERS[backend];
          return [`via-${backend}`, `locked-${backend}`].map((name) => ({
            model_name: name,
            litellm_params: {
              model: `${prefix}${model}`,
              api_base: `${url}${path}`,
              api_key: name.startsWith('via') ? key : WRONG_KEY,
              // It takes servers of this kind for ones that have the route of responses as well.
              ...(backend === 'chatCompletions' && { use_chat_completions_api: true }),
            },
          }));
        });
        // Without this it refuses what a service does not know; what it drops it does not tell.
        const settings = { litellm_settings: { drop_params: true, num_retries: 0 } };
        // One failure that a test asks for must not answer the tests behind it.
        return litellm({ model_list: models, ...settings, router_settings: { disable_cooldowns: true } }, place);
      },
    },
  },
  {
    name: 'llm-rosetta',
    version: () => pythonVersion('llm_rosetta'),
    rows: { small: 'peerRosetta', agent: 'peerRosettaAgent' },
    command: ({ work, port, baseUrl }) =>
      rosetta({ b: { type: 'anthropic', base_url: baseUrl, api_key: 'key' } }, { m: 'b' }, { work, port }),
    model: 'm',
    headers: () => ({}),
    effort: { count: 200, warm: 2, rounds: 5 },
    stage: {
      routes: () => true,
      command(services, place) {
        const names = DIALECTS.flatMap((backend) => [`via-${backend}`, `locked-${backend}`]);
        const providers = names.map((name) => {
          const { backend, key } = serviceOf(name, services);
          const [type, path] = ROSETTA_PROVIDERS[backend];
          return [name, { type, base_url: `${services[backend].url}${path}`, api_key: key }] as const;
        });
        const models = names.map((name) => {
          const { model } = serviceOf(name, services);
          return [name, { provider: name, upstream_model: model, capabilities: ['text', 'vision', 'tools'] }] as const;
        });
        return rosetta(Object.fromEntries(providers), Object.fromEntries(models), place);
      },
    },
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
    const served = await work.serve(['--config', work.file('bench.json', JSON.stringify(config))], { flags: V8_FLAGS });
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

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Resolves once a server answers; LiteLLM takes several seconds to start. Throws where it ends instead, or takes minutes. */
export async function reachable(name: string, port: number, child: ChildProcess): Promise<void> {
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
