import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { connectResponses } from '../support/clients.js';
import { type FakeBackend, type RecordedRequest, type Reply, startFakeBackend } from '../support/fake-backend/index.js';
import { send, startGateway, type TestGateway, type Tree } from '../support/gateway/harness.js';

/**
 * Ollama as hosts.md has it: functions only, items of their calls only, nothing stored and nothing looked up, no route that
 * counts.
 */
function refusalOf({ body }: RecordedRequest): Reply | undefined {
  const refuse = (status: number, message: string): Reply => ({ kind: 'error', status, message });
  for (const tool of body.tools ?? []) {
    if (tool.type !== 'function') return refuse(500, `template: :1: unsupported tool type ${tool.type}`);
  }
  for (const item of body.input) {
    const type = item.type ?? 'message';
    if (!['message', 'reasoning', 'function_call', 'function_call_output'].includes(type))
      return refuse(400, `unknown input item type: ${type}`);
    if (item.namespace !== undefined) return refuse(400, 'unknown field namespace');
    for (const part of Array.isArray(item.content) ? item.content : [])
      if (part.type === 'input_file') return refuse(400, 'unsupported content type: input_file');
  }
  return undefined;
}

let host: FakeBackend;
let gateway: TestGateway;
let client: OpenAI;
let replies: Reply[] = [];

beforeAll(async () => {
  host = await startFakeBackend('responses');
  gateway = await startGateway({
    backends: {
      host: { preset: 'ollama', dialect: 'responses', baseUrl: host.url },
      folded: { preset: 'ollama', dialect: 'responses', baseUrl: host.url, stream: 'always' },
    },
    models: { '*': { backend: 'host' }, 'folded-*': { backend: 'folded' } },
    store: { type: 'memory' },
  });
  client = connectResponses(gateway.url);
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

const TOOLS: OpenAI.Responses.Tool[] = [
  {
    type: 'function',
    name: 'shell',
    strict: false,
    parameters: { type: 'object', properties: { command: { type: 'string' } } },
  },
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "*"' },
  },
  { type: 'web_search' },
  {
    type: 'namespace',
    name: 'mcp__files',
    description: 'Files.',
    tools: [{ type: 'function', name: 'read', parameters: { type: 'object' }, strict: false }],
  },
];

const PATCH = '*** Begin Patch\n*** Add File: "ä.txt"\n+😀\n*** End Patch\n';

const sent = (): Tree => host.requests.at(-1)?.body;

describe('a coding agent on a host that has functions only', () => {
  const ask = { model: 'qwen3', instructions: 'You edit code.', tools: TOOLS, store: false } as const;

  test.each([false, true])('edits a file in two turns, streamed: %s', async (stream) => {
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'fix it' }];
    replies = [
      {
        kind: 'calls',
        calls: [
          { name: 'apply_patch', arguments: { input: PATCH } },
          { name: 'mcp__files__read', arguments: { path: 'a' } },
        ],
      },
    ];
    const first = await create({ ...ask, input }, stream);
    expect(sent().tools.map(({ type, name }: Tree) => [type, name])).toEqual([
      ['function', 'shell'],
      ['function', 'apply_patch'],
      ['function', 'mcp__files__read'],
    ]);
    const [patch, read] = first.output;
    expect(patch).toMatchObject({ type: 'custom_tool_call', name: 'apply_patch', input: PATCH });
    expect(read).toMatchObject({ type: 'function_call', name: 'read', namespace: 'mcp__files' });
    expect(first.tools).toEqual(TOOLS);
    if (patch?.type !== 'custom_tool_call' || read?.type !== 'function_call') throw new Error('other calls');

    const second = await create(
      {
        ...ask,
        input: [
          ...input,
          patch,
          read,
          { type: 'custom_tool_call_output', call_id: patch.call_id, output: 'Done' },
          { type: 'function_call_output', call_id: read.call_id, output: 'text' },
        ],
      },
      stream,
    );
    expect(second.output_text).toBe('done');
    expect(sent().input).toMatchObject([
      { role: 'user' },
      { type: 'function_call', name: 'apply_patch', arguments: JSON.stringify({ input: PATCH }) },
      { type: 'function_call', name: 'mcp__files__read' },
      { type: 'function_call_output', call_id: patch.call_id, output: 'Done' },
      { type: 'function_call_output', output: 'text' },
    ]);
  });

  test('is told what was lost', async () => {
    const answer = await send(gateway.url, '/v1/responses', { body: { ...ask, input: 'q' } });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-interlingua-losses']).toBe('2;minor=1');
    const strict = await send(gateway.url, '/v1/responses', {
      body: { ...ask, input: 'q' },
      headers: { 'x-interlingua-losses': 'strict' },
    });
    expect(strict.status).toBe(400);
    expect(strict.body.error.message).toContain('tool.custom');
  });
});

test('an answer that is folded from a stream comes back as the client knows its tools', async () => {
  replies = [{ kind: 'calls', calls: [{ name: 'apply_patch', arguments: { input: PATCH } }] }];
  const { output, tools } = await create({ model: 'folded-qwen3', input: 'fix it', tools: TOOLS, store: false }, false);
  expect(sent()).toMatchObject({ stream: true });
  expect(output).toMatchObject([{ type: 'custom_tool_call', name: 'apply_patch', input: PATCH }]);
  expect(tools).toEqual(TOOLS);
});

test('a chained conversation is kept by the gateway, with the calls as the client knows them', async () => {
  replies = [{ kind: 'calls', calls: [{ name: 'apply_patch', arguments: { input: PATCH } }] }];
  const first = await create({ model: 'qwen3', input: 'fix it', tools: TOOLS, store: true }, false);
  expect(first).toMatchObject({ store: true });
  expect(sent().store).toBe(false);
  const [call] = first.output;
  if (call?.type !== 'custom_tool_call') throw new Error('another call');
  const kept = await client.responses.retrieve(first.id);
  expect(kept.output).toEqual(first.output);
  const output = { type: 'custom_tool_call_output', call_id: call.call_id, output: 'Done' } as const;
  const second = await create({ model: 'qwen3', input: [output], previous_response_id: first.id, tools: TOOLS }, true);
  expect(second).toMatchObject({ previous_response_id: first.id, store: true });
  expect(sent()).not.toHaveProperty('previous_response_id');
  expect(sent().input).toMatchObject([
    { role: 'user', content: 'fix it' },
    { type: 'function_call', name: 'apply_patch' },
    { type: 'function_call_output', output: 'Done' },
  ]);
});

test('a body of which the host lacks nothing arrives byte for byte', async () => {
  const body = '{"model":"qwen3", "input" : [{"role":"user","content":"q\\u0041"}],\n"temperature":0.70,"store":false}';
  const answer = await send(gateway.url, '/v1/responses', { body });
  expect(answer.headers['x-interlingua-losses']).toBe('0');
  expect(host.requests.at(-1)?.raw).toBe(body);
});

test('a request in the background is made by the gateway', async () => {
  const queued = await client.responses.create({ model: 'qwen3', input: 'q', background: true });
  expect(queued.status).toBe('queued');
  let answer = queued;
  while (answer.status === 'queued' || answer.status === 'in_progress')
    answer = await client.responses.retrieve(queued.id);
  expect(answer.output_text).toBe('done');
  expect(sent()).not.toHaveProperty('background');
});

async function create(
  body: OpenAI.Responses.ResponseCreateParamsNonStreaming,
  stream: boolean,
): Promise<OpenAI.Responses.Response> {
  if (!stream) return client.responses.create(body);
  let input = '';
  let last: OpenAI.Responses.Response | undefined;
  for await (const event of await client.responses.create({ ...body, stream: true })) {
    if (event.type === 'response.custom_tool_call_input.delta') input += event.delta;
    if (event.type === 'response.custom_tool_call_input.done') expect(event.input).toBe(input);
    if (event.type === 'response.completed') last = event.response;
  }
  if (last === undefined) throw new Error('no last word');
  const text = last.output.flatMap((item) =>
    item.type === 'message' ? item.content.map((part) => (part.type === 'output_text' ? part.text : '')) : [],
  );
  return { ...last, output_text: text.join('') };
}
