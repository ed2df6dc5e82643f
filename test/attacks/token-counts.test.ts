import { request as openRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEstimate } from '../../src/protocol/estimate.js';
import { type CanonicalRequest, createLosses, dialects } from '../../translators/index.js';
import { json, send, startGateway, startRecorder } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { letters, nearlyFiles } from './support/bodies.js';

/** Texts that are counted: for the limits of a key, and where a backend does not count (attacks.md findings 6 and 19). */

const MB = 1024 * 1024;

function requestOf(text: string): CanonicalRequest {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: text }] };
  return dialects.messages.decodeRequest(body, { losses: createLosses(), model: 'm', stream: false });
}

const WORDS = 'The quick brown fox jumps over the lazy dog, and nobody knows why. ';

describe('an estimate', () => {
  test('ends when nobody waits for it', async () => {
    const call = { gone: false };
    const estimate = createEstimate(call)(requestOf(letters(MB)));
    await sleep(50);
    call.gone = true;
    const before = process.cpuUsage();
    await expect(estimate).rejects.toThrow('the client went away');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(750);
  });

  test('gives others their turn while it counts what has no words', async () => {
    const call = { gone: false };
    let longest = 0;
    let last = process.cpuUsage().user;
    const look = setInterval(() => {
      const { user } = process.cpuUsage();
      longest = Math.max(longest, user - last);
      last = user;
    }, 0);
    await createEstimate(call)(requestOf(letters(MB / 4)));
    clearInterval(look);
    expect(longest / 1000).toBeLessThan(300);
  });

  test('of a long text counts a part, which stands for all of it', async () => {
    const estimate = createEstimate({ gone: false });
    const few = await estimate(requestOf(WORDS.repeat(MB / 4 / WORDS.length)));
    const before = process.cpuUsage();
    const many = await estimate(requestOf(WORDS.repeat((8 * MB) / WORDS.length)));
    const { user, system } = process.cpuUsage(before);
    expect(Math.abs(many / (32 * few) - 1)).toBeLessThan(0.02);
    // An eighth of what is counted in whole.
    expect((user + system) / 1000).toBeLessThan(4000);
  });
});

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('what a caller that hangs up is charged for is found in one pass', async () => {
  const recorder = await startRecorder();
  closers.push(recorder.close);
  const key = 'a-long-enough-team-key';
  const gateway = await startGateway({
    backends: { one: { dialect: 'messages', baseUrl: recorder.url } },
    models: { m: { backend: 'one' } },
    keys: [{ name: 'team', key, concurrency: 1, tokensPerMinute: 100_000_000 }],
  });
  closers.push(gateway.close);
  recorder.reply = () => {};
  const content = nearlyFiles(4096);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const outgoing = openRequest(`${gateway.url}/v1/messages`, { method: 'POST', headers, agent: false });
  outgoing.on('error', () => {});
  outgoing.end(JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] }));
  await until(() => recorder.seen.length === 1);
  const before = process.cpuUsage();
  outgoing.destroy();
  recorder.reply = (response) => json(response, 500, {});
  const small = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
  await until(async () => (await send(gateway.url, '/v1/messages', { body: small, headers })).status !== 429, 60_000);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(3000);
}, 60_000);
