import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseConfig } from '../../../src/config/load.js';
import { leakGuardFor } from '../../../src/exchange/answer-guard.js';
import { tableOf } from '../../support/dialects/index.js';
import {
  AS_SDKS,
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  likeVendor,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../../support/gateway/harness.js';
import { runs } from '../../support/runs.js';

/** A backend that echoes the key it is called with: no byte of an answer that holds it reaches a client (configuration.md#access). */

const KEY = 'sk-told.Canary+4f7d0c93b1a2e865';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: Object.fromEntries(
      DIALECTS.map((dialect) => [
        dialect,
        { ...likeVendor(dialect), baseUrl: recorder.url, apiKey: KEY, retries: 0, breaker: false },
      ]),
    ),
    models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.seen.length = 0;
});

/** Answers with pieces that arrive one by one. */
function inPieces(pieces: readonly string[]): (response: ServerResponse) => Promise<void> {
  return async (response) => {
    response.writeHead(200, EVENT_STREAM);
    for (const piece of pieces) {
      response.write(piece);
      await sleep(15);
    }
    response.end();
  };
}

function ask(dialect: (typeof DIALECTS)[number]) {
  const { path, body } = STREAM[dialect](dialect);
  return send(gateway.url, path, { body, ...AS_SDKS });
}

/** The text of an answer, up to where its connection breaks. */
async function beforeBreak({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of body ?? []) pieces.push(piece);
  } catch {
    // What came is what counts.
  }
  return Buffer.concat(pieces).toString();
}

const HALF = KEY.length / 2;

const FAILED = tableOf('failureText');

describe.each(DIALECTS)('a relayed stream of %s', (dialect) => {
  const frames = FRAMES[dialect]('Hello');
  const [first = '', ...others] = frames;

  test.each<[string, readonly string[]]>([
    ['in a comment', [first, `: key=${KEY}\n\n`, ...others]],
    ['in a comment of two pieces', [first, `: key=${KEY.slice(0, HALF)}`, `${KEY.slice(HALF)}\n\n`, ...others]],
    ['in a comment in pieces of one byte', [first, ': ', ...KEY, '\n\n', ...others]],
    ['in a field that nobody knows', [first, `x-key: ${KEY}\n`, ...others]],
    ['in an event', [first, first.replace('{', `{"x_new":"${KEY}",`), ...others]],
    ['beside events in one piece', [`${first}: ${KEY}\n\n${others.join('')}`]],
    ['before all events', [`: ${KEY}\n\n`, ...frames]],
  ])('%s: it is cut', async (_where, pieces) => {
    recorder.reply = inPieces(pieces);
    const answer = await ask(dialect).catch(() => undefined);
    if (answer === undefined) return;
    expect(answer.text).not.toContain(KEY.slice(0, 12));
    expect(answer.text).not.toContain(KEY.slice(-12));
    expect(answer.text).not.toContain(others.at(-1)?.trim());
  });

  test('between two events it ends with an error of the dialect', async () => {
    // Beside the secret in one piece the event would be refused with a status.
    const client = new EventEmitter();
    recorder.reply = async (response) => {
      const begun = once(client, 'begun');
      response.writeHead(200, EVENT_STREAM);
      response.write(first);
      await begun;
      response.end(`: key=${KEY}\n\n${others.join('')}`);
    };
    const { path, body } = STREAM[dialect](dialect);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    client.emit('begun');
    const text = await beforeBreak(answer);
    expect(text.startsWith(first)).toBe(true);
    expect(text).toContain(FAILED[dialect]);
    expect(text).toContain('a secret of the gateway');
  });

  test('before the first event it is answered with a status', async () => {
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.end(`: ${KEY}\n\n${frames.join('')}`);
    };
    const { status, text } = await ask(dialect);
    expect(status).toBe(dialect === 'generateContent' ? 503 : 502);
    expect(text).toContain('a secret of the gateway');
  });

  test('behind the last word nothing more comes', async () => {
    recorder.reply = inPieces([...frames, `: ${KEY}\n\n`]);
    expect((await ask(dialect)).text).toBe(frames.join(''));
  });

  test('what only begins like a key passes byte for byte', async () => {
    const pieces = [first, `: ${KEY.slice(0, -1)}`, `.\n\n: s`, `k\n\n`, ...others];
    recorder.reply = inPieces(pieces);
    expect((await ask(dialect)).text).toBe(pieces.join(''));
  });

  test('a whole answer is not told', async () => {
    recorder.reply = (response) => json(response, 200, WHOLE[dialect](`it is ${KEY}`));
    const { path, body } = ASK[dialect](dialect);
    const { status, text } = await send(gateway.url, path, { body });
    expect(status).toBe(dialect === 'generateContent' ? 503 : 502);
    expect(text).not.toContain(KEY.slice(0, 12));
  });
});

test('a guard gives every byte back that is no secret, however it is cut', () => {
  const { backends } = parseConfig({
    backends: {
      b: { dialect: 'messages', baseUrl: 'http://a', apiKey: 'aabaabab', headers: { 'x-auth-token': 'bbbabbba"' } },
    },
  });
  const { b } = backends;
  if (b === undefined) throw new Error('no backend');
  const letters = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\'), minLength: 1, maxLength: 9 }));
  fc.assert(
    fc.property(letters, (pieces) => {
      const guard = leakGuardFor(b);
      const out: Uint8Array[] = [];
      for (const piece of pieces) out.push(guard.pass(Buffer.from(piece)) ?? Buffer.alloc(0));
      out.push(guard.rest() ?? Buffer.alloc(0));
      const whole = pieces.join('');
      const text = Buffer.concat(out).toString();
      const secrets = ['aabaabab', 'bbbabbba"', 'bbbabbba\\"'];
      const told = secrets.some((secret) => whole.includes(secret));
      expect(guard.leaked).toBe(told);
      expect(told ? whole.startsWith(text) : text === whole).toBe(true);
      expect(secrets.some((secret) => text.includes(secret))).toBe(false);
    }),
    { numRuns: runs(500) },
  );
});
