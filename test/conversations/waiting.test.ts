import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { open, type RootDatabase } from 'lmdb';
import { FILE_OPTIONS } from '../../src/store/lmdb-options.js';
import { FRAMES, WHOLE } from '../support/answers.js';
import type { Tree } from '../support/gateway/harness.js';
import { type Program, startProgram } from '../support/load/program.js';
import { listen, shut } from '../support/sockets.js';
import { until } from '../support/until.js';

const KB = 1024;
const CLIENTS = 32;
/** A request of some 60 kB in many small values: a body that is held takes more than its own size. */
const INPUT = Array.from({ length: 600 }, (_, index) => ({ role: 'user', content: `word ${index} `.repeat(4) }));

const folder = mkdtempSync(join(tmpdir(), 'interlingua-waiting-'));
/** Requests that wait for their backend's answer, which is the same for all. */
const asked: ServerResponse[] = [];
const backend = createServer((incoming, response) => {
  incoming.resume().on('end', () => asked.push(response));
});
const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
let program: Program;
/** The file of the store as another process has it. */
let file: RootDatabase;

beforeAll(async () => {
  const baseUrl = await listen(backend);
  program = await startProgram({
    backends: { b: { dialect: 'messages', baseUrl } },
    models: { m: { backend: 'b' } },
    store: { type: 'lmdb', path: folder },
    log: { level: 'error' },
  });
  file = open({ path: join(folder, 'state.mdb'), ...FILE_OPTIONS });
}, 60_000);
afterAll(async () => {
  agent.destroy();
  await file.close();
  await program.close();
  await shut(backend);
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  asked.splice(0);
});

/** Lets no process write to the store until `release` is called: the file has one that writes at a time. */
function holdWriters(): () => Promise<void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // A transaction lasts as long as what it gives, of which its types know nothing.
  const held = file.transactionSync(() => released) as unknown as Promise<void>;
  return async () => {
    release();
    await held;
  };
}

interface Asked {
  text: string;
  readonly ended: Promise<void>;
  leave(): void;
}

function ask(stream: boolean): Asked {
  const outgoing = request(`${program.url}/v1/responses`, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json' },
  });
  const one: Asked = { text: '', ended: read(), leave: () => outgoing.destroy() };
  async function read(): Promise<void> {
    const [answer]: IncomingMessage[] = await once(outgoing, 'response');
    for await (const piece of answer ?? []) one.text += String(piece);
  }
  one.ended.catch(() => {});
  outgoing.end(JSON.stringify({ model: 'm', stream, input: INPUT, top_logprobs: 3 }));
  return one;
}

/** Answers all who wait once so many do. */
async function answerAll(count: number, stream: boolean): Promise<void> {
  await until(() => asked.length === count);
  const words = 'an answer of some words '.repeat(100);
  for (const response of asked.splice(0)) {
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
    if (!stream) response.end(JSON.stringify(WHOLE.messages(words)));
    else response.end(FRAMES.messages(words).join(''));
  }
}

test.each([false, true])(
  'an exchange that waits for the store holds little of its request: stream %j',
  async (stream) => {
    const askAll = (): Asked[] => Array.from({ length: CLIENTS }, () => ask(stream));
    // The first ones compile, and open the connections.
    for (let round = 0; round < 3; round += 1) {
      const warming = askAll();
      await answerAll(CLIENTS, stream);
      await Promise.all(warming.map(({ ended }) => ended));
    }
    const { memory: before } = await program.holding();
    const release = holdWriters();
    const waiting = askAll();
    let ended = 0;
    for (const one of waiting)
      void one.ended.then(() => {
        ended += 1;
      });
    await until(() => asked.length === CLIENTS);
    const { memory: unanswered } = await program.holding();
    await answerAll(CLIENTS, stream);
    const held = (memory: typeof before): number => (memory.heapUsed - before.heapUsed) / CLIENTS / KB;
    try {
      // While a backend is asked the request is needed: more than its own size.
      expect(held(unanswered)).toBeGreaterThan(60);
      await until(async () => held((await program.holding()).memory) < held(unanswered) / 6);
      expect(ended).toBe(0);
    } finally {
      await release();
    }
    await Promise.all(waiting.map((one) => one.ended));
    const [{ text = '' } = {}] = waiting;
    expect(text).toContain(stream ? 'event: response.completed' : '"status":"completed"');
  },
  120_000,
);

test('of a client that leaves while its answer waits for the store everything is reported', async () => {
  const release = holdWriters();
  const left = async (): Promise<Tree | undefined> => {
    const { exchanges } = (await (await fetch(`${program.url}/live`)).json()) as Tree;
    return exchanges.find(({ outcome, finish }: Tree) => outcome === 'client_closed' && finish !== undefined);
  };
  try {
    const found = await until(async () => {
      const one = ask(false);
      await answerAll(1, false);
      // Where it leaves before its answer was read, there is nothing to tell.
      await program.holding();
      one.leave();
      return left();
    });
    expect(found).toMatchObject({ finish: 'end_turn', tokens: { input: 3, output: 2 }, losses: { counted: 1 } });
  } finally {
    await release();
  }
});
