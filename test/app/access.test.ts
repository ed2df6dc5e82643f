import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dialectAt } from '../support/dialect-at.js';
import { openApplication, type TestApplication } from '../support/gateway/application.js';
import { ASK, DIALECTS, json, messageOf, type Recorder, startRecorder, WHOLE } from '../support/gateway/harness.js';

const ALL = 'key-for-all-models-1234';
const SOME = 'key-for-some-models-123';
const HASHED = 'key-known-by-digest-123';
const UPSTREAM = 'sk-upstream-canary-7d1f';

let recorder: Recorder;
let gateway: TestApplication;

beforeAll(async () => {
  recorder = await startRecorder();
  const backend = (dialect: (typeof DIALECTS)[number]) => ({ dialect, baseUrl: recorder.url, apiKey: UPSTREAM });
  gateway = openApplication({
    backends: {
      messages: backend('messages'),
      responses: backend('responses'),
      generateContent: backend('generateContent'),
      chatCompletions: backend('chatCompletions'),
    },
    models: {
      messages: { backend: 'messages' },
      responses: { backend: 'responses' },
      generateContent: { backend: 'generateContent' },
      chatCompletions: { backend: 'chatCompletions' },
    },
    keys: [
      { name: 'all', key: ALL },
      { name: 'some', key: SOME, models: ['mess*'] },
      { name: 'hashed', sha256: createHash('sha256').update(HASHED).digest('hex') },
    ],
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response, { path }) => {
    json(response, 200, WHOLE[dialectAt(path)]('hi'));
  };
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

interface Form {
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

const FORMS: readonly [string, (key: string) => Form][] = [
  ['bearer', (key) => ({ headers: { authorization: `Bearer ${key}` } })],
  ['bearer in lower case', (key) => ({ headers: { authorization: `bearer ${key}` } })],
  ['x-api-key', (key) => ({ headers: { 'x-api-key': key } })],
  ['x-goog-api-key', (key) => ({ headers: { 'x-goog-api-key': key } })],
  ['api-key', (key) => ({ headers: { 'api-key': key } })],
  ['query', (key) => ({ query: `?key=${encodeURIComponent(key)}` })],
];

describe.each(DIALECTS)('%s', (dialect) => {
  const ask = ASK[dialect](dialect);
  const call = ({ headers = {}, query = '' }: Form) =>
    gateway.http
      .post(ask.path + query)
      .set(headers)
      .send(ask.body);

  test.each(FORMS)('a valid key as %s', async (_name, form) => {
    await call(form(ALL)).expect(200);
    await call(form(HASHED)).expect(200);
    expect(JSON.stringify(recorder.seen)).not.toContain(ALL);
    expect(recorder.seen[0]?.path).not.toContain('key=');
  });

  test.each(FORMS)('a wrong key as %s: always the same 401', async (_name, form) => {
    const bodies = new Set<string>();
    for (const key of ['x', ALL.slice(0, -1), `${ALL}x`, SOME.toUpperCase(), "' or 1=1", UPSTREAM]) {
      const { body } = await call(form(key)).expect(401);
      messageOf(dialect, body);
      bodies.add(JSON.stringify({ ...body, request_id: undefined }));
    }
    expect(bodies.size).toBe(1);
    expect(recorder.seen).toHaveLength(0);
  });

  test('no key, and an empty one', async () => {
    await call({}).expect(401);
    await call({ headers: { authorization: 'Bearer ' } }).expect(401);
    await call({ headers: { 'x-api-key': '' } }).expect(401);
  });

  test('of several keys one valid is enough', async () => {
    await call({ headers: { authorization: 'Bearer wrong', 'x-api-key': ALL } }).expect(200);
    await call({ headers: { 'x-api-key': 'wrong' }, query: `?key=wrong&key=${ALL}` }).expect(200);
  });

  test('a model the key may not use: 403', async () => {
    const { status, body } = await call({ headers: { 'x-api-key': SOME } });
    expect(status).toBe(dialect === 'messages' ? 200 : 403);
    if (status === 403) messageOf(dialect, body);
  });
});

test('GW-06: the upstream key goes in the form of its service, and no key of ours goes at all', async () => {
  for (const dialect of DIALECTS) {
    const { path, body } = ASK[dialect](dialect);
    await gateway.http
      .post(path)
      .set({ authorization: `Bearer ${ALL}`, 'x-api-key': ALL, 'x-goog-api-key': ALL, 'api-key': ALL, cookie: 'a=b' })
      .send(body);
  }
  const headers = recorder.seen.map((seen) => seen.headers);
  expect(headers[0]).toMatchObject({ 'x-api-key': UPSTREAM });
  expect(headers[1]).toMatchObject({ authorization: `Bearer ${UPSTREAM}` });
  expect(headers[2]).toMatchObject({ 'x-goog-api-key': UPSTREAM });
  expect(headers[3]).toMatchObject({ authorization: `Bearer ${UPSTREAM}` });
  expect(headers[0]?.authorization).toBeUndefined();
  expect(JSON.stringify(recorder.seen)).not.toContain(ALL);
  expect(JSON.stringify(recorder.seen)).not.toContain('cookie');
});

test('every route but the operations needs a key', async () => {
  for (const [method, path] of [
    ['post', '/v1/messages'],
    ['post', '/v1/messages/count_tokens'],
    ['post', '/v1/responses'],
    ['post', '/v1/responses/input_tokens'],
    ['post', '/v1beta/models/x:generateContent'],
    ['post', '/v1beta/models/x:streamGenerateContent'],
    ['post', '/v1beta/models/x:countTokens'],
    ['post', '/v1/chat/completions'],
    ['post', '/openai/deployments/x/chat/completions'],
    ['get', '/v1/models'],
    ['get', '/v1/models/x'],
    ['get', '/v1beta/models'],
    ['get', '/nowhere'],
    ['put', '/v1/messages'],
  ] as const) {
    expect([path, (await gateway.http[method](path)).status]).toEqual([path, 401]);
  }
  for (const path of ['/', '/healthz', '/readyz']) await gateway.http.get(path).expect(200);
});

test('since when the gateway is up is for those who may call', async () => {
  const told = (key: string) => gateway.http.get('/').set('x-api-key', key);
  const { body } = await told(SOME).expect(200);
  const age = Date.now() - Date.parse(body.started);
  expect([age >= 0, age < 3_600_000]).toEqual([true, true]);
  expect((await told('a-wrong-key').expect(200)).body).toEqual({ name: 'interlingua', version: body.version });
});

test('lists hold what the key may use', async () => {
  const list = async (key: string) => (await gateway.http.get('/v1/models').set('x-api-key', key)).body.data;
  expect((await list(ALL)).map(({ id }: { id: string }) => id).sort()).toEqual([
    'chatCompletions',
    'generateContent',
    'messages',
    'responses',
  ]);
  expect((await list(SOME)).map(({ id }: { id: string }) => id)).toEqual(['messages']);
  await gateway.http.get('/v1/models/responses').set('x-api-key', SOME).expect(404);
});

test('a backend without a key is called without a credential, unless the caller’s own is to be sent on', async () => {
  const open = openApplication({
    backends: {
      none: { dialect: 'messages', baseUrl: recorder.url },
      client: { dialect: 'messages', baseUrl: recorder.url, auth: 'client' },
      foreign: { dialect: 'responses', baseUrl: recorder.url, auth: 'client' },
    },
    models: { none: { backend: 'none' }, client: { backend: 'client' }, foreign: { backend: 'foreign' } },
  });
  try {
    for (const model of ['none', 'client', 'foreign']) {
      const { path, body } = ASK.messages(model);
      await open.http.post(path).set({ 'x-api-key': 'callers-own', 'anthropic-workspace-id': 'w1' }).send(body);
    }
    const [none, client, foreign] = recorder.seen.map((seen) => seen.headers);
    expect(JSON.stringify(none)).not.toContain('callers-own');
    expect(none?.['anthropic-workspace-id']).toBeUndefined();
    expect(client).toMatchObject({ 'x-api-key': 'callers-own', 'anthropic-workspace-id': 'w1' });
    expect(foreign).toMatchObject({ authorization: 'Bearer callers-own' });
  } finally {
    await open.close();
  }
});

test('beyond loopback nobody listens without keys', async () => {
  const { createGateway } = await import('../../src/index.js');
  const config = { backends: { a: { dialect: 'messages', simulator: true } }, log: { level: 'silent' } } as const;
  const open = createGateway(config);
  await expect(open.listen({ host: '0.0.0.0', port: 0 })).rejects.toThrow(/keys: none are configured/);
  const { port } = await open.listen({ host: '0.0.0.0', port: 0, insecure: true });
  expect(port).toBeGreaterThan(0);
  await open.close();
});
