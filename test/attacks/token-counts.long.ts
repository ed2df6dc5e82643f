import { request as openRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEstimate, vocabularyCount } from '../../src/protocol/estimate.js';
import { type CanonicalRequest, createLosses, dialects } from '../../translators/index.js';
import { costOf, knownMs, leastOf, processorMs } from '../support/cost.js';
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
    const leave = async (): Promise<number> => {
      const call = { gone: false };
      const estimate = createEstimate(call, vocabularyCount)(requestOf(letters(MB)));
      await sleep(50);
      call.gone = true;
      const ms = await processorMs(() => expect(estimate).rejects.toThrow('the client went away'));
      return ms / (await knownMs());
    };
    expect(await leastOf(100, leave)).toBeLessThan(100);
  });

  test('gives others their turn while it counts what has no words', async () => {
    const longestTurn = async (): Promise<number> => {
      let longest = 0;
      let last = process.cpuUsage().user;
      const look = setInterval(() => {
        const { user } = process.cpuUsage();
        longest = Math.max(longest, user - last);
        last = user;
      }, 0);
      await createEstimate({ gone: false }, vocabularyCount)(requestOf(letters(MB / 4)));
      clearInterval(look);
      return longest / 1000 / (await knownMs());
    };
    expect(await leastOf(40, longestTurn)).toBeLessThan(40);
  });

  test('of a long text counts a part, which stands for all of it', async () => {
    const estimate = createEstimate({ gone: false }, vocabularyCount);
    const few = await estimate(requestOf(WORDS.repeat(MB / 4 / WORDS.length)));
    const long = requestOf(WORDS.repeat((8 * MB) / WORDS.length));
    const count = async (): Promise<void> => {
      const many = await estimate(long);
      expect(Math.abs(many / (32 * few) - 1)).toBeLessThan(0.02);
    };
    // An eighth of what is counted in whole.
    expect(await costOf(count, 500)).toBeLessThan(500);
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
  const small = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
  const isFree = async (): Promise<boolean> =>
    (await send(gateway.url, '/v1/messages', { body: small, headers })).status !== 429;
  const ms = await processorMs(() => {
    outgoing.destroy();
    recorder.reply = (response) => json(response, 500, {});
    return until(isFree, 60_000);
  });
  // In more than one pass it took minutes.
  expect(ms / (await knownMs())).toBeLessThan(1500);
}, 60_000);
