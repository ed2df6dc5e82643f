import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FEATURES } from '../../translators/index.js';
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
} from '../support/gateway/harness.js';
import { lossCounts } from '../support/loss-counts.js';
import { PAIRS } from '../support/pairs.js';
import { until } from '../support/until.js';
import { pairsConfig, replyInKind, type Sample, scrape, sum } from './support.js';

let backend: Recorder;
let gateway: TestGateway;
let samples: Sample[];
const answers: Answer[] = [];
/** How long all of them were asked for, one after the other. */
let askedSeconds: number;

const CASES = PAIRS.map(([client, server]) => ({ client, server }));

beforeAll(async () => {
  backend = await startRecorder();
  backend.reply = replyInKind;
  gateway = await startGateway(pairsConfig(backend));
  const begun = performance.now();
  for (const { client, server } of CASES) {
    for (const asked of [ASK[client](`to-${server}`), STREAM[client](`to-${server}`)]) {
      answers.push(await send(gateway.url, asked.path, { body: asked.body }));
    }
  }
  askedSeconds = (performance.now() - begun) / 1000;
  samples = await until(async () => {
    const seen = await scrape(gateway.url);
    return sum(seen, 'interlingua_exchanges_total') === answers.length && seen;
  });
});

afterAll(async () => {
  await gateway.close();
  await backend.close();
});

test('all of them were answered', () => {
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

test.each(CASES)('two exchanges, plain and streamed, from $client to $server', ({ client, server }) => {
  const labels = { client, dialect: server, backend: server, model: `to-${server}` };
  const good = { ...labels, status: '2xx', outcome: 'ok', key: '' };
  expect(sum(samples, 'interlingua_exchanges_total', good)).toBe(2);
  expect(sum(samples, 'interlingua_exchange_duration_seconds_count', labels)).toBe(2);
  expect(sum(samples, 'interlingua_first_byte_seconds_count', labels)).toBe(2);
  expect(sum(samples, 'interlingua_first_token_seconds_count', labels)).toBe(2);
  const took = sum(samples, 'interlingua_exchange_duration_seconds_sum', labels);
  expect(took).toBeGreaterThan(0);
  expect(took).toBeLessThanOrEqual(askedSeconds);
});

test('tokens are those that backends counted, of relayed exchanges too', () => {
  for (const server of DIALECTS) {
    expect(sum(samples, 'interlingua_tokens_total', { backend: server, direction: 'input' })).toBe(
      2 * DIALECTS.length * 3,
    );
    expect(sum(samples, 'interlingua_tokens_total', { backend: server, direction: 'output' })).toBe(
      2 * DIALECTS.length * 2,
    );
  }
});

test('losses are those that clients were told of, by feature and kind', () => {
  const told = answers.reduce((total, { headers }) => {
    const said = String(headers['x-interlingua-losses']);
    if (said === '0') return total;
    const { counted, minor } = lossCounts(said);
    return total + counted + minor;
  }, 0);
  expect(told).toBeGreaterThan(0);
  const counted = samples.filter(({ name }) => name === 'interlingua_losses_total');
  expect(sum(counted, 'interlingua_losses_total')).toBeGreaterThanOrEqual(told);
  for (const { labels } of counted) expect({ ...FEATURES, ext: '' }).toHaveProperty([labels.feature ?? 'none']);
});

test('calls and standing of backends', () => {
  for (const name of DIALECTS) {
    expect(sum(samples, 'interlingua_backend_calls_total', { backend: name, status: '2xx' })).toBe(2 * DIALECTS.length);
    expect(samples).toContainEqual({ name: 'interlingua_backend_breaker_state', labels: { backend: name }, value: 0 });
    expect(samples).toContainEqual({ name: 'interlingua_backend_running_calls', labels: { backend: name }, value: 0 });
    expect(samples).toContainEqual({ name: 'interlingua_backend_waiting_calls', labels: { backend: name }, value: 0 });
  }
  expect(samples).toContainEqual({ name: 'interlingua_open_exchanges', labels: {}, value: 0 });
});

test('the process tells of itself', () => {
  expect(sum(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
});

test('names and help texts are what checkers of metrics demand', async () => {
  const { text } = await send(gateway.url, '/metrics');
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const helped = new Set([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name));
  expect(types.size).toBeGreaterThan(30);
  const faults = [...types].flatMap(([name, type]) => [
    ...(helped.has(name) ? [] : [`${name} has no help`]),
    ...((type === 'counter') === name.endsWith('_total') ? [] : [`${name} is a ${type}`]),
    ...(type !== 'histogram' && /_(?:bucket|count|sum)$/.test(name) ? [`${name} is no histogram`] : []),
    ...(/^[a-z_\d]+$/.test(name) ? [] : [`${name} has capitals or colons`]),
    ...(/_(?:counter|gauge|histogram|summary)(?:_|$)/.test(name) ? [`${name} names its type`] : []),
    ...(/_(?:m|u|n)?s(?:ec)?(?:_|$)|_[kmgtp]?b(?:_|$)|_[hd](?:_|$)/.test(name) ? [`${name} cuts its unit short`] : []),
  ]);
  expect(faults).toEqual([]);
});

test('a stream that takes its time has a speed', async () => {
  const [first = '', ...rest] = FRAMES.generateContent('Hello there');
  for (const client of DIALECTS) {
    const whose = { client, backend: 'generateContent' };
    const counted = async () => sum(await scrape(gateway.url), 'interlingua_tokens_per_second_count', whose);
    const before = await counted();
    let goOn = (): void => {};
    backend.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.write(first);
      goOn = () => response.end(rest.join(''));
    };
    const { path, body } = STREAM[client]('to-generateContent');
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const reader = answer.body?.getReader();
    await reader?.read();
    // From when the client has the first piece; what took less than 50 ms came at once.
    await sleep(100);
    goOn();
    while ((await reader?.read())?.done === false);
    await until(async () => (await counted()) === before + 1);
  }
});

test('what went wrong is counted: a target passed over, a limit, a client that left, a model that is not there', async () => {
  const hanging: (() => void)[] = [];
  backend.reply = (response, seen) => {
    if (seen.body.includes('hang')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': wait\n\n');
      hanging.push(() => response.end());
    } else if (seen.body.includes('"model":"bad"'))
      json(response, 503, { error: { message: 'no', type: 'server_error' } });
    else replyInKind(response, seen);
  };
  const failing = await startGateway({
    backends: {
      bad: { dialect: 'responses', baseUrl: backend.url, retries: 0, breaker: { failures: 1, seconds: 60 } },
      good: { dialect: 'messages', baseUrl: backend.url, retries: 0 },
    },
    models: { both: [{ backend: 'bad', model: 'bad' }, { backend: 'good' }], good: { backend: 'good' } },
    keys: [
      { name: 'one', key: 'key-one-key-one-key', requestsPerMinute: 1 },
      { name: 'two', key: 'key-two-key-two-key' },
    ],
    store: { type: 'off' },
    limits: { drainSeconds: 1 },
  });
  const { path } = ASK.messages('both');
  const as = (key: string) => ({ 'x-api-key': key });
  try {
    const { body } = ASK.messages('both');
    expect((await send(failing.url, path, { body, headers: as('key-one-key-one-key') })).status).toBe(200);
    expect((await send(failing.url, path, { body, headers: as('key-one-key-one-key') })).status).toBe(429);
    // The failures of one key alone keep the backend from that key; those of a second keep it from all.
    expect((await send(failing.url, path, { body, headers: as('key-two-key-two-key') })).status).toBe(200);
    expect((await send(failing.url, path, { body, headers: as('key-two-key-two-key') })).status).toBe(200);
    const missing = ASK.messages('missing').body;
    expect((await send(failing.url, path, { body: missing, headers: as('key-two-key-two-key') })).status).toBe(404);
    expect((await send(failing.url, path, { body, headers: as('no-such-key') })).status).toBe(401);
    const leaving = new AbortController();
    const hang = fetch(failing.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...as('key-two-key-two-key') },
      body: JSON.stringify({ ...ASK.messages('good', { stream: true }).body, system: 'hang' }),
      signal: leaving.signal,
    }).then(
      () => {},
      () => {},
    );
    await until(() => hanging.length > 0);
    const during = await scrape(failing.url);
    expect(sum(during, 'interlingua_open_exchanges')).toBe(1);
    expect(sum(during, 'interlingua_backend_running_calls', { backend: 'good' })).toBe(1);
    leaving.abort();
    await hang;
    const after = await until(async () => {
      const seen = await scrape(failing.url);
      return sum(seen, 'interlingua_exchanges_total', { outcome: 'client_closed' }) === 1 && seen;
    });
    expect(sum(after, 'interlingua_passed_targets_total', { backend: 'bad', reason: 'refused' })).toBe(2);
    expect(sum(after, 'interlingua_passed_targets_total', { backend: 'bad', reason: 'breaker' })).toBe(1);
    expect(sum(after, 'interlingua_limited_total', { key: 'one', limit: 'requests' })).toBe(1);
    expect(sum(after, 'interlingua_exchanges_total', { key: 'one', status: '4xx', outcome: 'rate_limit' })).toBe(1);
    expect(sum(after, 'interlingua_exchanges_total', { key: '', status: '4xx', outcome: 'authentication' })).toBe(1);
    expect(sum(after, 'interlingua_exchanges_total', { key: 'two', status: '4xx', outcome: 'not_found' })).toBe(1);
    expect(sum(after, 'interlingua_backend_breaker_state', { backend: 'bad' })).toBe(2);
    expect(sum(after, 'interlingua_backend_calls_total', { backend: 'bad', status: '5xx' })).toBe(2);
  } finally {
    for (const end of hanging) end();
    await failing.close();
  }
});

test('hundreds of names of models make no more series than the configuration has names', async () => {
  const simulated = await startGateway({
    backends: { sim: { dialect: 'messages', simulator: true } },
    models: { 'any-*': { backend: 'sim' }, one: { backend: 'sim' } },
  });
  try {
    const names = Array.from(
      { length: 300 },
      (_none, index) => `${index % 2 === 0 ? 'any-' : 'other-'}${index * 7919}`,
    );
    for (let at = 0; at < names.length; at += 25) {
      await Promise.all(
        names.slice(at, at + 25).map((name) => {
          const { path, body } = ASK.messages(name);
          return send(simulated.url, path, { body });
        }),
      );
    }
    const seen = await until(async () => {
      const all = await scrape(simulated.url);
      return sum(all, 'interlingua_exchanges_total') === 300 && all;
    });
    const models = new Set(seen.flatMap(({ labels }) => (labels.model === undefined ? [] : [labels.model])));
    expect([...models].sort()).toEqual(['', 'any-*']);
    expect(sum(seen, 'interlingua_exchanges_total', { model: 'any-*', outcome: 'ok' })).toBe(150);
    expect(sum(seen, 'interlingua_exchanges_total', { model: '', outcome: 'not_found' })).toBe(150);
    expect(seen.filter(({ name }) => name === 'interlingua_exchanges_total')).toHaveLength(2);
  } finally {
    await simulated.close();
  }
});
