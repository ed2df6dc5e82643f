import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { type CoreFetchOptions, createFetch } from '../../src/fetch/core.js';
import { fromChatCompletions, toChatCompletions } from '../../src/fetch/dialects/chat-completions.js';
import { fromGenerateContent, toGenerateContent } from '../../src/fetch/dialects/generate-content.js';
import { fromMessages, toMessages } from '../../src/fetch/dialects/messages.js';
import { fromResponses, toResponses } from '../../src/fetch/dialects/responses.js';
import { objectOf } from '../../src/simulator/rules/index.js';
import { BACKEND_KEY, BACKEND_MODELS, WAY_TITLE, waysOf } from '../sdk/stage.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { describeError } from '../support/sessions/index.js';
import { type FetchStage, NOWHERE, openFetchStage } from './stage.js';

const FROM = {
  messages: fromMessages,
  responses: fromResponses,
  generateContent: fromGenerateContent,
  chatCompletions: fromChatCompletions,
};
const TO = {
  messages: toMessages,
  responses: toResponses,
  generateContent: toGenerateContent,
  chatCompletions: toChatCompletions,
};

let stage: FetchStage;
beforeAll(async () => {
  stage = await openFetchStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const coreFetch = (client: FakeDialectName, backend: FakeDialectName, options?: Partial<CoreFetchOptions>) =>
  createFetch({
    from: [FROM[client]],
    to: TO[backend],
    baseUrl: stage.backends[backend].url,
    apiKey: BACKEND_KEY,
    model: BACKEND_MODELS[backend],
    ...options,
  });

test('a client whose dialect is not the usual one lists models', async () => {
  const client = new OpenAI({
    apiKey: 'any',
    baseURL: `${NOWHERE}/v1`,
    maxRetries: 0,
    fetch: coreFetch('chatCompletions', 'messages'),
  });
  const { data } = await client.models.list();
  expect(data).not.toEqual([]);
});

const WEATHER = {
  name: 'weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe.each(waysOf(0).filter(({ client, backend }) => client !== backend))(
  `the official SDKs over createFetch of parts: ${WAY_TITLE}`,
  ({ client, backend, stream }) => {
    const session = (options = {}) => stage.session(client, backend, { fetch: coreFetch(client, backend), ...options });

    test('a tool loop that reasons keeps its state', async () => {
      stage.backends[backend].script([
        {
          kind: 'reasoning+calls',
          reasoning: 'Look it up.',
          calls: [{ name: 'weather', arguments: { city: 'Bern' } }],
        },
        { kind: 'text', text: 'Snow.', reasoning: 'Simple.' },
      ]);
      const asked = session({ tools: [WEATHER], reasoning: true });
      asked.user('How is the weather?');
      const { calls } = await asked.send({ stream });
      expect(calls).toMatchObject([{ name: 'weather', args: { city: 'Bern' } }]);
      asked.results(calls.map(({ id, name }) => ({ id, name, output: 'snow' })));
      await expect(asked.send({ stream })).resolves.toMatchObject({ text: 'Snow.', finish: 'end' });
      expect(stage.backends[backend].requests).toHaveLength(2);
    });

    test('a refusal has its status and its words', async () => {
      stage.backends[backend].script({ kind: 'error', status: 429, message: 'Too many bananas.', retryAfter: 7 });
      const asked = session();
      asked.user('Hello.');
      const error = describeError(await asked.send({ stream }).catch((thrown: unknown) => thrown));
      expect(error).toMatchObject({ status: 429 });
      expect(JSON.stringify(error)).toContain('Too many bananas.');
    });
  },
);

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-request-id': 'one' },
  body: JSON.stringify(body),
});
const MESSAGES = { model: 'any', max_tokens: 500, messages: [{ role: 'user', content: 'Hello' }], top_k: 5 };
const RESPONSES = { model: 'any', input: 'Hello' };

/** All that a client sees, but for ids and times. */
const seen = async (answer: Response): Promise<unknown> => {
  const text = JSON.stringify([answer.status, Object.fromEntries(answer.headers), await answer.text()]);
  return text.replace(/[0-9a-f]{32}|(?:msg|resp|rs|req)_[\w-]+|\d{4}-\d\d-\d\dT[\d:.]+Z|"created(?:_at)?\\?":\d+/g, '');
};

describe('of parts', () => {
  test.each([
    ['a conversation', '/v1/messages', post(MESSAGES)],
    ['a stream', '/v1/messages', post({ ...MESSAGES, stream: true })],
    ['a count', '/v1/messages/count_tokens', post({ model: 'any', messages: MESSAGES.messages })],
    ['a list of models', '/v1/models', { headers: { 'anthropic-version': '2023-06-01' } }],
    ['a path that is none', '/v1/messages/none', post({})],
    ['a body that is none', '/v1/messages', post({ model: 'any', max_tokens: 'many' })],
    ['what strict refuses', '/v1/messages', { ...post(MESSAGES), headers: { 'x-interlingua-losses': 'strict' } }],
  ])('%s is answered as by the whole', async (_name, path, init) => {
    const answers = [coreFetch('messages', 'responses'), stage.fetchTo('responses')].map(async (ask) =>
      seen(await ask(`${NOWHERE}${path}`, init)),
    );
    const [parts, whole] = await Promise.all(answers);
    expect(parts).toEqual(whole);
  });

  test.each([
    ['chat completions', '/v1/chat/completions', 'chatCompletions', 'its half for clients is missing in `from`'],
    ['the backend', '/v1/responses', 'responses', 'pass with `createFetch` of interlingua/fetch'],
  ])('a call in the dialect of %s is answered 404 with the reason, and never sent', async (_name, path, id, reason) => {
    const answer = await coreFetch('messages', 'responses')(`${NOWHERE}${path}`, post(RESPONSES));
    const error = objectOf(objectOf(await answer.json()).error);
    expect([answer.status, error.type]).toEqual([404, 'not_found_error']);
    expect(error.message).toBe(
      `calls of ${id} are not served here, only those of messages: ${String(error.message).split(': ')[1]}`,
    );
    expect(error.message).toContain(reason);
    expect(stage.backends.responses.requests).toHaveLength(0);
  });

  test('clients of several dialects are served', async () => {
    const ask = coreFetch('messages', 'chatCompletions', { from: [fromMessages, fromResponses] });
    for (const [path, body] of [
      ['/v1/messages', MESSAGES],
      ['/v1/responses', RESPONSES],
    ] as const)
      expect((await ask(`${NOWHERE}${path}`, post(body))).status).toBe(200);
    expect(stage.backends.chatCompletions.requests).toHaveLength(2);
  });

  test('what stands before a publisher refuses in words of its own, which are told', async () => {
    const ask = createFetch({
      from: [fromResponses],
      to: toMessages,
      baseUrl: 'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic',
      apiKey: 'token',
      fetch: async () =>
        Response.json(
          { error: { code: 403, message: 'no such project', status: 'PERMISSION_DENIED' } },
          { status: 403 },
        ),
    });
    const answer = await ask(`${NOWHERE}/v1/responses`, post({ ...RESPONSES, model: 'claude-haiku-4-5' }));
    const error = objectOf(objectOf(await answer.json()).error);
    expect([answer.status, error.message]).toEqual([403, 'no such project']);
  });

  test.each([
    [{ from: [] }, 'from: must hold a dialect'],
    [{ from: ['messages'] }, 'from: must hold dialects'],
    [{ to: 'responses' }, 'to: must be a dialect'],
    [{ from: [fromMessages, fromResponses] }, 'from: must not hold responses, the dialect of `to`'],
    [{ frm: [] }, 'frm: unknown option; did you mean `from`?'],
  ])('invalid options are refused by name: %#', (wrong, reason) => {
    const options: unknown = { from: [fromMessages], to: toResponses, baseUrl: NOWHERE, ...wrong };
    expect(() => createFetch(options as CoreFetchOptions)).toThrow(TypeError);
    expect(() => createFetch(options as CoreFetchOptions)).toThrow(`createFetch: ${reason}`);
  });
});
