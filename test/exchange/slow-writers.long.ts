import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askingOf } from '../support/load/ask.js';
import { runErrand } from '../support/load/exchange.js';
import { quantile, rounded, setting, tellFigures } from '../support/load/figures.js';
import { createMarks, DIALECTS, mixedErrand } from '../support/load/mix.js';
import { createRandom, seedOfRun } from '../support/load/random.js';
import { type LongStage, startLongStage } from '../support/load/stage.js';
import { createTally, type Tally } from '../support/load/tally.js';

const WRITERS = setting('WRITERS', 200);
const CALLERS = 50;
const BODY_SECONDS = setting('BODY_SECONDS', 4);
const BYTES_PER_SECOND = 10;
const random = createRandom(seedOfRun());
const mark = createMarks(random);

let stage: LongStage;
beforeAll(async () => {
  stage = await startLongStage({ limits: { bodySeconds: BODY_SECONDS } });
}, 60_000);
afterAll(() => stage.close());

interface Written {
  /** The first line that came back; empty when none did. */
  readonly line: string;
  readonly body: string;
  readonly ms: number;
  /** Bytes of the body that were sent, and that it has. */
  readonly sent: number;
  readonly length: number;
}

/** Sends a body so slowly that it would take minutes, and reads what comes back until the connection closes. */
function writeSlowly(index: number): Promise<Written> {
  const client = DIALECTS[index % DIALECTS.length] ?? 'messages';
  const order = { nonce: mark(), pieces: 2, gapMs: 1, call: false };
  const { path, body } = askingOf(client, client, 'plain', order, 4096);
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const started = performance.now();
  return new Promise((resolve) => {
    let sent = 0;
    let text = '';
    let timer: NodeJS.Timeout | undefined;
    const socket = connect(stage.program.port, '127.0.0.1', () => {
      socket.write(head);
      timer = setInterval(() => {
        socket.write(body.slice(sent, sent + 1));
        sent += 1;
      }, 1000 / BYTES_PER_SECOND);
    });
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      const [headers = '', answer = ''] = text.split('\r\n\r\n');
      resolve({
        line: headers.split('\r\n')[0] ?? '',
        body: answer,
        ms: performance.now() - started,
        sent,
        length: body.length,
      });
    });
  });
}

/** Callers that ask again and again until the time is over. */
async function call(untilMs: number): Promise<{ readonly tally: Tally; readonly times: readonly number[] }> {
  const tally = createTally();
  const times: number[] = [];
  const end = performance.now() + untilMs;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const errand = mixedErrand(random, mark, { streams: 0, aborts: 0, troubles: 0, calls: 0.2 });
      const ending = await runErrand({ url: stage.program.url, agent: stage.agent }, errand);
      times.push(ending.ms);
      tally.add(ending);
      await delay(100);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return { tally, times };
}

test(`${WRITERS} bodies at ${BYTES_PER_SECOND} bytes a second are closed with 408, and nobody else notices`, async () => {
  const alone = await call(2000);
  const writers = Array.from({ length: WRITERS }, (_, index) => writeSlowly(index));
  const beside = await call(BODY_SECONDS * 1000);
  const written = await Promise.all(writers);
  const ms = written.map(({ ms: each }) => each);
  const p99 = [alone, beside].map(({ times }) => rounded(quantile(times, 0.99)));
  tellFigures('slow writers', {
    seed: random.seed,
    writers: WRITERS,
    closedMs: [rounded(quantile(ms, 0)), rounded(quantile(ms, 1))],
    calls: [alone.tally.total, beside.tally.total],
    callsP99Ms: p99,
  });
  expect([...new Set(written.map(({ line }) => line))]).toEqual(['HTTP/1.1 408 Request Timeout']);
  for (const { body } of written) expect(JSON.parse(body).error).toBeDefined();
  // The deadline came while the bodies were on their way.
  expect(written.filter(({ sent, length }) => sent === 0 || sent >= length)).toEqual([]);
  expect([...alone.tally.examples, ...beside.tally.examples]).toEqual([]);
  expect(beside.tally.good).toBeGreaterThan(CALLERS);
  expect(stage.program.stderr).toBe('');
}, 120_000);
