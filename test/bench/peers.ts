import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { agentConversation, agentOpening } from '../support/agent-conversation.js';
import { tableOf } from '../support/dialects/index.js';
import { createWorkplace } from '../support/gateway/program.js';
import { PACKAGE_ROOT } from '../support/package-root.js';
import { translateRequest } from './built.js';
import { freshBytes, MARK } from './fresh.js';
import type { LoadOrder } from './load.js';
import type { Load } from './load-process.js';
import { compare, type Effort, type Row, ratioRow } from './measure.js';
import { processorMs } from './pauses.js';

const FOLDER = join(PACKAGE_ROOT, 'test/bench/peers/node_modules');
const GATEWAY = '@portkey-ai/gateway';
const LIBRARY = 'llm-bridge';

const CALLS = tableOf('agentCall');
const COUNT = 400;
/** Rounds before those that count: of the first thousands of exchanges the compiler takes a quarter, of ours and of theirs. */
const WARM = 12;
const ROUNDS = WARM + 7;

/** Name and version of each peer; undefined where it is not installed. */
export const PEERS: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  [GATEWAY, LIBRARY].map((name) => [name, versionOf(name)]),
);

function versionOf(name: string): string | undefined {
  const file = join(FOLDER, name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined;
}

/** The same work done by others in the same run: chat completions to messages, which both can. */
export async function benchPeers(load: Load, effort: Effort): Promise<readonly Row[]> {
  const rows: Row[] = [];
  if (PEERS[GATEWAY] !== undefined) rows.push(await besideGateway(load));
  if (PEERS[LIBRARY] !== undefined) rows.push(await besideLibrary(effort));
  return rows;
}

/** Both gateways as processes of their own; processor time for each exchange. */
async function besideGateway(load: Load): Promise<Row> {
  const place = createWorkplace();
  const port = await freePort();
  const peer = spawn(
    process.execPath,
    [join(FOLDER, GATEWAY, 'build/start-server.js'), `--port=${port}`, '--headless'],
    {
      stdio: 'ignore',
      env: { ...process.env, NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
    },
  );
  try {
    const baseUrl = `http://127.0.0.1:${load.port}`;
    const config = {
      backends: { b: { dialect: 'messages', baseUrl } },
      models: { m: { backend: 'b' } },
      log: { level: 'error' },
    };
    const { url, child } = await place.serve(['--config', place.file('bench.json', JSON.stringify(config))]);
    await reachable(port);
    const ours = orderOf(`${url}/v1/chat/completions`, 'm', {});
    const theirs = orderOf(`http://127.0.0.1:${port}/v1/chat/completions`, 'claude-sonnet-4-5', {
      'x-portkey-provider': 'anthropic',
      'x-portkey-custom-host': `${baseUrl}/v1`,
      authorization: 'Bearer key',
    });
    const times: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      times.push(await spent(load, ours, child));
      floors.push(await spent(load, theirs, peer));
    }
    return ratioRow(
      { target: 'peerGateway', detail: 'chatCompletions to messages' },
      times.slice(WARM),
      floors.slice(WARM),
    );
  } finally {
    peer.kill('SIGKILL');
    await place.end();
  }
}

function orderOf(url: string, model: string, more: Readonly<Record<string, string>>): LoadOrder {
  const { members } = CALLS.chatCompletions({ model, stream: false, stored: false });
  const opening = agentOpening('chatCompletions', { tools: 3, system: 12 });
  const text = JSON.stringify({ ...opening, ...members }).replace('Begin with', `${MARK}: begin with`);
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)), ...more };
  return { url, body: text, headers, count: COUNT, concurrency: 16 };
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

async function reachable(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const there = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (there) return;
    await delay(100);
  }
  throw new Error(`${GATEWAY} does not listen`);
}

/** Translates the same conversation. What the other library checks or tells of losses is its own affair. */
async function besideLibrary(effort: Effort): Promise<Row> {
  const { translateBetweenProviders } = (await import(pathToFileURL(join(FOLDER, LIBRARY, 'dist/index.mjs')).href)) as {
    translateBetweenProviders(from: string, to: string, body: unknown): unknown;
  };
  const text = JSON.stringify(agentConversation('chatCompletions', 75)).replace('Go on until', `${MARK}: go on until`);
  const bytes = freshBytes(text);
  const decoder = new TextDecoder();
  return compare(
    { target: 'peerLibrary', detail: 'chatCompletions to messages' },
    {
      fresh: () => JSON.parse(decoder.decode(bytes())) as unknown,
      work: (body) => {
        translateRequest({ from: 'chatCompletions', to: 'messages', body, model: 'claude-sonnet-4-5', stream: true });
      },
      floor: (body) => {
        translateBetweenProviders('openai', 'anthropic', body);
      },
    },
    effort,
  );
}
