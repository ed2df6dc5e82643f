import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { captureLog } from '../observe/support.js';
import { connectChatCompletions, connectMessages, connectResponses } from '../support/clients.js';
import { send, startGateway, type TestGateway, type Tree } from '../support/gateway/harness.js';
import { type FakeHostOfMany, startHostOfMany } from '../support/hosts/endpoints.js';
import { HOST_KEY, HOST_MODEL } from '../support/hosts/host.js';
import { until } from '../support/until.js';

// A backend with several endpoints, over the official clients (hosts.md#endpoints).

/** Backends that say in a dialect's own error that they have no such route. */
const TELLING = ['sglang', 'tabby', 'older', 'proxy'] as const;

const log = captureLog();
const hosts: Record<string, FakeHostOfMany> = {};
const host = (name: string): FakeHostOfMany => hosts[name] as FakeHostOfMany;
let gateway: TestGateway;
/** The same with every request in a thread. */
let threads: TestGateway;

beforeAll(async () => {
  for (const name of ['ollama', 'llamacpp', 'vllm', 'lmstudio'])
    hosts[name] = await startHostOfMany(name, ['messages', 'responses', 'chatCompletions']);
  hosts.openai = await startHostOfMany('openai', ['responses', 'chatCompletions']);
  const config = {
    backends: {
      ollama: { preset: 'ollama', baseUrl: host('ollama').url },
      late: { preset: 'ollama', baseUrl: host('ollama').url },
      named: { preset: 'ollama', baseUrl: host('ollama').url, dialect: 'messages' },
      ...Object.fromEntries(TELLING.map((name) => [name, { preset: 'vllm', baseUrl: host('vllm').url }])),
      llamacpp: { preset: 'llamacpp', baseUrl: host('llamacpp').url },
      vllm: { preset: 'vllm', baseUrl: host('vllm').url },
      lmstudio: { preset: 'lmstudio', baseUrl: host('lmstudio').url },
      openai: { preset: 'openai', baseUrl: host('openai').url, apiKey: HOST_KEY },
    },
    models: {
      ...Object.fromEntries(
        ['ollama', 'late', 'named', 'llamacpp', 'vllm', 'lmstudio', ...TELLING].map((name) => [
          name,
          { backend: name, model: HOST_MODEL },
        ]),
      ),
      thinker: { backend: 'openai', model: HOST_MODEL, profile: 'gpt-5' },
      talker: { backend: 'openai', model: HOST_MODEL, profile: 'gpt-4.1' },
    },
    log: { level: 'info' },
  } as const;
  gateway = await startGateway(config);
  threads = await startGateway(config, { largeBytes: -1 });
});
beforeEach(() => {
  for (const one of Object.values(hosts)) one.reset();
  log.clear();
});
afterEach(() => {
  expect(Object.values(hosts).flatMap((one) => one.refused())).toEqual([]);
});
afterAll(async () => {
  await Promise.all([gateway.close(), threads.close()]);
  await Promise.all(Object.values(hosts).map((one) => one.close()));
  jest.restoreAllMocks();
});

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const FORMAT = { format: { type: 'json_schema', schema: SCHEMA } } as const;
const TOOLS = [{ name: 'look', input_schema: { type: 'object', properties: {} } }] as const;
const ASKED = { max_tokens: 64, messages: [{ role: 'user' as const, content: 'Where?' }] };

/** The line of the last exchange, which is written when its answer is out. */
async function exchangeLine(): Promise<Tree> {
  const lines = (): Tree[] => log.lines().filter(({ msg }: Tree) => msg === 'exchange');
  await until(() => lines().length > 0);
  const line = lines().at(-1);
  log.clear();
  return line;
}

describe('a schema of a messages client at Ollama', () => {
  test.each([
    ['in the process', () => gateway],
    ['in a thread', () => threads],
  ])('is enforced by chat completions, %s', async (_where, at) => {
    const chat = host('ollama').at('chatCompletions');
    chat.backend.script([{ kind: 'json', value: { city: 'Bern' } }]);
    const client = connectMessages(at().url);
    const { data, response } = await client.messages
      .create({ ...ASKED, model: 'ollama', output_config: FORMAT })
      .withResponse();
    expect(data.content).toMatchObject([{ type: 'text', text: '{"city":"Bern"}' }]);
    expect(host('ollama').paths).toEqual(['/v1/chat/completions']);
    const [asked] = chat.backend.requests;
    expect(asked?.body.response_format).toMatchObject({ type: 'json_schema', json_schema: { schema: SCHEMA } });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-interlingua-backend': 'ollama;endpoint=chatCompletions',
      'x-interlingua-dialect': 'chatCompletions',
      'x-interlingua-losses': '0;minor=1',
    });
    const endpoints = { messages: 1, chatCompletions: 0, responses: 0 };
    expect(await exchangeLine()).toMatchObject({ backend: 'ollama', dialect: 'chatCompletions', endpoints });
  });

  test('streams', async () => {
    host('ollama')
      .at('chatCompletions')
      .backend.script([{ kind: 'json', value: { city: 'Bern' } }]);
    const stream = connectMessages(gateway.url).messages.stream({ ...ASKED, model: 'ollama', output_config: FORMAT });
    expect(await stream.finalText()).toBe('{"city":"Bern"}');
    expect(host('ollama').paths).toEqual(['/v1/chat/completions']);
  });

  test('goes where it did where the endpoint is named, and that is said', async () => {
    const { response } = await connectMessages(gateway.url)
      .messages.create({ ...ASKED, model: 'named', output_config: FORMAT })
      .withResponse();
    expect(host('ollama').paths).toEqual(['/v1/messages']);
    expect(response.headers.get('x-interlingua-backend')).toBe('named');
    expect(response.headers.get('x-interlingua-losses')).toBe('1;minor=0');
    expect((await exchangeLine()).endpoints).toBeUndefined();
  });
});

describe('what its own endpoint serves', () => {
  test('is relayed byte for byte, in every dialect of the host', async () => {
    const requests = [
      ['/v1/messages', 'messages', { model: 'ollama', ...ASKED, tools: TOOLS, zzz: [1.0, 'ü'] }],
      ['/v1/responses', 'responses', { model: 'ollama', input: 'Where?', store: false, zzz: 1 }],
      [
        '/v1/chat/completions',
        'chatCompletions',
        { model: 'ollama', messages: ASKED.messages, zzz: 1, options: { num_ctx: 9 } },
      ],
    ] as const;
    for (const [path, dialect, body] of requests) {
      const answer = await send(gateway.url, path, { body });
      expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([200, 'ollama']);
      const sent = host('ollama').at(dialect).backend.requests.at(-1)?.raw;
      expect(sent).toBe(JSON.stringify({ ...body, model: HOST_MODEL }));
      expect((await exchangeLine()).endpoints).toBeUndefined();
    }
    expect(host('ollama').paths).toEqual(requests.map(([path]) => path));
  });

  test('makes no plan for another: nothing is decoded', async () => {
    const body = { model: 'ollama', max_tokens: 8, messages: 'no conversation at all' };
    const answer = await send(gateway.url, '/v1/messages', { body });
    expect(host('ollama').paths).toEqual(['/v1/messages']);
    expect(answer.headers['x-interlingua-dialect']).toBe('messages');
    host('ollama').reset();
  });
});

describe('a conversation', () => {
  test('stays at one endpoint, with its thoughts, calls and results', async () => {
    const chat = host('llamacpp').at('chatCompletions');
    const call = { name: 'look' };
    chat.backend.script([
      { kind: 'reasoning+calls', reasoning: 'I look.', calls: [call] },
      { kind: 'reasoning+calls', reasoning: 'Again.', calls: [call] },
      { kind: 'json', value: { city: 'Bern' } },
    ]);
    const client = connectMessages(gateway.url);
    const messages: Tree[] = [{ role: 'user', content: 'Where?' }];
    for (let turn = 0; turn < 3; turn += 1) {
      const { content } = await client.messages.create({
        ...{ model: 'llamacpp', max_tokens: 64, tools: [...TOOLS] as Tree, output_config: FORMAT },
        messages,
      });
      const [used] = content.filter(({ type }) => type === 'tool_use') as Tree[];
      messages.push({ role: 'assistant', content });
      if (used === undefined) break;
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: used.id, content: 'a door' }] });
    }
    expect(host('llamacpp').paths).toEqual(Array(3).fill('/v1/chat/completions'));
    const last = chat.backend.requests.at(-1)?.body.messages;
    expect(last.map(({ role }: Tree) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(JSON.stringify(last)).toContain('I look.');
  });

  test('stays with who issued its state, even when another endpoint would serve a later wish', async () => {
    const own = host('openai').at('responses');
    own.backend.script([
      { kind: 'reasoning+calls', reasoning: 'I look.', calls: [{ name: 'look' }] },
      { kind: 'text', text: 'A door.' },
    ]);
    const client = connectMessages(gateway.url);
    const ask = { model: 'thinker', max_tokens: 4000, tools: [...TOOLS] as Tree };
    const question = { role: 'user' as const, content: 'Where?' };
    const { content } = await client.messages.create({ ...ask, messages: [question] });
    const [used] = content.filter(({ type }) => type === 'tool_use') as Tree[];
    const result = { type: 'tool_result' as const, tool_use_id: used.id, content: 'a door' };
    const answer = await client.messages
      .create({
        ...ask,
        // Nothing but chat completions has stop strings.
        stop_sequences: ['END'],
        messages: [question, { role: 'assistant', content }, { role: 'user', content: [result] }],
      })
      .withResponse();
    expect(host('openai').paths).toEqual(['/v1/responses', '/v1/responses']);
    const items = own.backend.requests.at(-1)?.body.input;
    expect(items.find(({ type }: Tree) => type === 'reasoning')?.encrypted_content).toEqual(expect.any(String));
    expect(answer.response.headers.get('x-interlingua-dialect')).toBe('responses');

    // Where a model does not think, nothing is left behind.
    host('openai').reset();
    await client.messages.create({ ...ask, model: 'talker', stop_sequences: ['END'], messages: [question] });
    expect(host('openai').paths).toEqual(['/v1/chat/completions']);
  });

  test('that the host keeps is not taken from it', async () => {
    const client = connectResponses(gateway.url);
    const first = await client.responses.create({ model: 'lmstudio', input: 'Where?' });
    const custom = [{ type: 'custom' as const, name: 'patch' }];
    const next = { model: 'lmstudio', input: 'And now?', previous_response_id: first.id };
    await client.responses.create({ ...next, tools: custom, service_tier: 'flex' });
    expect(host('lmstudio').paths).toEqual(['/v1/responses', '/v1/responses']);
    expect(host('lmstudio').at('responses').backend.requests.at(-1)?.body.previous_response_id).toBe(first.id);
  });
});

describe('an endpoint that is missing', () => {
  test('is replaced by another, which is tried first from then on', async () => {
    host('vllm').without.add('chatCompletions');
    const client = connectChatCompletions(gateway.url);
    const ask = { model: 'vllm', messages: [{ role: 'user' as const, content: 'Where?' }] };
    const { data, response } = await client.chat.completions.create(ask).withResponse();
    expect(data.choices[0]?.message.content).toBe('A plain answer of the fake backend.');
    expect(response.headers.get('x-interlingua-backend')).toBe('vllm;endpoint=messages');
    expect(host('vllm').paths).toEqual(['/v1/chat/completions', '/v1/messages']);
    expect(log.lines()).toContainEqual(expect.objectContaining({ backend: 'vllm', kind: 'endpoint' }));
    await client.chat.completions.create(ask);
    expect(host('vllm').paths.slice(2)).toEqual(['/v1/messages']);

    const explained = await send(gateway.url, '/v1/chat/completions', {
      body: ask,
      headers: { 'x-interlingua-explain': 'true' },
    });
    expect(explained.body).toMatchObject({
      dialect: 'messages',
      endpoints: { chatCompletions: null, messages: 0, responses: 0 },
    });
  });

  test('is not meant by a model that the host does not have', async () => {
    host('llamacpp')
      .at('messages')
      .backend.script([{ kind: 'error', status: 404, message: `model '${HOST_MODEL}' not found` }]);
    const answer = await send(gateway.url, '/v1/messages', { body: { ...ASKED, model: 'llamacpp' } });
    expect([answer.status, host('llamacpp').paths]).toEqual([404, ['/v1/messages']]);
  });

  test.each([
    'File not found: file_011CNha8iCJcU1wXNR6q4V8w',
    "Item with id 'rs_68a1' not found. Items are not persisted when `store` is set to false.",
    'Container is expired or was not found',
  ])('is not meant by what else a body names: %s', async (message) => {
    host('llamacpp')
      .at('messages')
      .backend.script([{ kind: 'error', status: 404, message }]);
    for (const status of [404, 200]) {
      const answer = await send(gateway.url, '/v1/messages', { body: { ...ASKED, model: 'llamacpp' } });
      expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([status, 'llamacpp']);
    }
    expect(host('llamacpp').paths).toEqual(['/v1/messages', '/v1/messages']);
  });

  test.each([
    ['sglang', 'Not Found'],
    ['tabby', 'Invalid URL (POST /v1/messages)'],
    ['older', 'File Not Found'],
    ['proxy', 'This model is only supported in v1/responses and not in v1/messages.'],
  ])('is meant by an error that speaks of the route: %s says %s', async (name, message) => {
    host('vllm')
      .at('messages')
      .backend.script([{ kind: 'error', status: 404, message }]);
    const answer = await send(gateway.url, '/v1/messages', { body: { ...ASKED, model: name } });
    expect([answer.status, host('vllm').paths]).toEqual([200, ['/v1/messages', '/v1/chat/completions']]);
    expect(answer.headers['x-interlingua-backend']).toBe(`${name};endpoint=chatCompletions`);
  });

  test('that was chosen before: the header says whether the answer is of the usual one', async () => {
    host('ollama').without.add('chatCompletions').add('responses');
    const body = { ...ASKED, model: 'late', output_config: FORMAT };
    const answer = await send(gateway.url, '/v1/messages', { body });
    expect(host('ollama').paths).toEqual(['/v1/chat/completions', '/v1/responses', '/v1/messages']);
    expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([200, 'late']);
  });
});
