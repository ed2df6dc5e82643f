import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dialectIds } from '../../translators/index.js';
import { exchange, inParallel } from '../backend/faults/cells.js';
import { eventsOf } from '../backend/faults/checks.js';
import { filePart, formHeaders, formOf } from '../media/form.js';
import { dialectAt } from '../support/dialect-at.js';
import { tableOf } from '../support/dialects/index.js';
import {
  ASK,
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  vendorsAt,
  WHOLE,
} from '../support/gateway/harness.js';
import { longConversation } from '../support/long-conversation.js';
import { PAIRS } from '../support/pairs.js';
import { png } from '../support/pictures.js';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  const vendors = vendorsAt(recorder.url);
  gateway = await startGateway({
    backends: vendors.backends,
    models: {
      ...vendors.models,
      'img-multi': { backend: 'responses' },
      'sora-2': { backend: 'responses' },
    },
    store: { type: 'off' },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const CASES = PAIRS.map(([client, dialect]) => ({ client, dialect }));

const SUCCESS = tableOf('saysFinish');

const LAST = tableOf('finishText');

describe('hardening.md row 38: a stream that is cut is never a whole answer, over HTTP', () => {
  test.each(CASES)('$client client, $dialect backend', async ({ client, dialect }) => {
    const bytes = Buffer.from(FRAMES[dialect]('Grüße 😀').join(''));
    const before = bytes.indexOf(LAST[dialect]);
    const cuts = Array.from({ length: 12 }, (_, index) => Math.floor((before * (index + 0.5)) / 12));
    const { path, body } = STREAM[client](dialect);
    for (const how of ['end', 'destroy'] as const) {
      for (const cut of cuts) {
        recorder.reply = (response) => {
          response.writeHead(200, EVENT_STREAM);
          response.write(bytes.subarray(0, cut), () => (how === 'end' ? response.end() : response.destroy()));
        };
        const told = await exchange(gateway.url, path, body).catch(() => undefined);
        if (told === undefined || told.status !== 200 || (!told.complete && client === dialect)) continue;
        const events = eventsOf(told.text.replace(/^\s*\{"error".*$/ms, ''), 'stream');
        expect({ how, cut, success: events.filter(SUCCESS[client]) }).toEqual({ how, cut, success: [] });
      }
    }
  });
});

describe('hardening.md row 44: line ends of every kind, in pieces of every size', () => {
  test.each(CASES)('$client client, $dialect backend', async ({ client, dialect }) => {
    const frames = FRAMES[dialect]('Grüße 😀').join('').replaceAll('\r\n', '\n');
    const { path, body } = STREAM[client](dialect);
    for (const [eol, size] of [
      ['\n', 1],
      ['\r\n', 2],
      ['\r\n', 7],
      ['\r', 3],
    ] as const) {
      const bytes = Buffer.from(frames.replaceAll('\n', eol));
      recorder.reply = (response) => {
        response.writeHead(200, EVENT_STREAM);
        for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
        response.end();
      };
      const { status, text } = await send(gateway.url, path, { body });
      const events = eventsOf(text.replaceAll(/\r\n|\r/g, '\n'), 'stream');
      expect([status, events.filter(SUCCESS[client]).length]).toEqual([200, 1]);
      expect(text).not.toContain('\ufffd');
      expect(events.map((event) => JSON.stringify(event)).join('')).toContain('ße 😀');
    }
  });
});

// One for each client; the others are part of the long runs.
test('hardening.md row 63: a conversation of 30 MB passes, relayed and translated', async () => {
  recorder.reply = (response, { path }) => {
    const dialect = dialectAt(path);
    json(response, 200, WHOLE[dialect]('read'));
  };
  const pairs = CASES.filter(
    ({ client, dialect }) => dialectIds.indexOf(client) + dialectIds.indexOf(dialect) === dialectIds.length - 1,
  );
  for (const { client, dialect } of pairs) {
    recorder.seen.length = 0;
    const body = JSON.stringify(longConversation(client, dialect, 40, 30 * 1024 * 1024));
    expect(body.length).toBeGreaterThan(30_000_000);
    const { status, text } = await send(gateway.url, ASK[client](dialect).path, { body });
    expect([status, text.includes('read')]).toEqual([200, true]);
    expect(recorder.seen[0]?.body.length).toBeGreaterThan(29_000_000);
  }
}, 60_000);

describe('hardening.md row 59: a form that ends early is refused, wherever it ends', () => {
  const forms = {
    '/v1/images/edits': formOf([
      filePart('image', png({ width: 8, height: 8 }), 'a.png', 'image/png'),
      { name: 'prompt', value: 'a hat' },
      { name: 'model', value: 'img-multi' },
    ]),
    '/v1/videos': formOf([
      { name: 'prompt', value: 'a hat' },
      filePart('input_reference', png({ width: 8, height: 8 }), 'a.png', 'image/png'),
      { name: 'model', value: 'sora-2' },
    ]),
  };
  test.each(Object.entries(forms))('%s', async (path, form) => {
    recorder.seen.length = 0;
    // All of the frame around the picture, some of the picture; the last line end is nobody's loss.
    const cuts = Array.from({ length: form.length - 2 }, (_, index) => index).filter(
      (index) => index % 11 === 0 || index > form.length - 60,
    );
    const wrong: string[] = [];
    const tasks = cuts.map((cut) => async () => {
      const body = form.subarray(0, cut);
      const { status } = await send(gateway.url, path, { body, headers: formHeaders(body) });
      if (status !== 400) wrong.push(`${cut} of ${form.length}: ${status}`);
    });
    await inParallel(tasks, 8);
    expect(wrong).toEqual([]);
    expect(recorder.seen).toEqual([]);
  });
});
