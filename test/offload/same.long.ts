import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { type DialectId, dialectIds } from '../../translators/index.js';
import {
  type Answer,
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { PAIRS } from '../support/pairs.js';
import { until } from '../support/until.js';

/** What a thread serves is what the process would have served: to the backend, to the client, and to who counts. */

let recorders: Readonly<Record<DialectId, Recorder>>;
let here: TestGateway;
let threads: TestGateway;

beforeAll(async () => {
  const started = dialectIds.map(async (id) => [id, await startRecorder()] as const);
  recorders = Object.fromEntries(await Promise.all(started)) as typeof recorders;
  const config: ConfigInput = {
    backends: {
      ...Object.fromEntries(
        DIALECTS.map((id) => [id, { dialect: id, baseUrl: recorders[id].url, retries: 0, breaker: false }]),
      ),
      gone: { dialect: 'messages', baseUrl: 'http://127.0.0.1:1', retries: 1, breaker: false },
    },
    models: {
      ...Object.fromEntries(DIALECTS.map((id) => [`to-${id}`, { backend: id, model: `${id}-model` }])),
      'to-gone': { backend: 'gone' },
      'past-gone': [{ backend: 'gone' }, { backend: 'messages' }],
    },
    keys: [{ name: 'one', key: KEY, tokensPerMinute: 1_000_000 }],
    limits: { jsonDepth: 32, drainSeconds: 1 },
    store: { type: 'memory' },
  };
  here = await startGateway(config, { largeBytes: Number.POSITIVE_INFINITY });
  threads = await startGateway(config, { largeBytes: -1 });
  for (const { url } of [here, threads]) await send(url, '/v1/messages', { body: {}, headers: { 'x-api-key': KEY } });
}, 60_000);

beforeEach(() => {
  for (const id of DIALECTS) {
    recorders[id].seen.length = 0;
    recorders[id].reply = (response) => json(response, 200, WHOLE[id]('Yes.'));
  }
});

afterAll(async () => {
  await Promise.all([here.close(), threads.close()]);
  await Promise.all(DIALECTS.map((id) => recorders[id].close()));
});

const KEY = 'a-long-enough-key-one';

/** Ids that are made for every answer, and what depends on the time. */
const MADE =
  /\b(?:req_|resp_|msg_|gen_|chatcmpl-)[\w-]+|"responseId":"[^"]*"|"(?:created|created_at|completed_at)":[\d.]+|"[0-9a-f]{32}"/g;

function told({ status, text, headers, complete }: Answer): unknown {
  const {
    date: _date,
    'x-request-id': _id,
    'request-id': _own,
    'openai-processing-ms': _ms,
    'server-timing': _timing,
    'content-length': _length,
    ...kept
  } = headers;
  // What is left depends on which requests fell into the same minute.
  const shown = Object.entries(kept)
    .filter(([name]) => !/reset/.test(name))
    .map(([name, value]) => [name, /remaining/.test(name) ? '' : value]);
  return { status, complete, text: text.replace(MADE, 'ID'), headers: Object.fromEntries(shown) };
}

function seen(): unknown {
  return DIALECTS.map((id) =>
    recorders[id].seen.map(({ method, path, body, headers: { host: _host, traceparent: _trace, ...headers } }) => ({
      method,
      path,
      body,
      headers,
    })),
  );
}

/** How often an answer in the background is looked for until it is there is chance, and how fast short streams are. */
const READS = /client="responses",dialect="",backend="",model=""|tokens_per_second/;

/** Counters, and how often was measured; not how long anything took. */
async function counted(gateway: TestGateway): Promise<readonly string[]> {
  const { text } = await send(gateway.url, '/metrics', { headers: { 'x-api-key': KEY } });
  return text
    .split('\n')
    .filter((line) => /^interlingua_\w+(?:_total|_count)\{/.test(line) && !READS.test(line))
    .sort();
}

interface Asked {
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

async function both({ path, body, headers }: Asked): Promise<unknown> {
  const results: unknown[] = [];
  for (const gateway of [here, threads]) {
    for (const id of DIALECTS) recorders[id].seen.length = 0;
    const answer = await send(gateway.url, path, { body, headers: { 'x-api-key': KEY, ...headers }, mayBreak: true });
    results.push({ answer: told(answer), seen: seen() });
  }
  expect(results[1]).toEqual(results[0]);
  return results[1];
}

test.each(PAIRS)('from %s to %s: whole, streamed, refused, broken', async (client, backend) => {
  await both(ASK[client](`to-${backend}`));
  recorders[backend].reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(FRAMES[backend]('Yes, it is.').join(''));
  };
  await both(STREAM[client](`to-${backend}`));
  recorders[backend].reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(FRAMES[backend]('Yes, it is.').slice(0, -1).join(''));
  };
  await both(STREAM[client](`to-${backend}`));
  for (const status of [400, 401, 429, 503]) {
    recorders[backend].reply = (response) =>
      json(response, status, { error: { type: 'x', message: 'no' } }, { 'retry-after': '0' });
    await both(ASK[client](`to-${backend}`));
  }
  recorders[backend].reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"id":');
  };
  await both(ASK[client](`to-${backend}`));
});

test.each(DIALECTS)('what %s is refused before any backend is asked', async (client) => {
  const { path, body } = ASK[client]('to-messages');
  const asks: readonly Asked[] = [
    { path, body: `{"a":${'['.repeat(40)}${']'.repeat(40)}}` },
    { path, body: '{"model":' },
    { path, body: Buffer.from([0x7b, 0xff, 0x7d]) },
    { path, body: '' },
    ASK[client]('to-massages'),
    ASK[client]('to-gone'),
    ASK[client]('past-gone'),
    { ...ASK[client]('to-generateContent', { cache_control: { type: 'ephemeral' }, parallel_tool_calls: false }) },
    { path, body, headers: { 'x-interlingua-losses': 'strict' } },
    { path, body, headers: { 'content-type': 'text/html' } },
  ];
  for (const asked of asks) await both(asked);
});

test('what is kept is kept where everybody finds it, and answers in the background are made', async () => {
  const statuses: unknown[] = [];
  for (const gateway of [here, threads]) {
    const headers = { 'x-api-key': KEY };
    const first = await send(gateway.url, '/v1/responses', { body: { model: 'to-messages', input: 'Hi' }, headers });
    const found = await send(gateway.url, `/v1/responses/${first.body.id}`, { headers });
    const next = await send(gateway.url, '/v1/responses', {
      body: { model: 'to-messages', input: 'And?', previous_response_id: first.body.id },
      headers,
    });
    const unknown = { model: 'to-messages', input: 'And?', previous_response_id: 'resp_il0' };
    const missing = await send(gateway.url, '/v1/responses', { body: unknown, headers });
    recorders.messages.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.end(FRAMES.messages('Later.').join(''));
    };
    const later = await send(gateway.url, '/v1/responses', {
      body: { model: 'to-messages', input: 'Later', background: true },
      headers,
    });
    let made = later;
    await until(async () => {
      made = await send(gateway.url, `/v1/responses/${later.body.id}`, { headers });
      return made.body.status === 'completed';
    });
    statuses.push([
      first.status,
      found.body.output[0].content[0].text,
      next.status,
      JSON.parse(recorders.messages.seen[1]?.body ?? '{}').messages.length,
      later.body.status,
      made.body.output[0].content[0].text,
      missing.status,
    ]);
    recorders.messages.seen.length = 0;
    recorders.messages.reply = (response) => json(response, 200, WHOLE.messages('Yes.'));
  }
  expect(statuses[1]).toEqual(statuses[0]);
  expect(statuses[1]).toEqual([200, 'Yes.', 200, 3, 'queued', 'Later.', 400]);
});

test('everything was counted alike', async () => {
  const lines = await counted(threads);
  expect(lines.length).toBeGreaterThan(50);
  expect(lines).toEqual(await counted(here));
});
