import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI, { AzureOpenAI } from 'openai';
import { connectMessages, connectResponses } from '../support/clients.js';
import {
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  type Seen,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';

// Azure OpenAI has each dialect at two addresses: below a version, and with a dated API version in the query and none in the path.

const KEY = 'key-of-the-resource';
const DATED = '2025-04-01-preview';

/** The addresses of a resource, and what each wants in its query. */
const ROUTES: readonly (readonly [path: RegExp, version: RegExp])[] = [
  [/^\/openai\/responses(?:\/|$)/, /^\d{4}-\d{2}-\d{2}(?:-preview)?$/],
  [/^\/openai\/deployments\/dep\/chat\/completions$/, /^\d{4}-\d{2}-\d{2}(?:-preview)?$/],
  [/^\/openai\/v1\/(?:responses|chat\/completions)(?:\/|$)/, /^(?:|preview|latest|v1)$/],
];

let resource: Recorder;
let gateway: TestGateway;
const refused: string[] = [];

/** The resource turns away every other address, version and form of the credential. */
function faultOf({ path, headers }: Seen): [number, string] | undefined {
  const { pathname, searchParams } = new URL(path, 'http://resource');
  if (headers['api-key'] !== KEY) return [401, 'Access denied due to missing subscription key.'];
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) return [401, 'two credentials'];
  const versions = ROUTES.filter(([route]) => route.test(pathname)).map(([, version]) => version);
  if (searchParams.getAll('api-version').length > 1) return [400, 'API version is given twice'];
  const version = searchParams.get('api-version') ?? '';
  return versions.some((wanted) => wanted.test(version)) ? undefined : [404, `Resource not found: ${path}`];
}

beforeAll(async () => {
  resource = await startRecorder();
  resource.reply = (response, seen) => {
    const fault = faultOf(seen);
    if (fault !== undefined) {
      refused.push(fault[1]);
      return json(response, fault[0], { error: { code: String(fault[0]), message: fault[1] } });
    }
    const dialect = seen.path.includes('/chat/') ? 'chatCompletions' : 'responses';
    if (!seen.body.includes('"stream":true')) return json(response, 200, WHOLE[dialect]('Hi'));
    response.writeHead(200, EVENT_STREAM);
    response.end(FRAMES[dialect]('Hi').join(''));
  };
  const azure = { preset: 'azure', apiKey: KEY } as const;
  gateway = await startGateway({
    backends: {
      v1: { ...azure, baseUrl: `${resource.url}/openai` },
      preview: { ...azure, baseUrl: `${resource.url}/openai?api-version=preview` },
      dated: { ...azure, baseUrl: `${resource.url}/openai?api-version=${DATED}` },
      chat: {
        ...azure,
        dialect: 'chatCompletions',
        baseUrl: `${resource.url}/openai/deployments/dep?api-version=2024-10-21`,
      },
      'chat-v1': { ...azure, dialect: 'chatCompletions', baseUrl: `${resource.url}/openai/v1` },
    },
    models: Object.fromEntries(
      ['v1', 'preview', 'dated', 'chat', 'chat-v1'].map((name) => [`m-${name}`, { backend: name, profile: 'gpt-5.1' }]),
    ),
  });
});
beforeEach(() => {
  resource.seen.length = 0;
  refused.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await resource.close();
});

const ADDRESSES = {
  'm-v1': '/openai/v1/responses',
  'm-preview': '/openai/v1/responses?api-version=preview',
  'm-dated': `/openai/responses?api-version=${DATED}`,
  'm-chat': '/openai/deployments/dep/chat/completions?api-version=2024-10-21',
  'm-chat-v1': '/openai/v1/chat/completions',
} as const;

describe.each(Object.entries(ADDRESSES))('%s', (model, address) => {
  const paths = () => resource.seen.map(({ path }) => path);
  const openai = () => connectResponses(gateway.url);

  test('responses: whole and streamed', async () => {
    expect((await openai().responses.create({ model, input: 'q' })).output_text).toBe('Hi');
    const stream = await openai().responses.create({ model, input: 'q', stream: true });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect([types.at(-1), paths(), refused]).toEqual(['response.completed', [address, address], []]);
  });

  test('chat completions and messages', async () => {
    const messages = [{ role: 'user', content: 'q' }] as const;
    const chat = await openai().chat.completions.create({ model, messages: [...messages] });
    expect(chat.choices[0]?.message.content).toBe('Hi');
    const answer = await connectMessages(gateway.url).messages.create({
      model,
      max_tokens: 64,
      messages: [...messages],
    });
    expect(answer.content).toMatchObject([{ type: 'text', text: 'Hi' }]);
    expect([paths(), refused]).toEqual([[address, address], []]);
  });
});

describe('stored responses', () => {
  test.each([
    ['m-v1', '/openai/v1/responses/resp_1', ''],
    ['m-dated', '/openai/responses/resp_1', `?api-version=${DATED}`],
  ])('%s: they are asked for, gone on with and deleted where they are', async (model, path, query) => {
    const client = connectResponses(gateway.url);
    const { id } = await client.responses.create({ model, input: 'q' });
    resource.seen.length = 0;
    await client.responses.create({ model, input: 'more', previous_response_id: id });
    await client.responses.retrieve(id);
    await client.responses.inputItems.list(id);
    await client.responses.delete(id);
    expect(resource.seen.map((seen) => `${seen.method} ${seen.path}`)).toEqual([
      `POST ${path.replace('/resp_1', '')}${query}`,
      `GET ${path}${query}`,
      `GET ${path}/input_items${query}`,
      `DELETE ${path}${query}`,
    ]);
    expect(refused).toEqual([]);
  });
});

describe('the client of the cloud, with the gateway as its endpoint', () => {
  const azure = (apiVersion: string) =>
    new AzureOpenAI({ endpoint: gateway.url, apiKey: 'test-key', apiVersion, maxRetries: 0 });

  test('responses', async () => {
    const answer = await azure('2025-03-01-preview').responses.create({ model: 'm-dated', input: 'q' });
    expect(answer.output_text).toBe('Hi');
    expect(resource.seen.map(({ path }) => path)).toEqual(['/openai/responses?api-version=2025-03-01-preview']);
  });

  test('the version of its own goes to no address that has another', async () => {
    for (const model of ['m-v1', 'm-preview', 'm-chat-v1'] as const)
      await azure('2024-10-21').responses.create({ model, input: 'q' });
    const client = azure('2024-10-21').chat.completions;
    await client.create({ model: 'm-chat-v1', messages: [{ role: 'user', content: 'q' }] });
    const chat = ADDRESSES['m-chat-v1'];
    expect(resource.seen.map(({ path }) => path)).toEqual([ADDRESSES['m-v1'], ADDRESSES['m-preview'], chat, chat]);
    expect(refused).toEqual([]);
  });

  test('chat completions, of a deployment that is another backend’s', async () => {
    const client = azure('2024-10-21');
    for (const model of ['m-chat', 'm-dated'] as const) {
      const answer = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'q' }] });
      expect(answer.choices[0]?.message.content).toBe('Hi');
    }
    expect([resource.seen.map(({ path }) => path), refused]).toEqual([[ADDRESSES['m-chat'], ADDRESSES['m-dated']], []]);
  });
});

test('what the resource refuses is the client’s own error', async () => {
  const wrong = await startGateway({
    backends: { azure: { preset: 'azure', baseUrl: `${resource.url}/openai`, apiKey: 'another-key' } },
  });
  const asked = connectResponses(wrong.url).responses.create({ model: 'm', input: 'q' });
  await expect(asked).rejects.toBeInstanceOf(OpenAI.APIError);
  await wrong.close();
  expect(refused).toEqual(['Access denied due to missing subscription key.']);
});
