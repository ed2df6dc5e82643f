import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { createGateway } from '../../src/index.js';
import { captureLog } from '../observe/support.js';
import { AS_SDKS, type Recorder, send, type Tree } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { askBody, bearer, configFor, KEYS, SECRET, startService } from './stage.js';

let service: Recorder;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  for (const close of closing) await close();
  await service.close();
});

async function open(more: object = {}): Promise<string> {
  const gateway = createGateway({ log: { level: 'silent' }, ...configFor(service), ...more });
  closing.push(() => gateway.close());
  return (await gateway.listen({ host: '127.0.0.1', port: 0 })).url;
}

type Who = keyof typeof KEYS;

/** The report, once so many exchanges are over for the gateway too. */
async function settledAt(url: string, requests: number, query = ''): Promise<Tree> {
  await until(async () => (await usageAt(url, query)).total.requests >= requests);
  return usageAt(url, query);
}

async function usageAt(url: string, query = '', who: Who = 'boss'): Promise<Tree> {
  const { status, body } = await send(url, `/usage?${query}`, { headers: bearer(who) });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Without what depends on the time that something takes. */
const timeless = (rows: readonly Tree[]): Tree[] => rows.map(({ seconds: _seconds, ...row }) => row);

const ZERO = {
  ...{ requests: 0, errors: 0, inputTokens: 0, cachedTokens: 0, writtenTokens: 0, outputTokens: 0 },
  ...{ reasoningTokens: 0, tokensUnknown: 0, cost: 0, costUnknown: 0, partialCost: 0 },
};

describe('what was used', () => {
  let url: string;

  beforeAll(async () => {
    url = await open();
    const a = new Anthropic({ baseURL: url, apiKey: KEYS.a, maxRetries: 0 });
    const b = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEYS.b, maxRetries: 0 });
    const ask = (model: string) => a.messages.create(askBody(model));
    await ask('m');
    await ask('m');
    await a.messages.stream(askBody('m')).finalMessage();
    for (const model of ['refused', 'nowhere']) await ask(model).catch(() => {});
    for (const model of ['searched', 'uncounted', 'huge', 'unpriced', 'free-x']) await ask(model);
    await send(url, '/v1/messages', { headers: bearer('a'), body: askBody('broken', true), ...AS_SDKS });
    await b.chat.completions.create({ model: 'c', messages: [{ role: 'user', content: 'hello' }] });
    // What asks no model, and what is no request of a key, is not counted.
    await a.models.list();
    await a.messages.countTokens({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }).catch(() => {});
    await send(url, '/v1/messages', { headers: { authorization: 'Bearer wrong' }, body: askBody('m') });
    await send(url, '/v1/messages', {
      headers: { ...bearer('a'), 'x-interlingua-explain': 'true' },
      body: askBody('m'),
    });
  });

  test('is told by key and model, with figures worked out by hand', async () => {
    const { rows, total, by, currency } = await settledAt(url, 13);
    expect({ by, currency }).toEqual({ by: ['key', 'model'], currency: 'USD' });
    const counted = { inputTokens: 130, cachedTokens: 20, writtenTokens: 10, outputTokens: 40 };
    const one = { ...ZERO, requests: 1 };
    expect(timeless(rows)).toEqual([
      // A name that leads nowhere is in no log and in no sum.
      { ...one, key: 'a', model: '', errors: 1 },
      {
        ...one,
        key: 'a',
        model: 'broken',
        errors: 1,
        costUnknown: 1,
        tokensUnknown: 1,
        inputTokens: 130,
        cachedTokens: 20,
        writtenTokens: 10,
      },
      { ...one, key: 'a', model: 'free-x', ...counted, cost: 0.0009435 },
      { ...one, key: 'a', model: 'huge', ...counted, outputTokens: 0, costUnknown: 1, tokensUnknown: 1 },
      // Three answers, and a question for a number of tokens, which costs nothing.
      {
        ...ZERO,
        key: 'a',
        model: 'm',
        requests: 4,
        inputTokens: 390,
        cachedTokens: 60,
        writtenTokens: 30,
        outputTokens: 120,
        cost: 0.0028305,
      },
      { ...one, key: 'a', model: 'refused', errors: 1 },
      { ...one, key: 'a', model: 'searched', ...counted, costUnknown: 1, partialCost: 0.0009435 },
      { ...one, key: 'a', model: 'uncounted', costUnknown: 1, tokensUnknown: 1 },
      { ...one, key: 'a', model: 'unpriced', ...counted, costUnknown: 1 },
      {
        ...one,
        key: 'b',
        model: 'c',
        inputTokens: 50,
        cachedTokens: 10,
        outputTokens: 30,
        reasoningTokens: 12,
        cost: 0.000101,
      },
    ]);
    expect(total.requests).toBe(13);
    expect(total.cost).toBe(0.003875);
    expect(total.seconds).toBeGreaterThan(0);
  });

  test('by whatever is named, in any order', async () => {
    const { rows } = await usageAt(url, 'by=backend,target,status');
    const counts = rows.map(({ backend, target, status, requests }: Tree) => [backend, target, status, requests]);
    expect(counts).toContainEqual(['chat', 'gpt-x', '2xx', 1]);
    expect(counts).toContainEqual(['claude', 'refused', '4xx', 1]);
    const days = await usageAt(url, 'by=day&since=7d');
    expect(days.rows.map(({ day }: Tree) => day).every((day: string) => /^\d{4}-\d\d-\d\d$/.test(day))).toBe(true);
    const hours = await usageAt(url, 'by=status,hour');
    expect(hours.rows[0].hour).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00Z$/);
    const sums = [days, hours].map(({ rows: all }) =>
      all.reduce((sum: number, { requests }: Tree) => sum + requests, 0),
    );
    expect(sums).toEqual([13, 13]);
  });

  test('by minutes of the last hour, which are kept beside the hours', async () => {
    const { rows, total, since } = await usageAt(url, 'by=minute,model');
    expect(rows.every(({ minute }: Tree) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/.test(minute))).toBe(true);
    const { requests, errors, outputTokens, cost } = (await usageAt(url, 'by=model')).total;
    expect(total).toMatchObject({ requests, errors, outputTokens, cost });
    const past = Date.now() - Date.parse(since);
    expect([past >= 3_600_000, past < 3_720_000]).toEqual([true, true]);
    expect((await usageAt(url, 'by=minute&since=30m', 'b')).total.requests).toBe(1);
    expect((await usageAt(url, 'by=minute,hour')).rows[0].hour).toMatch(/T\d\d:00:00Z$/);
  });

  test('a key that is no operator sees its own, whatever it asks for', async () => {
    const { rows, total } = await usageAt(url, 'by=key,model', 'b');
    expect(rows.map(({ key, model }: Tree) => [key, model])).toEqual([['b', 'c']]);
    expect(total.requests).toBe(1);
    expect((await send(url, '/usage')).status).toBe(401);
  });

  test('as CSV, by format or by what is accepted', async () => {
    const named = await send(url, '/usage?by=key&format=csv', { headers: bearer('b') });
    const accepted = await send(url, '/usage?by=key', { headers: { ...bearer('b'), accept: 'text/csv' } });
    expect(accepted.text).toBe(named.text);
    expect(named.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(named.text.split('\r\n').map((line) => line.replace(/,[\d.]+$/, ''))).toEqual([
      'key,requests,errors,inputTokens,cachedTokens,writtenTokens,outputTokens,reasoningTokens,tokensUnknown,cost,costUnknown,partialCost,seconds',
      'b,1,0,50,10,0,30,12,0,0.000101,0,0',
      '',
    ]);
  });

  test('a time may have a zone, whether its plus is written for URLs or not', async () => {
    const sinceOf = async (since: string) =>
      (await send(url, `/usage?since=${since}`, { headers: bearer('boss') })).body.since;
    expect(await sinceOf('2026-11-28T10:00%2B02:00')).toBe('2026-11-28T08:00:00Z');
    expect(await sinceOf('2026-11-28T10:00+02:00')).toBe('2026-11-28T08:00:00Z');
    expect(await sinceOf('2026-11-28+10:00')).toBe('2026-11-28T10:00:00Z');
    expect(await sinceOf('2026-11-28T10:00-02:00')).toBe('2026-11-28T12:00:00Z');
  });

  test.each([
    ['by=price', /by must be names of minute, hour, day/],
    ['by=minute&since=2h', /since must be within the last hour/],
    ['by=key,key', /by must be/],
    ['since=yesterday', /since must be a time/],
    ['since=2026-02-31T99:00Z', /since must be a time/],
    ['since=1h&until=2h', /until must be after since/],
    ['format=xml', /format must be json or csv/],
  ])('%s is refused with a sentence', async (query, message) => {
    const { status, body } = await send(url, `/usage?${query}`, { headers: bearer('boss') });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
  });
});

test('names that callers choose: secrets, formulas, controls and floods stay in their rows', async () => {
  const { models } = configFor(service);
  const url = await open({
    models: { ...models, '=*': { backend: 'claude' }, '__*': { backend: 'claude' }, '＝*': { backend: 'claude' } },
  });
  const ask = (model: string) => send(url, '/v1/messages', { headers: bearer('a'), body: askBody(model) });
  for (const name of [
    'free-=1+1',
    '=HYPERLINK("x")',
    '＝1+1',
    'free-\u202ex',
    `free-${SECRET}`,
    `free-${'x'.repeat(200)}`,
    '__proto__',
  ])
    await ask(name);
  const { rows } = await settledAt(url, 7, 'by=model');
  const names = rows.map(({ model }: Tree) => model);
  expect(JSON.stringify(names)).not.toContain(SECRET);
  expect(names).toEqual(expect.arrayContaining(['(other)', '__proto__', 'free-\u202ex']));
  const { text } = await send(url, '/usage?by=model&format=csv', { headers: bearer('boss') });
  expect(text).toContain("\r\n'＝1+1,");
  expect(text).toContain('"\'=HYPERLINK(""x"")"');
  for (let count = 0; count < 120; count += 1) await ask(`free-${count}`);
  const flood = await settledAt(url, 127, 'by=model');
  expect(flood.rows.length).toBe(100);
  expect(flood.total.requests).toBe(127);
});

test('without `usage` nothing is counted, and a reload that brings it counts from then on', async () => {
  const config = { log: { level: 'silent' as const }, ...configFor(service) };
  const gateway = createGateway({ ...config, usage: undefined });
  closing.push(() => gateway.close());
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  const ask = () => send(url, '/v1/messages', { headers: bearer('a'), body: askBody('m') });
  await ask();
  const off = await send(url, '/usage', { headers: bearer('a') });
  expect([off.status, off.body.error.message]).toEqual([404, expect.stringContaining('`usage: {}`')]);
  gateway.reload(config);
  await ask();
  expect((await settledAt(url, 1)).total.requests).toBe(1);
});

test('without keys, who calls from this machine sees all', async () => {
  const url = await open({ keys: undefined });
  await send(url, '/v1/messages', { body: askBody('m') });
  await until(async () => (await send(url, '/usage')).body.total.requests > 0);
  const { rows } = (await send(url, '/usage')).body;
  expect(timeless(rows)).toMatchObject([{ key: '', model: 'm', requests: 1 }]);
});

test('an answer in the background is counted once, when it is made', async () => {
  const url = await open({ store: { type: 'memory' } });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEYS.a, maxRetries: 0 });
  const { id } = await client.responses.create({ model: 'm', input: 'hello', background: true });
  while ((await client.responses.retrieve(id)).status !== 'completed')
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await settledAt(url, 1)).total).toMatchObject({ requests: 1, costUnknown: 0, cost: 0.0009435 });
});

test('an answer in the background that is cancelled is no error, and one that fails is', async () => {
  const url = await open({ store: { type: 'memory' } });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEYS.a, maxRetries: 0 });
  const begun = (model: string) => client.responses.create({ model, input: 'hello', background: true });
  await client.responses.cancel((await begun('free-waiting')).id);
  await begun('free-refused').catch(() => {});
  const rows = await until(async () => {
    const all = (await usageAt(url, 'by=model,status')).rows.filter(({ model }: Tree) => model.startsWith('free-'));
    return all.length === 2 && all;
  });
  expect(rows).toMatchObject([
    { model: 'free-refused', status: '5xx', requests: 1, errors: 1 },
    { model: 'free-waiting', status: '2xx', requests: 1, errors: 0 },
  ]);
});

test('law: the sums are those of the exchanges in the log', async () => {
  const log = captureLog();
  const url = await open({ log: { level: 'info' } });
  const models = ['m', 'c', 'refused', 'searched', 'uncounted', 'unpriced', 'nowhere', 'free-1', 'free-2'];
  const asks = Array.from(
    { length: 60 },
    (_, index) => [models[(index * 7) % 9] ?? 'm', index % 2 ? 'a' : 'b', index % 5 === 0] as const,
  );
  await Promise.all(
    asks.map(([model, who, stream]) =>
      send(url, '/v1/messages', {
        headers: bearer(who),
        body: askBody(model, stream && model !== 'uncounted'),
        ...AS_SDKS,
      }),
    ),
  );
  const { rows } = await settledAt(url, 60);
  await until(() => log.lines().length >= 60);
  for (const who of ['a', 'b']) {
    const lines = log.lines().filter((line: Tree) => line.msg === 'exchange' && line.key === who);
    const sum = (name: string, among: readonly Tree[]): number =>
      among.reduce((all, line) => all + (line[name] ?? 0), 0);
    const own = rows.filter(({ key }: Tree) => key === who);
    expect(lines).toHaveLength(30);
    expect(sum('requests', own)).toBe(30);
    expect(sum('inputTokens', own)).toBe(sum('inputTokens', lines));
    expect(sum('outputTokens', own)).toBe(sum('outputTokens', lines));
    const whole = lines.filter((line: Tree) => line.costPartial !== true);
    expect(sum('cost', own)).toBeCloseTo(sum('cost', whole), 12);
  }
});
