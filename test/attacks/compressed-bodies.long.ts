import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import {
  type Answer,
  ASK,
  json,
  messageOf,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  WHOLE,
} from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { squeezed, withValues } from './support/bodies.js';

/** A few hundred bytes that unpack to megabytes, many at a time (attacks.md finding 7). */

const MB = 1024 * 1024;
const KEYS = ['one', 'two'].map((name) => ({ name, key: `a-long-enough-key-${name}` }));

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(limits: object): Promise<{ readonly url: string; readonly recorder: Recorder }> {
  const recorder = await startRecorder();
  closers.push(recorder.close);
  const gateway = await startGateway({
    backends: { one: { dialect: 'messages', baseUrl: recorder.url } },
    models: { m: { backend: 'one' } },
    keys: KEYS,
    limits,
  });
  closers.push(gateway.close);
  return { url: gateway.url, recorder };
}

function post(url: string, name: string, body: Buffer, coding: string): Promise<Answer> {
  const headers = { 'x-api-key': `a-long-enough-key-${name}`, 'content-encoding': coding };
  return send(url, '/v1/messages', { body, headers });
}

const AT_ONCE = 40;

test('many bodies at once that unpack to 30 MB each take no more memory than one key may hold', async () => {
  const { url } = await start({ inflateMb: 128 });
  const junk = squeezed(withValues({ model: 'm' }, 'junk', 10 * MB + 1));
  let most = 0;
  const look = setInterval(() => {
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    most = Math.max(most, arrayBuffers + heapUsed);
  }, 5);
  const before = process.memoryUsage();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => post(url, 'one', junk, 'br')));
  clearInterval(look);
  const told = new Set(answers.map(({ status, body }) => `${status} ${messageOf('messages', body)}`));
  expect([...told].sort()).toEqual([
    '400 the body has more than 250000 values (limits.jsonValues)',
    '503 the decompressed bodies of the open requests of this API key are too large together (limits.inflateMb: 128)',
  ]);
  // What is unpacked, and the texts that are made of it one after the other.
  expect((most - before.arrayBuffers - before.heapUsed) / MB).toBeLessThan(600);
});

test('what a key holds is counted until its requests are over, and other keys have their own', async () => {
  const { url, recorder } = await start({ bodyMb: 4, inflateMb: 8 });
  const waiting: (() => void)[] = [];
  recorder.reply = (response) => void waiting.push(() => json(response, 200, WHOLE.messages('Yes.')));
  const body = gzipSync(JSON.stringify({ ...ASK.messages('m').body, metadata: { user_id: 'x'.repeat(3 * MB) } }));
  const open = [post(url, 'one', body, 'gzip'), post(url, 'one', body, 'gzip')];
  await until(async () => waiting.length === 2);
  const third = await post(url, 'one', body, 'gzip');
  expect([third.status, third.headers['retry-after']]).toEqual([503, '1']);
  const other = post(url, 'two', body, 'gzip');
  await until(async () => waiting.length === 3);
  for (const answer of waiting.splice(0)) answer();
  expect((await Promise.all([...open, other])).map(({ status }) => status)).toEqual([200, 200, 200]);
  const again = post(url, 'one', body, 'gzip');
  await until(async () => waiting.length === 1);
  waiting[0]?.();
  expect((await again).status).toBe(200);
});

test('a body that alone unpacks to more is too large', async () => {
  const { url } = await start({ bodyMb: 4, inflateMb: 2 });
  const body = gzipSync(JSON.stringify({ ...ASK.messages('m').body, metadata: { user_id: 'x'.repeat(3 * MB) } }));
  expect((await post(url, 'one', body, 'gzip')).status).toBe(413);
});
