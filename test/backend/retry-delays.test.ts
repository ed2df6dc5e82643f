import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  type Answer,
  ASK,
  DIALECTS,
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';
import { PAIRS } from '../support/pairs.js';
import { refusalOf, wordsOf } from './faults/told.js';

const CASES = PAIRS.map(([client, server]) => ({ client, server }));
const DAY = 86_400;

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: Object.fromEntries(
      DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: recorder.url, breaker: false }]),
    ),
    models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

/** The delays that an answer names, in seconds. */
function delaysIn({ headers, body }: Answer): number[] {
  const details: { retryDelay?: string }[] = body.error?.details ?? [];
  return [
    headers['retry-after'],
    headers['retry-after-ms'] && Number(headers['retry-after-ms']) / 1000,
    ...(Array.isArray(details) ? details : []).map(({ retryDelay }) => retryDelay?.replace(/s$/, '')),
  ].flatMap((value) => (value === undefined ? [] : [Number(value)]));
}

/** [what a backend says, the delay in seconds that a client is told; undefined = none]. */
const SECONDS: readonly (readonly [said: string, told: number | undefined])[] = [
  ['7', 7],
  ['0', 0],
  ['-1', undefined],
  ['1000000000', DAY],
  ['1e9', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['Fri, 31 Dec 2099 23:59:59 GMT', DAY],
  ['9'.repeat(9000), undefined],
];

/** A millisecond and a second alike: what is told of nothing is at most a second, the least that some clients can read. */
function expectDelays(answer: Answer, told: number | undefined): void {
  const delays = delaysIn(answer);
  if (told === undefined) expect(delays).toEqual([]);
  else expect(delays.length).toBeGreaterThan(0);
  for (const delay of delays) expect(Math.abs(delay - (told ?? 0))).toBeLessThanOrEqual(told === 0 ? 1 : 0);
}

test.each(CASES)(
  '$server to $client: a delay is passed on within reason, and nobody sleeps on it (hardening.md row 49)',
  async ({ client, server }) => {
    const { path, body } = ASK[client](server);
    for (const [said, told] of SECONDS) {
      recorder.reply = (response) => {
        const { status, body: words } = wordsOf(server, 'rate_limit', 'slow down');
        json(response, status, words, { 'retry-after': said });
      };
      const answer = await send(gateway.url, path, { body });
      expect([said.slice(0, 20), answer.status]).toEqual([said.slice(0, 20), refusalOf(client, 'rate_limit')[0]]);
      expectDelays(answer, told);
    }
    expect(recorder.seen).toHaveLength(SECONDS.length);
  },
);

test.each(CASES)('$server to $client: the same in milliseconds', async ({ client, server }) => {
  const { path, body } = ASK[client](server);
  for (const [said, told] of [
    ['7000', 7],
    ['-1', undefined],
    ['1e12', undefined],
    ['1000000000000', DAY],
    ['NaN', undefined],
  ] as const) {
    recorder.reply = (response) => {
      const { status, body: words } = wordsOf(server, 'rate_limit', 'slow down');
      json(response, status, words, { 'retry-after-ms': said });
    };
    expectDelays(await send(gateway.url, path, { body }), told);
  }
});

test.each(['messages', 'responses'] as const)('the delay in the body of generateContent, to %s', async (client) => {
  const { path, body } = ASK[client]('generateContent');
  for (const [said, told] of [
    ['7s', 7],
    ['-1s', undefined],
    ['1000000000s', DAY],
    ['1e9s', undefined],
    ['NaN', undefined],
    [`${'9'.repeat(9000)}s`, undefined],
  ] as const) {
    recorder.reply = (response) => {
      const { status, body: words } = wordsOf('generateContent', 'rate_limit', 'slow down');
      const error = Object.values(words)[0];
      const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: said }];
      json(response, status, { error: { ...error, details } });
    };
    expectDelays(await send(gateway.url, path, { body }), told);
  }
});
