import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { check } from '../../src/cli/check.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway } from '../../src/index.js';
import { json, type Recorder, send, startRecorder, type Tree, WHOLE } from '../support/gateway/harness.js';
import { createWorkplace } from '../support/gateway/program.js';
import { until } from '../support/until.js';

const KEYS = { boss: 'a-key-of-the-operator', team: 'a-key-of-a-team-01' } as const;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

let service: Recorder;
let url: string;
let close: () => Promise<void>;
let config: ConfigInput;

/** The service does what the model of a request says, while it is not mended. */
let isMended = false;

beforeAll(async () => {
  service = await startRecorder();
  service.reply = (response, { body, path }) => {
    if (body === '') return json(response, 200, { data: [{ id: 'gpt-a' }] });
    const { model, ...asked }: Tree = JSON.parse(body);
    const refuse = (status: number, message: string, headers = {}) =>
      json(response, status, { error: { message, type: 'invalid_request_error', param: null, code: null } }, headers);
    if (!isMended && model === 'busy') return refuse(429, 'slow down', { 'retry-after': '90' });
    if (!isMended && path.startsWith('/denied')) return refuse(401, 'Incorrect API key provided');
    if (!isMended && path.startsWith('/dead')) return refuse(503, 'overloaded');
    if (model === 'picky' && asked.temperature !== undefined)
      return refuse(400, "Unsupported parameter: 'temperature' is not supported with this model.");
    json(response, 200, WHOLE.chatCompletions('Hello'));
  };
  const chat = (more: object = {}) => ({
    dialect: 'chatCompletions' as const,
    baseUrl: service.url,
    retries: 0,
    ...more,
  });
  const prices = { input: 1, output: 2, above: [{ tokens: 1000, output: 4 }] };
  config = {
    backends: {
      a: chat({ models: { 'gpt-*': { contextWindow: 1000, maxOutput: 100, prices } } }),
      denied: chat({ baseUrl: `${service.url}/denied`, apiKey: 'sk-wrong-key-of-a-backend' }),
      dead: chat({ baseUrl: `${service.url}/dead`, breaker: { failures: 1, seconds: 300 } }),
    },
    models: {
      fast: [
        { backend: 'a', model: 'gpt-a', weight: 9 },
        { backend: 'dead', model: 'gpt-b', weight: 1 },
      ],
      picky: { backend: 'a' },
      busy: { backend: 'a' },
      denied: { backend: 'denied' },
      dead: { backend: 'dead' },
      'any-*': { backend: 'a', model: '*' },
    },
    keys: [
      { name: 'boss', key: KEYS.boss, operator: true },
      { name: 'team', key: KEYS.team },
    ],
    usage: {},
  };
  const gateway = createGateway({ log: { level: 'silent' }, ...config });
  close = () => gateway.close();
  ({ url } = await gateway.listen({ host: '127.0.0.1', port: 0 }));
});

afterAll(async () => {
  await close();
  await service.close();
});

const ask = (model: string) =>
  send(url, '/v1/chat/completions', {
    headers: bearer(KEYS.team),
    body: { model, messages: [{ role: 'user', content: 'hello' }] },
  });

/** Translated: what is relayed goes as it came. */
const askPicky = () =>
  send(url, '/v1/messages', {
    headers: bearer(KEYS.team),
    body: { model: 'picky', max_tokens: 100, temperature: 0.5, messages: [{ role: 'user', content: 'hello' }] },
  });

async function table(): Promise<readonly Tree[]> {
  const { status, body } = await send(url, '/models?detail', { headers: bearer(KEYS.boss) });
  expect(status).toBe(200);
  return body.models;
}

async function stateOf(name: string): Promise<Tree> {
  return (await table()).find((row) => row.name === name)?.targets[0].state;
}

describe('the table of models', () => {
  test('has a row for each name, with what is known of each target and from where', async () => {
    const rows = await table();
    expect(rows.map(({ name }) => name)).toEqual(['fast', 'picky', 'busy', 'denied', 'dead', 'any-*']);
    const up = { is: 'up', text: 'up', learned: [] };
    expect(rows[0]).toEqual({
      name: 'fast',
      used: { since: expect.stringMatching(/:00:00Z$/), requests: 0, errors: 0 },
      targets: [
        {
          ...{ backend: 'a', dialect: 'chatCompletions', baseUrl: expect.stringContaining('http://127.0.0.1:') },
          ...{ model: 'gpt-a', weight: 9, state: up },
          contextWindow: { value: 1000, source: 'file' },
          maxOutput: { value: 100, source: 'file' },
          prices: { value: { input: 1, output: 2, above: [{ tokens: 1000, output: 4 }] }, source: 'file' },
        },
        expect.objectContaining({ backend: 'dead', model: 'gpt-b', weight: 1, state: up }),
      ],
    });
  });

  test('counts what is asked for under names and patterns', async () => {
    await ask('fast');
    await ask('any-one');
    await ask('any-two');
    const used = async () => Object.fromEntries((await table()).map(({ name, used: of }) => [name, of.requests]));
    await until(async () => (await used())['any-*'] === 2);
    expect(await used()).toMatchObject({ fast: 1, picky: 0, 'any-*': 2 });
  });

  test('says which models are cooling, whose breaker is open, whose key was refused, until they answer', async () => {
    for (const model of ['busy', 'denied', 'dead']) await ask(model);
    expect(await stateOf('busy')).toMatchObject({
      is: 'cooling',
      text: expect.stringMatching(/^cooling for (?:90|8\d) s$/),
    });
    expect(await stateOf('denied')).toMatchObject({ is: 'key refused' });
    expect(await stateOf('dead')).toMatchObject({
      is: 'out',
      text: expect.stringMatching(/^out for (?:300|2\d\d) s for key team: /),
    });
    expect((await stateOf('any-*')).text).toMatch(/^cooling for \d+ s \(busy\)$/);
    isMended = true;
    await ask('denied');
    expect(await stateOf('denied')).toMatchObject({ is: 'up' });
  });

  test('says so too where a thread was refused', async () => {
    isMended = false;
    const gateway = createGateway({ log: { level: 'silent' }, ...config }, { largeBytes: -1 });
    const { url: threads } = await gateway.listen({ host: '127.0.0.1', port: 0 });
    const body = { model: 'denied', messages: [{ role: 'user', content: 'hello' }] };
    await send(threads, '/v1/chat/completions', { headers: bearer(KEYS.team), body });
    const answer = await send(threads, '/models?detail', { headers: bearer(KEYS.boss) });
    const row = answer.body.models.find(({ name }: Tree) => name === 'denied');
    await gateway.close();
    isMended = true;
    expect(row.targets[0].state.is).toBe('key refused');
  });

  test('lists learned restrictions, which an operator discards', async () => {
    await askPicky();
    const { learned } = await stateOf('picky');
    expect(learned).toEqual([
      {
        ...{ backend: 'a', dialect: 'chatCompletions', model: 'picky', key: 'team', kind: 'field' },
        ...{ text: expect.stringContaining('temperature'), seconds: expect.any(Number) },
      },
    ]);
    const before = service.seen.length;
    await askPicky();
    expect(service.seen.length - before).toBe(1);
    const path = '/learned-restrictions?backend=a&model=picky';
    expect((await send(url, path, { headers: bearer(KEYS.boss) })).body.learned).toEqual(learned);
    for (const method of ['GET', 'DELETE'])
      expect((await send(url, path, { method, headers: bearer(KEYS.team) })).status).toBe(403);
    const { body } = await send(url, path, { method: 'DELETE', headers: bearer(KEYS.boss) });
    expect(body).toEqual({ forgotten: 1 });
    expect((await stateOf('picky')).learned).toEqual([]);
    await askPicky();
    expect(service.seen.length - before).toBe(3);
    const wrong = await send(url, '/learned-restrictions?backend=b', { method: 'DELETE', headers: bearer(KEYS.boss) });
    expect([wrong.status, wrong.body.error.message]).toEqual([400, expect.stringContaining('known: a, denied, dead')]);
  });

  test('is for operators, and the list of clients stays as it was', async () => {
    expect((await send(url, '/models?detail', { headers: bearer(KEYS.team) })).status).toBe(403);
    expect((await send(url, '/models?detail')).status).toBe(401);
    for (const path of ['/models', '/v1/models', '/models?limit=2', '/models?detail=false', '/v1/models?details=1']) {
      const { status, body } = await send(url, path, { headers: bearer(KEYS.team) });
      expect([path, status, body.object, body.models]).toEqual([path, 200, 'list', undefined]);
    }
  });

  test('has the lines that check prints', async () => {
    const { text } = await send(url, '/models?detail&format=text', { headers: bearer(KEYS.boss) });
    const place = createWorkplace();
    const printed: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((piece) => printed.push(String(piece)) > 0);
    await check.run({ config: place.file('c.json', JSON.stringify(config)) }, []);
    write.mockRestore();
    await place.end();
    const own = text.split('\n').filter((line) => !/^ {2,}(?:state|requests|learned) /.test(line));
    const [, theirs = ''] = printed.join('').split('models:\n');
    expect(own.join('\n').trim()).toBe(theirs.trim());
    expect(text).toMatch(/^ +state up$/m);
  });
});
