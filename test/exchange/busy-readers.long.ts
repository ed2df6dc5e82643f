import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dialectAt } from '../support/dialect-at.js';
import { tableOf } from '../support/dialects/index.js';
import {
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  type Recorder,
  STREAM,
  startGateway,
  startRecorder,
  type TestGateway,
  vendorsAt,
} from '../support/gateway/harness.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

const FAILURES = 1000;
/** Before a backend breaks: its first frames have gone through the gateway by then, so that the failure is one of a stream. */
const BREAK_MS = 60;

/** What the gateway says of such a backend, with the end of its frame. */
const ERROR = /the connection to the backend broke.*\r?\n\r?\n/;

const OPENING = tableOf('openingFrames');

let backend: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  backend = await startRecorder();
  backend.reply = (response, { path }) => {
    const dialect = dialectAt(path);
    response.writeHead(200, EVENT_STREAM);
    response.write(FRAMES[dialect]('an answer that breaks').slice(0, OPENING[dialect]).join(''));
    setTimeout(() => response.destroy(), BREAK_MS);
  };
  gateway = await startGateway({ ...vendorsAt(backend.url), store: { type: 'off' } });
});
const cleaning: (() => unknown)[] = [];
afterAll(async () => {
  for (const clean of cleaning) clean();
  await gateway.close();
  await backend.close();
});

test(`busy readers get the error of each of ${FAILURES} broken streams`, async () => {
  const pairs = DIALECTS.flatMap((client) =>
    DIALECTS.filter((other) => other !== client).map((other) => ({ client, other })),
  );
  const questions = Array.from({ length: FAILURES }, (_, index) => {
    const { client, other } = pairs[index % pairs.length] ?? { client: 'messages', other: 'responses' };
    const { path, body } = STREAM[client](other);
    return { url: `${gateway.url}${path}`, body: JSON.stringify(body), error: ERROR.source };
  });
  const reader = fork(join(PACKAGE_ROOT, 'test', 'exchange', 'busy-reader.mjs'));
  cleaning.push(() => reader.kill());
  reader.send(questions);
  const [endings] = (await once(reader, 'message')) as [string[]];
  expect(endings.filter((text) => !/^200 [\s\S]*\[error\]$/.test(text))).toEqual([]);
  expect(endings).toHaveLength(FAILURES);
}, 300_000);
