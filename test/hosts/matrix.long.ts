import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { presets } from '../../src/presets/index.js';
import {
  connectChatCompletions,
  connectGenerateContent,
  connectMessages,
  connectResponses,
} from '../support/clients.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { send } from '../support/gateway/harness.js';
import { errorBodyOf, tooLongAt } from '../support/hosts/errors.js';
import { factsOf } from '../support/hosts/facts.js';
import { HOST_MODEL } from '../support/hosts/host.js';
import { SHORT } from '../support/runs.js';
import {
  createSession,
  type DescribedError,
  describeError,
  type Session,
  type ToolSpec,
} from '../support/sessions/index.js';
import { ENDPOINTS, type Endpoint, type HostsStage, keyOf, modelAt, startHosts } from './stage.js';

/** Every host in every dialect that it speaks, as its recipe says, with the official clients of all dialects. */

let stage: HostsStage;
beforeAll(async () => {
  stage = await startHosts(ENDPOINTS);
});
afterAll(() => stage.close());

/** In the short run each endpoint has one client, in turn. */
const CELLS = ENDPOINTS.flatMap((endpoint, index) => {
  const clients = SHORT
    ? FAKE_DIALECTS.filter((_client, place) => place === index % FAKE_DIALECTS.length)
    : FAKE_DIALECTS;
  return clients.map((client) => ({ ...endpoint, endpoint, client }));
});

afterEach(() => {
  for (const endpoint of ENDPOINTS) stage.hostOf(endpoint).reset();
});

const LOOK: ToolSpec = {
  name: 'look',
  description: 'Looks at a place',
  parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
};

function open(endpoint: Endpoint, client: FakeDialectName, tools: boolean): Session {
  const settings = {
    model: modelAt(endpoint),
    apiKey: keyOf(endpoint),
    maxTokens: 600,
    ...(tools && { tools: [LOOK] }),
  };
  return createSession(client, stage.url, settings);
}

describe.each(CELLS)('$name with $dialect, client of $client', ({ endpoint, name, dialect, client }) => {
  test('text, stream, a loop over a tool', async () => {
    // [H §10.2]: the one host without tools.
    const tools = name !== 'perplexity';
    const { backend, refused, misread } = stage.hostOf(endpoint);
    backend.script([
      { kind: 'text', text: 'Hello.' },
      { kind: 'text', text: 'Hello again.' },
      { kind: 'calls', calls: [{ name: 'look', arguments: { at: 'here' } }] },
      { kind: 'text', text: 'Seen.' },
    ]);
    const session = open(endpoint, client, tools);
    session.user('Hi');
    await expect(session.send({ stream: false })).resolves.toMatchObject({ text: 'Hello.', finish: 'end' });
    session.user('Again');
    await expect(session.send({ stream: true })).resolves.toMatchObject({ text: 'Hello again.', finish: 'end' });
    if (tools) {
      session.user('Look');
      const turn = await session.send({ stream: true });
      expect(turn).toMatchObject({ finish: 'calls', calls: [{ name: 'look' }] });
      session.results(turn.calls.map((call) => ({ id: call.id, name: call.name, output: 'a garden' })));
      await expect(session.send({ stream: false })).resolves.toMatchObject({ text: 'Seen.', finish: 'end' });
    }
    expect({ refused, misread }).toEqual({ refused: [], misread: [] });
    expect(backend.requests).toHaveLength(tools ? 4 : 2);
  });

  test('an error, and an input that is too long', async () => {
    const refuse = async (status: number, words: string): Promise<DescribedError> => {
      const body = JSON.stringify(errorBodyOf(name, dialect)(status, words));
      const headers = { 'content-type': 'application/json' };
      stage.hostOf(endpoint).backend.script({ kind: 'raw', status, headers, chunks: [body] });
      const session = open(endpoint, client, false);
      session.user('Hi');
      return session.send({ stream: false }).then(() => {
        throw new Error('an answer in place of an error');
      }, describeError);
    };
    const own = client === dialect;
    const limited = await refuse(429, 'Slow down.');
    expect(limited).toMatchObject({ sdk: true, status: 429, message: expect.stringContaining('Slow down.') });
    if (!own) expect(limited).toMatchObject(LIMITED[client]);
    const words = tooLongAt(name);
    const long = await refuse(400, words);
    expect(long).toMatchObject({ sdk: true, status: 400, message: expect.stringContaining(words) });
    if (!own) expect(long).toMatchObject(TOO_LONG[client]);
  });
});

/** How each client knows that it has to slow down. */
const LIMITED: Readonly<Record<FakeDialectName, Partial<DescribedError>>> = {
  messages: { name: 'RateLimitError', type: 'rate_limit_error' },
  responses: { name: 'RateLimitError', code: 'rate_limit_exceeded' },
  generateContent: { type: 'RESOURCE_EXHAUSTED' },
  chatCompletions: { name: 'RateLimitError', code: 'rate_limit_exceeded' },
};

/** How each client knows that it has to shorten the conversation (translation.md 7.1). */
const TOO_LONG: Readonly<Record<FakeDialectName, object>> = {
  messages: { name: 'BadRequestError', message: expect.stringMatching(/^prompt is too long/) },
  responses: { name: 'BadRequestError', code: 'context_length_exceeded' },
  generateContent: { type: 'INVALID_ARGUMENT' },
  chatCompletions: { name: 'BadRequestError', code: 'context_length_exceeded' },
};

/** The names of models as the official client of each dialect lists them. */
const LISTS: Readonly<Record<FakeDialectName, (apiKey: string) => Promise<(string | undefined)[]>>> = {
  messages: async (apiKey) => idsOf(await connectMessages(stage.url, { apiKey }).models.list()),
  responses: async (apiKey) => idsOf(await connectResponses(stage.url, { apiKey }).models.list()),
  chatCompletions: async (apiKey) => idsOf(await connectChatCompletions(stage.url, { apiKey }).models.list()),
  generateContent: async (apiKey) => {
    const { page } = await connectGenerateContent(stage.url, { apiKey }).models.list();
    return page.map(({ name }) => name?.replace('models/', ''));
  },
};

function idsOf({ data }: { readonly data: readonly { readonly id: string }[] }): string[] {
  return data.map(({ id }) => id);
}

describe.each(SHORT ? ENDPOINTS.filter(({ usual }) => usual) : ENDPOINTS)('$name with $dialect', (endpoint) => {
  const { name, dialect } = endpoint;

  test('goes on by the id of the answer before, whoever keeps it', async () => {
    const { backend, refused, misread } = stage.hostOf(endpoint);
    const { responses } = connectResponses(stage.url, { apiKey: keyOf(endpoint) });
    const model = modelAt(endpoint);
    const first = await responses.create({ model, input: 'The first question' });
    const second = await responses.create({ model, input: 'More', previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    expect((await responses.retrieve(second.id)).output_text).toBe(second.output_text);
    const { raw } = backend.requests.find(({ raw: sent }) => sent.includes('More')) ?? { raw: '' };
    const keeps = dialect === 'responses' && presets[name].state === 'own';
    expect(raw).toContain(keeps ? first.id : 'The first question');
    expect(raw.includes('previous_response_id')).toBe(keeps);
    expect({ refused, misread }).toEqual({ refused: [], misread: [] });
  });

  test('lists the models of the host in every dialect, and counts or estimates', async () => {
    const expected = factsOf(name).listless ? [] : [modelAt(endpoint)];
    for (const client of SHORT ? [dialect] : FAKE_DIALECTS)
      expect([client, await LISTS[client](keyOf(endpoint))]).toEqual([client, expected]);
    const { input_tokens: tokens } = await connectMessages(stage.url, { apiKey: keyOf(endpoint) }).messages.countTokens(
      {
        model: modelAt(endpoint),
        messages: [{ role: 'user', content: 'Hi' }],
      },
    );
    expect(tokens).toBeGreaterThan(0);
  });

  test('gets a body of its dialect byte for byte but for the name, and nothing invented in one of another', async () => {
    const { backend } = stage.hostOf(endpoint);
    const name = modelAt(endpoint);
    const headers = { authorization: `Bearer ${keyOf(endpoint)}` };
    const text = PLAIN[dialect](name);
    const answer = await send(stage.url, pathOf(dialect, name), { body: text, headers });
    expect([answer.status, answer.headers['x-interlingua-losses']]).toEqual([200, '0']);
    // What stands in front of a publisher has the name in the path, and the version in the body.
    if (!factsOf(endpoint.name).publisher) expect(backend.requests.at(-1)?.raw).toBe(text.replace(name, HOST_MODEL));
    const other = dialect === 'messages' ? 'responses' : 'messages';
    const asked = await send(stage.url, pathOf(other, name), { body: PLAIN[other](name), headers });
    expect(asked.status).toBe(200);
    const { generationConfig, ...body } = backend.requests.at(-1)?.body ?? {};
    const { temperature, thinking, reasoning, thinkingConfig, max_tokens: cap } = { ...body, ...generationConfig };
    const asks = thinking ?? reasoning ?? thinkingConfig ?? body.reasoning_effort;
    const unknown = !VENDORS.has(`${endpoint.name} ${dialect}`);
    expect({ temperature, asks }).toEqual({ temperature: unknown ? 0.7 : undefined, asks: undefined });
    if (dialect === 'messages' && unknown) expect(cap).toBe(8192);
  });
});

/** Where any name is that of the vendor's newest models, which think and take no temperature then (configuration.md#profile-flags). */
const VENDORS: ReadonlySet<string> = new Set([
  'anthropic messages',
  'openai responses',
  'openai chatCompletions',
  'azure chatCompletions',
  'deepseek chatCompletions',
  'gemini generateContent',
  'vertex generateContent',
]);

/** A request with nothing that a host could lack, in odd spacing. */
const PLAIN: Readonly<Record<FakeDialectName, (model: string) => string>> = {
  messages: (model) =>
    `{"model": "${model}",\n"max_tokens" : 600, "temperature":0.70,"messages":[{"role":"user","content":"q\\u0041"}]}`,
  responses: (model) =>
    `{"store":false, "model": "${model}",\n"temperature":0.70,"input" : [{"role":"user","content":"q\\u0041"}]}`,
  generateContent: () =>
    '{"contents" : [{"role":"user","parts":[{"text":"q\\u0041"}]}],\n"generationConfig":{"temperature":0.70}}',
  chatCompletions: (model) =>
    `{"model": "${model}",\n"temperature":0.70,"messages" : [{"role":"user","content":"q\\u0041"}]}`,
};

function pathOf(dialect: FakeDialectName, model: string): string {
  const paths = {
    messages: '/v1/messages',
    responses: '/v1/responses',
    generateContent: `/v1beta/models/${model}:generateContent`,
    chatCompletions: '/v1/chat/completions',
  };
  return paths[dialect];
}
