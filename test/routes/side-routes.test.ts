import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { defaultInput } from '../../src/config/defaults.js';
import { COUNTING, tableOf } from '../support/dialects/index.js';
import { openApplication, type TestApplication } from '../support/gateway/application.js';
import { ASK, DIALECTS, json, messageOf, type Recorder, startRecorder } from '../support/gateway/harness.js';
import { pairsOf } from '../support/pairs.js';
import { countOf } from '../support/requests.js';

let recorder: Recorder;
let gateway: TestApplication;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = openApplication({
    backends: {
      ...Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: recorder.url }])),
      native: { dialect: 'messages', baseUrl: recorder.url, countTokens: 'native' },
    },
    models: {
      messages: { backend: 'messages', model: 'm-real' },
      responses: { backend: 'responses', model: 'r-real' },
      generateContent: { backend: 'generateContent', model: 'g-real' },
      native: { backend: 'native' },
      'claude-*': { backend: 'messages' },
      'my-*': { backend: 'responses', model: 'gpt-*' },
      'mapped-*': { backend: 'generateContent', model: 'fixed' },
    },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const COUNTED = tableOf('counted');
const COUNT_PATH = tableOf('countPath');

describe.each(pairsOf(COUNTING))('counting, %s client, %s backend', (client, backend) => {
  const { path, body } = countOf(client, backend);

  test('USE-08: the backend counts', async () => {
    recorder.reply = (response) => json(response, 200, COUNTED[backend]);
    const answer = await gateway.http.post(path).send(body).expect(200, COUNTED[client]);
    expect(answer.headers['x-interlingua-estimate']).toBeUndefined();
    expect(recorder.seen[0]?.path).toBe(COUNT_PATH[backend]);
  });

  test('a body that asks for a stream is answered with a count all the same', async () => {
    recorder.reply = (response) => json(response, 200, COUNTED[backend]);
    const answer = await gateway.http
      .post(path)
      .send({ ...body, stream: true })
      .expect(200);
    expect(answer.body).toEqual(expect.objectContaining({ ...COUNTED[client] }));
  });

  test.each([404, 405, 501])('a backend that cannot (%i): an estimate', async (status) => {
    recorder.reply = (response) => json(response, status, { error: { message: 'no such path' } });
    const answer = await gateway.http.post(path).send(body).expect(200).expect('x-interlingua-estimate', 'true');
    const count = client === 'generateContent' ? answer.body.totalTokens : answer.body.input_tokens;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(20);
  });

  test('a refusal is told', async () => {
    recorder.reply = (response) =>
      json(response, 400, {
        type: 'error',
        request_id: null,
        error: { type: 'invalid_request_error', message: 'no', code: null, param: null },
      });
    const answer = await gateway.http.post(path).send(body).expect(400);
    messageOf(client, answer.body);
  });
});

test.each(COUNTING)('with native there is no estimate: 404 for %s', async (client) => {
  recorder.reply = (response) => json(response, 404, { error: { message: 'no such path' } });
  const { path, body } = countOf(client, 'native');
  const answer = await gateway.http.post(path).send(body).expect(404);
  messageOf(client, answer.body);
});

test('an estimate counts words, tools and media, and no base64', async () => {
  recorder.reply = (response) => json(response, 404, {});
  const { path, body } = countOf('messages', 'responses');
  const estimate = async (more: object): Promise<number> =>
    (await gateway.http.post(path).send({ ...body, ...more })).body.input_tokens;
  const base = await estimate({});
  const words = await estimate({ messages: [{ role: 'user', content: 'word '.repeat(500) }] });
  expect(words - base).toBeGreaterThan(450);
  expect(words - base).toBeLessThan(560);
  const tool = {
    name: 'look',
    description: 'Looks at something far away',
    input_schema: { type: 'object', properties: { at: { type: 'string' } } },
  };
  expect((await estimate({ tools: [tool] })) - base).toBeGreaterThan(15);
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo'.repeat(5000) },
  };
  const pictured = await estimate({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }, image] }] });
  expect(pictured - base).toBe(1000);
});

test('special tokens in a text are text', async () => {
  recorder.reply = (response) => json(response, 404, {});
  const { path, body } = countOf('responses', 'messages');
  const answer = await gateway.http.post(path).send({ ...body, input: '<|endoftext|><|im_start|>' });
  expect(answer.body.input_tokens).toBeGreaterThan(5);
});

describe('model lists', () => {
  const lists = {
    messages: {
      data: [
        { id: 'claude-1', type: 'model', display_name: 'Claude 1', created_at: '2025-01-01T00:00:00Z' },
        { id: 'other', type: 'model', display_name: 'o', created_at: '2025-01-01T00:00:00Z' },
      ],
      has_more: false,
      first_id: 'claude-1',
      last_id: 'other',
    },
    responses: {
      object: 'list',
      data: [
        { id: 'gpt-9', object: 'model', created: 5, owned_by: 'o' },
        { id: 'o1', object: 'model', created: 5, owned_by: 'o' },
      ],
    },
    generateContent: { models: [{ name: 'models/fixed', displayName: 'F' }] },
  };
  const NAMES = ['claude-1', 'generateContent', 'messages', 'my-9', 'native', 'responses'];

  test('hold exact names, and for patterns what the backend lists under the name a client must use', async () => {
    recorder.reply = (response, { path, headers }) => {
      if (headers['anthropic-version'] !== undefined) json(response, 200, lists.messages);
      else if (path.startsWith('/v1beta/')) json(response, 200, lists.generateContent);
      else json(response, 200, lists.responses);
    };
    const own = await gateway.http.get('/v1/models');
    expect(own.body.object).toBe('list');
    expect(own.body.data.map(({ id }: { id: string }) => id).sort()).toEqual(NAMES);
    const asked = recorder.seen.length;
    const anthropic = await gateway.http.get('/v1/models').set('anthropic-version', '2023-06-01');
    expect(anthropic.body.data.map(({ id }: { id: string }) => id).sort()).toEqual(NAMES);
    expect(anthropic.body).toMatchObject({ has_more: false });
    for (const [path, headers] of [
      ['/v1beta/models', {}],
      ['/v1/models', { 'x-goog-api-client': 'genai' }],
    ] as const) {
      const google = await gateway.http.get(path).set(headers);
      expect(google.body.models.map(({ name }: { name: string }) => name.replace('models/', '')).sort()).toEqual(NAMES);
    }
    expect(recorder.seen).toHaveLength(asked);
  });

  test('one model, and one that is not there', async () => {
    expect((await gateway.http.get('/v1/models/my-9')).body).toMatchObject({
      id: 'my-9',
      object: 'model',
      created: 5,
    });
    expect((await gateway.http.get('/v1beta/models/models/claude-1')).body).toMatchObject({
      name: 'models/claude-1',
      displayName: 'Claude 1',
    });
    recorder.reply = (response) => json(response, 404, { type: 'error', error: { type: 'not_found_error' } });
    const missing = await gateway.http.get('/v1/models/claude-nope').set('anthropic-version', '2023-06-01').expect(404);
    expect(messageOf('messages', missing.body)).toMatch(/^model: claude-nope; /);
  });

  test('an alias is looked up where it is served, and has the name that stands for it', async () => {
    const told = {
      type: 'model',
      id: 'claude-9-20260101',
      display_name: 'Claude 9',
      created_at: '2026-01-01T00:00:00Z',
    };
    recorder.reply = (response, { path }) => json(response, path === '/v1/models/claude-9' ? 200 : 404, told);
    await gateway.http
      .get('/v1/models/claude-9')
      .expect(200, { id: 'claude-9-20260101', object: 'model', created: 1767225600, owned_by: 'messages' });
    recorder.seen.length = 0;
    await gateway.http.get('/v1/models/my-10').expect(404);
    expect(recorder.seen.map(({ path }) => path)).toEqual(['/v1/models/gpt-10']);
  });

  test('a fixed model behind a pattern is found under every name of the pattern', async () => {
    expect((await gateway.http.get('/v1beta/models/mapped-x')).body).toMatchObject({
      name: 'models/mapped-x',
      displayName: 'F',
    });
  });

  test('a conversation with a model that is not there is told which there are', async () => {
    const near = await gateway.http.post('/v1/responses').send(ASK.responses('mesages').body).expect(400);
    expect(messageOf('responses', near.body)).toBe('unknown model mesages; did you mean messages?');
    const far = await gateway.http.post('/v1/messages').send(ASK.messages('zzz').body);
    expect(messageOf('messages', far.body)).toMatch(/^model: zzz; known: messages, responses, .*claude-1/);
  });

  test('models for pictures alone are counted, not named', async () => {
    const simulated = openApplication(defaultInput({}));
    try {
      const { body } = await simulated.http.post('/v1/responses').send({ model: 'zzz', input: 'x' }).expect(400);
      expect(messageOf('responses', body)).toMatch(
        /; known: sim-messages, sim-responses, sim-generate-content, sim-chat-completions and \d+ others$/,
      );
    } finally {
      await simulated.close();
    }
  });

  test('a backend that tells nothing of a name that leads to it', async () => {
    recorder.reply = (response) => json(response, 500, {});
    expect((await gateway.http.get('/v1/models/claude-9')).body).toMatchObject({
      id: 'claude-9',
      owned_by: 'messages',
    });
  });

  test('a wrong method', () => gateway.http.delete('/v1/models').expect(405).expect('allow', 'GET, HEAD'));
});

test('GW-05: a count that fails costs the model nothing', async () => {
  recorder.reply = (response) => json(response, 404, { error: { message: 'no such path' } });
  await gateway.http.post('/v1/messages/count_tokens').send(countOf('messages', 'messages').body);
  const list = await gateway.http.get('/v1/models');
  expect(JSON.stringify(list.body)).toContain('"id":"messages"');
  recorder.seen.length = 0;
  await gateway.http.post('/v1/messages').send(ASK.messages('messages').body);
  expect(recorder.seen.map(({ path }) => path)).toEqual(['/v1/messages']);
});
