import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { V8_FLAGS } from '../../src/cli/flags.js';
import { type Flow, flood, stall } from '../exchange/flood.js';
import { startFaultyBackend } from '../support/faulty-backend.js';
import { FRAMES, STREAM } from '../support/gateway/harness.js';
import { createWorkplace } from '../support/gateway/program.js';
import { startProgram } from '../support/load/program.js';
import { listen } from '../support/sockets.js';
import type { Row } from './measure.js';

const MB = 1024 * 1024;
/** A server that nobody asks is done with its warm-up by then, and has given back what it needed for it. */
const IDLE_MS = 22_000;
const OPEN = 1000;
/** So many streams begin at once. */
const BATCH = 50;
const STALLED = 100;
/** More than the system's own buffers take of one stream. */
const OFFERED = 24 * MB;

/** Memory of the real program: idle, with a thousand open streams, and for each reader that stalls. */
export async function benchMemory(): Promise<readonly Row[]> {
  const stalled: number[] = [];
  // What is under way when everything stands still differs from one time to the other.
  for (let round = 0; round < 3; round += 1) stalled.push(await stalledReaders());
  return [...(await openStreams()), { target: 'stalled', figures: stalled }];
}

async function openStreams(): Promise<readonly Row[]> {
  const open: ServerResponse[] = [];
  const [head = '', ...frames] = openingOf();
  const backend = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write(head);
      for (const frame of frames) outgoing.write(frame);
      open.push(outgoing);
    });
  });
  const baseUrl = await listen(backend);
  const place = createWorkplace();
  const config = { backends: { b: { dialect: 'messages', baseUrl } }, models: { m: { backend: 'b' } } };
  const served = await place.serve(['--config', place.file('bench.json', JSON.stringify(config))], { flags: V8_FLAGS });
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  try {
    await delay(IDLE_MS);
    const idle = residentMb(served.child.pid);
    for (let count = 0; count < OPEN; count += BATCH) {
      await Promise.all(Array.from({ length: BATCH }, () => begin(served.url, agent)));
    }
    for (let second = 0; second < 5; second += 1) {
      await delay(1000);
      for (const stream of open) stream.write(frames.at(-1));
    }
    await delay(500);
    return [
      { target: 'idle', figures: [idle] },
      { target: 'open', figures: [residentMb(served.child.pid)], detail: 'responses to messages, stored' },
    ];
  } finally {
    agent.destroy();
    await place.end();
    backend.closeAllConnections();
    backend.close();
  }
}

/** The frames of an answer up to its first text, and twenty more of the same. */
function openingOf(): readonly string[] {
  const all = FRAMES.messages('a few words of an answer that goes on');
  const begun = all.slice(0, 3);
  return [...begun, ...Array.from({ length: 20 }, () => begun.at(-1) ?? '')];
}

/** Resolves when the first text is there. What follows is read and forgotten. */
async function begin(url: string, agent: Agent): Promise<void> {
  const { path, body } = STREAM.responses('m');
  const asked = request(url + path, { method: 'POST', agent, headers: { 'content-type': 'application/json' } });
  asked.on('error', () => {});
  asked.end(JSON.stringify(body));
  const [answer] = await once(asked, 'response');
  answer.on('error', () => {});
  let length = 0;
  await new Promise<void>((resolve) => {
    answer.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > 2000) resolve();
    });
  });
}

function residentMb(pid = 0): number {
  const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(found) / 1024;
}

/** What a reader that stalls costs, in kB, after the collector ran. */
async function stalledReaders(): Promise<number> {
  const backend = await startFaultyBackend();
  const flows: Flow[] = [];
  flood(backend, 'long', OFFERED, flows);
  flood(backend, 'short', MB, []);
  const program = await startProgram({
    backends: { b: { dialect: 'messages', baseUrl: backend.url } },
    models: { 'messages/*': { backend: 'b', model: '*' } },
    limits: { writeIdleSeconds: 120 },
    log: { level: 'silent' },
    store: { type: 'off' },
  });
  const sockets: Socket[] = [];
  const held = async (): Promise<number> => {
    const { memory } = await program.holding();
    return memory.heapUsed + memory.arrayBuffers;
  };
  const { path, body } = STREAM.responses('messages/short');
  const ask = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    // The first ones load what is needed.
    for (let count = 0; count < 20; count += 1) await (await fetch(program.url + path, ask)).arrayBuffer();
    const before = await held();
    for (let count = 0; count < STALLED; count += 1) {
      sockets.push(stall(program.port, count % 2 === 0 ? 'generateContent' : 'responses', 'messages/long'));
    }
    // Until no backend gets rid of anything any more.
    const sum = (): number => flows.reduce((total, { sent }) => total + sent, 0);
    for (let last = -1; flows.length < STALLED || sum() !== last; await delay(2000)) last = sum();
    return ((await held()) - before) / STALLED / 1024;
  } finally {
    for (const socket of sockets) socket.destroy();
    await program.close();
    await backend.close();
  }
}
