import type Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectMessages } from '../support/clients.js';
import { type FakeBackend, type RecordedRequest, type Reply, startFakeBackend } from '../support/fake-backend/index.js';
import {
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
} from '../support/gateway/harness.js';
import { png } from '../support/pictures.js';

/** SGLang as hosts.md has it: tools with a schema, text, pictures, results; two roles; no adaptive thinking. */
function refusalOf({ body }: RecordedRequest): Reply | undefined {
  const refuse = (message: string): Reply => ({ kind: 'error', status: 400, message });
  for (const tool of body.tools ?? [])
    if (tool.input_schema === undefined) return refuse('tools.0.input_schema: Field required');
  if (body.thinking?.type === 'adaptive') return refuse("thinking.type: Input should be 'enabled' or 'disabled'");
  for (const { role, content } of body.messages) {
    if (role === 'system') return refuse("messages.1.role: Input should be 'user' or 'assistant'");
    for (const block of Array.isArray(content) ? content : [])
      if (!['text', 'image', 'tool_use', 'tool_result', 'thinking', 'redacted_thinking'].includes(block.type))
        return refuse(`Input tag '${block.type}' found using 'type' does not match any of the expected tags`);
  }
  return undefined;
}

let host: FakeBackend;
let gateway: TestGateway;
let client: Anthropic;
let replies: Reply[] = [];

beforeAll(async () => {
  host = await startFakeBackend('messages', { strict: false });
  gateway = await startGateway({
    backends: {
      sglang: { preset: 'sglang', dialect: 'messages', baseUrl: host.url },
      ollama: { preset: 'ollama', dialect: 'messages', baseUrl: host.url },
    },
    models: { glm: { backend: 'sglang' }, llama: { backend: 'ollama' } },
    media: { allowPrivate: ['127.0.0.1'] },
  });
  client = connectMessages(gateway.url);
});
beforeEach(() => {
  host.reset();
  host.script((request) => refusalOf(request) ?? replies.shift() ?? { kind: 'text', text: 'done' });
  replies = [];
});
afterAll(async () => {
  await gateway.close();
  await host.close();
});

const PICTURE = png();

const sent = (): Tree => host.requests.at(-1)?.body;

describe('a coding agent on a host without versioned tools, documents and instructions between the turns', () => {
  const ask: Anthropic.Beta.MessageCreateParamsNonStreaming = {
    model: 'glm',
    max_tokens: 16000,
    thinking: { type: 'adaptive' },
    output_config: { effort: 'medium' },
    system: [{ type: 'text', text: 'You edit code.', cache_control: { type: 'ephemeral' } }],
    tools: [
      { name: 'Read', input_schema: { type: 'object' } },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'notes' }, title: 'notes.txt' },
          { type: 'text', text: 'fix it' },
        ],
      },
    ],
  };

  test.each([false, true])('runs a built-in tool in two turns, streamed: %s', async (stream) => {
    replies = [{ kind: 'calls', calls: [{ name: 'bash', arguments: { command: 'ls' } }] }];
    const first = await create(ask, stream);
    expect(sent()).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 8192 },
      tools: [{ name: 'Read' }, { name: 'bash' }, { name: 'str_replace_based_edit_tool' }],
      messages: [
        {
          content: [
            { type: 'text', text: 'notes.txt\nnotes' },
            { type: 'text', text: 'fix it' },
          ],
        },
      ],
    });
    const call = first.content.find((block) => block.type === 'tool_use');
    expect(call).toMatchObject({ name: 'bash', input: { command: 'ls' } });
    if (call?.type !== 'tool_use') throw new Error('no call');
    const second = await create(
      {
        ...ask,
        messages: [
          ...ask.messages,
          { role: 'assistant', content: [{ type: 'tool_use', id: call.id, name: call.name, input: call.input }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'a.txt' }] },
          { role: 'system', content: 'The todo list is empty.' } as never,
        ],
      },
      stream,
    );
    expect(second.content).toMatchObject([{ type: 'text', text: 'done' }]);
    expect(sent().thinking).toEqual({ type: 'enabled', budget_tokens: 8192 });
    expect(sent().messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: '<system_note>The todo list is empty.</system_note>' }],
    });
  });

  test('gets no document that it would drop from a client of another dialect', async () => {
    const ask = (mimeType: string, data: string) =>
      send(gateway.url, '/v1beta/models/llama:generateContent', {
        body: { contents: [{ role: 'user', parts: [{ text: 'Read.' }, { inlineData: { mimeType, data } }] }] },
      });
    const refused = await ask('application/pdf', 'JVBERi0=');
    expect([refused.status, refused.body.error.status, host.requests]).toEqual([400, 'INVALID_ARGUMENT', []]);
    expect(refused.body.error.message).toContain('the host does not accept documents');
    const said = await ask('text/csv', 'YSxiCg==');
    expect([said.status, sent().messages[0].content]).toEqual([
      200,
      [
        { type: 'text', text: 'Read.' },
        { type: 'text', text: 'a,b\n' },
      ],
    ]);
    expect(said.headers['x-interlingua-loss']).toContain('part.media;kind=approximated');
  });

  test('counts tokens by estimate where the host has no route for it, which is not asked', async () => {
    const answer = await send(gateway.url, '/v1/messages/count_tokens', {
      body: { model: 'llama', messages: [{ role: 'user', content: 'How many tokens is this?' }] },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-interlingua-estimate']).toBe('true');
    expect(answer.body.input_tokens).toBeGreaterThan(3);
    expect(host.requests).toHaveLength(0);
  });
});

describe('a host that fetches no pictures', () => {
  let files: Recorder;
  beforeAll(async () => {
    files = await startRecorder();
    files.reply = (response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.end(PICTURE);
    };
  });
  afterAll(() => files.close());

  test('gets the bytes behind their URLs', async () => {
    const url = `${files.url}/a.png`;
    const content = [{ type: 'image', source: { type: 'url', url } }];
    const body = { model: 'llama', max_tokens: 100, messages: [{ role: 'user', content }] };
    const answer = await send(gateway.url, '/v1/messages', { body });
    expect(answer.status).toBe(200);
    expect(sent().messages[0].content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE.toString('base64') } },
    ]);
    expect(answer.headers['x-interlingua-losses']).toBe('0;minor=1');
  });
});

test('a body of which the host lacks nothing arrives byte for byte', async () => {
  const body =
    '{"model":"glm", "max_tokens" : 100,\n"messages":[{"role":"user","content":"q\\u0041"}],"temperature":0.70}';
  const answer = await send(gateway.url, '/v1/messages', { body });
  expect(answer.headers['x-interlingua-losses']).toBe('0');
  expect(host.requests.at(-1)?.raw).toBe(body);
});

async function create(
  body: Anthropic.Beta.MessageCreateParamsNonStreaming,
  stream: boolean,
): Promise<Anthropic.Beta.BetaMessage> {
  return stream ? client.beta.messages.stream(body).finalMessage() : client.beta.messages.create(body);
}
