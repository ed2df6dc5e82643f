import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createGateway, type GatewayServer } from '../../src/index.js';
import {
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  STREAM,
  send,
  startRecorder,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { captureLog, pairsConfig, scrape, sum } from './support.js';

const UPSTREAM_KEY = 'an-upstream-key-canary-5f';

let backend: Recorder;
let gateway: GatewayServer;
let url: string;
const log = captureLog();

beforeAll(async () => {
  backend = await startRecorder();
  const base = pairsConfig(backend);
  const backends = Object.fromEntries(
    Object.entries(base.backends ?? {}).map(([name, one]) => [name, { ...one, apiKey: UPSTREAM_KEY }]),
  );
  gateway = createGateway({ ...base, backends, log: { level: 'info' } });
  ({ url } = await gateway.listen({ host: '127.0.0.1', port: 0 }));
});

afterAll(async () => {
  await gateway.close();
  await backend.close();
  jest.restoreAllMocks();
});

let count = 0;

/** The line of one exchange, which is the only one. */
async function lineOf(asked: { readonly path: string; readonly body: unknown }): Promise<Tree> {
  count += 1;
  const id = `hostile-${count}`;
  await send(url, asked.path, { body: asked.body, headers: { 'x-request-id': id } });
  return until(() => {
    gateway.logger.warn('flush');
    return log.lines().find((line) => line.id === id && line.msg === 'exchange');
  });
}

/** What a backend may claim to have counted. `1e999` is read as infinity. */
const CLAIMS = ['1e999', '-5', '1e308', '"7"', 'null', '{}', '1.5', '9007199254740993'];

/** Both counts of an answer with what a backend claims in their place. */
function claiming(text: string, claim: string): string {
  return text.replace(
    /("(?:input_tokens|output_tokens|total_tokens|promptTokenCount|candidatesTokenCount|totalTokenCount)"):\d+/g,
    `$1:${claim}`,
  );
}

describe.each(DIALECTS)('counts that are none, from %s', (server) => {
  test.each(DIALECTS)('to %s: they are told as unknown or as what they are, and everything goes on', async (client) => {
    for (const claim of CLAIMS) {
      for (const streams of [false, true]) {
        backend.reply = (response) => {
          response.writeHead(200, streams ? EVENT_STREAM : { 'content-type': 'application/json' });
          const text = streams ? FRAMES[server]('Hello there').join('') : JSON.stringify(WHOLE[server]('Hello there'));
          response.end(claiming(text, claim));
        };
        const line = await lineOf((streams ? STREAM : ASK)[client](`to-${server}`));
        for (const tokens of [line.inputTokens, line.outputTokens]) {
          if (tokens !== undefined) expect([claim, tokens]).toEqual([claim, expect.any(Number)]);
          if (tokens !== undefined) expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true);
        }
      }
    }
    expect(sum(await scrape(url), 'interlingua_tokens_total')).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });
});

test.each(DIALECTS)('a backend of %s that answers under its key as a name: no line holds it', async (server) => {
  for (const client of DIALECTS) {
    backend.reply = (response) => {
      const text = JSON.stringify(WHOLE[server]('Hello there')).replace(/"\w-real"/, `"${UPSTREAM_KEY}"`);
      json(response, 200, JSON.parse(text), { 'request-id': UPSTREAM_KEY });
    };
    const line = await lineOf(ASK[client](`to-${server}`));
    expect(line.answeredBy).toBe('[redacted]');
  }
  expect(log.text).not.toContain(UPSTREAM_KEY);
});
