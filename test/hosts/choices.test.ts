import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { send, type Tree } from '../support/gateway/harness.js';
import { createSession } from '../support/sessions/index.js';
import { ENDPOINTS, type Endpoint, type HostsStage, keyOf, modelAt, startHosts } from './stage.js';

/** What clients wish of tools and thoughts, at servers that ignore forms of the wish, or refuse them. */

const SERVERS: readonly string[] = ['ollama', 'vllm', 'sglang', 'llamacpp', 'lmstudio'];
const FACED = ENDPOINTS.filter(({ name }) => SERVERS.includes(name) || name === 'groq' || name === 'cerebras');
const endpointOf = (name: string, dialect: FakeDialectName): Endpoint => {
  const endpoint = FACED.find((one) => one.name === name && one.dialect === dialect);
  if (endpoint === undefined) throw new Error(`no ${dialect} of ${name}`);
  return endpoint;
};

let stage: HostsStage;
beforeAll(async () => {
  stage = await startHosts(FACED, true);
});
afterAll(() => stage.close());
beforeEach(() => {
  for (const endpoint of FACED) stage.hostOf(endpoint).reset();
});

const sentTo = (endpoint: Endpoint): Tree => stage.hostOf(endpoint).backend.requests.at(-1)?.body;
const PATHS = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  chatCompletions: '/v1/chat/completions',
} as const;

/** Sends a body in the own dialect of an endpoint, with its answer and its losses. */
async function relay(endpoint: Endpoint, body: Tree) {
  if (endpoint.dialect === 'generateContent') throw new Error('another dialect');
  const answer = await send(stage.url, PATHS[endpoint.dialect], {
    body: { model: modelAt(endpoint), ...body },
    headers: { authorization: `Bearer ${keyOf(endpoint)}` },
  });
  const { refused, misread } = stage.hostOf(endpoint);
  expect([answer.status, refused, misread]).toEqual([200, [], []]);
  return { sent: sentTo(endpoint), losses: String(answer.headers['x-interlingua-loss'] ?? '') };
}

const parameters = { type: 'object', properties: {} };
const TOOLS = [
  { name: 'look', description: 'Looks', parameters },
  { name: 'touch', description: 'Touches', parameters },
];
const toolsIn = ({ tools = [] }: Tree): string[] => tools.map((tool: Tree) => tool.name ?? tool.function.name);

describe.each(FACED.filter(({ name }) => SERVERS.includes(name)))(
  'a choice of tools at $name with $dialect',
  (endpoint) => {
    const sentBy = async (client: FakeDialectName, toolChoice: 'none' | { readonly name: string }): Promise<Tree> => {
      const session = createSession(client, stage.url, {
        model: modelAt(endpoint),
        apiKey: keyOf(endpoint),
        tools: TOOLS,
        toolChoice,
      });
      session.user('Look');
      await session.send({ stream: false });
      const { refused, misread } = stage.hostOf(endpoint);
      expect([refused, misread]).toEqual([[], []]);
      return sentTo(endpoint);
    };

    test.each(FAKE_DIALECTS)('by name, by a client of %s', async (client) => {
      stage.hostOf(endpoint).backend.script({ kind: 'calls', calls: [{ name: 'look', arguments: {} }] });
      expect(toolsIn(await sentBy(client, { name: 'look' }))).toContain('look');
    });

    test.each(FAKE_DIALECTS)('of none, by a client of %s', async (client) => {
      await sentBy(client, 'none');
    });
  },
);

const CHAT_TOOLS = TOOLS.map((tool) => ({ type: 'function', function: tool }));
const NAMED = { type: 'function', function: { name: 'look' } };
const ALLOWED = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [NAMED] } };
const ASK = { messages: [{ role: 'user', content: 'q' }] };

test.each(['vllm', 'llamacpp', 'sglang', 'ollama'])(
  'a list of allowed tools is the list of tools at %s',
  async (name) => {
    const forced = name === 'ollama' ? undefined : 'required';
    const chat = await relay(endpointOf(name, 'chatCompletions'), { ...ASK, tools: CHAT_TOOLS, tool_choice: ALLOWED });
    expect([toolsIn(chat.sent), chat.sent.tool_choice]).toEqual([['look'], forced]);
    expect(chat.losses).toContain('toolChoice');
    const tools = TOOLS.map((tool) => ({ type: 'function', strict: false, ...tool }));
    const tool_choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'look' }] };
    const responses = await relay(endpointOf(name, 'responses'), { input: 'q', tools, tool_choice });
    expect([toolsIn(responses.sent), responses.sent.tool_choice]).toEqual([['look'], 'required']);
    expect(responses.losses).toContain('toolChoice');
  },
);

test('what servers of messages ignore of a choice is told', async () => {
  const tools = TOOLS.map(({ name, parameters: input_schema }) => ({ name, input_schema }));
  const tool_choice = { type: 'auto', disable_parallel_tool_use: true };
  for (const name of ['ollama', 'llamacpp']) {
    const { losses } = await relay(endpointOf(name, 'messages'), { ...ASK, max_tokens: 9, tools, tool_choice });
    expect(losses).toContain('toolChoice.parallel');
  }
});

describe('efforts', () => {
  test.each(FAKE_DIALECTS)('are none that Ollama with chatCompletions refuses, by a client of %s', async (client) => {
    const endpoint = endpointOf('ollama', 'chatCompletions');
    const session = createSession(client, stage.url, {
      model: modelAt(endpoint),
      apiKey: keyOf(endpoint),
      reasoning: true,
    });
    session.user('q');
    await session.send({ stream: false });
    expect(stage.hostOf(endpoint).refused).toEqual([]);
    expect(sentTo(endpoint)).not.toHaveProperty('reasoning_effort');
  });

  test('reach the template of vLLM and llama.cpp as they are', async () => {
    for (const name of ['vllm', 'llamacpp']) {
      const endpoint = endpointOf(name, 'chatCompletions');
      const body = { model: modelAt(endpoint), input: 'q', reasoning: { effort: 'low' } };
      const { headers } = await send(stage.url, '/v1/responses', {
        body,
        headers: { authorization: `Bearer ${keyOf(endpoint)}` },
      });
      expect(headers['x-interlingua-loss'] ?? '').not.toContain('reasoning.effort');
      expect(sentTo(endpoint)).toMatchObject({
        reasoning_effort: 'low',
        chat_template_kwargs: { enable_thinking: true },
      });
    }
  });

  test('of LM Studio are the nearest that it has', async () => {
    const { sent, losses } = await relay(endpointOf('lmstudio', 'responses'), {
      input: 'q',
      reasoning: { effort: 'xhigh' },
    });
    expect(sent.reasoning).toEqual({ effort: 'high' });
    expect(losses).toContain('reasoning.effort');
  });
});

describe('thinking', () => {
  test('is switched off at vLLM with messages', async () => {
    const endpoint = endpointOf('vllm', 'messages');
    const body = { model: modelAt(endpoint), input: 'q', reasoning: { effort: 'none' } };
    const headers = { authorization: `Bearer ${keyOf(endpoint)}` };
    const answer = await send(stage.url, '/v1/responses', { body, headers });
    expect(answer.headers['x-interlingua-loss'] ?? '').not.toContain('reasoning');
    expect(sentTo(endpoint).thinking).toEqual({ type: 'disabled' });
  });

  test('that Ollama does not switch off is told', async () => {
    const off = { max_tokens: 9, thinking: { type: 'disabled' } };
    expect((await relay(endpointOf('ollama', 'messages'), { ...ASK, ...off })).losses).toContain('reasoning.mode');
    const { losses } = await relay(endpointOf('ollama', 'responses'), { input: 'q', reasoning: { effort: 'none' } });
    expect(losses).toContain('reasoning.mode');
  });
});

test('a cap goes to Ollama under the one name that it reads', async () => {
  const { sent } = await relay(endpointOf('ollama', 'chatCompletions'), { ...ASK, max_completion_tokens: 9 });
  expect(sent).toMatchObject({ max_tokens: 9 });
  expect(sent).not.toHaveProperty('max_completion_tokens');
});

test.each(['groq', 'cerebras'])('reasoning of a history goes to %s under the name that it takes', async (name) => {
  const said = { role: 'assistant', content: 'a', reasoning_content: 'Where?', reasoning_details: [] };
  const { sent, losses } = await relay(endpointOf(name, 'chatCompletions'), {
    messages: [...ASK.messages, said, ...ASK.messages],
  });
  expect(sent.messages[1]).toEqual({ role: 'assistant', content: 'a', reasoning: 'Where?' });
  expect(losses).toContain('reasoning.state');
});

test('log probabilities that a server does not give are not asked for', async () => {
  const ask = { input: 'q', top_logprobs: 2, include: ['message.output_text.logprobs'] };
  for (const name of ['ollama', 'llamacpp']) {
    const { sent, losses } = await relay(endpointOf(name, 'responses'), ask);
    expect(sent).toMatchObject({ include: [] });
    expect(losses).toContain('logprobs');
  }
});

test('results in parts reach Ollama with responses as one text', async () => {
  const endpoint = endpointOf('ollama', 'responses');
  const input = [
    { role: 'user', content: 'q' },
    { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
    {
      type: 'function_call_output',
      call_id: 'c1',
      output: [
        { type: 'input_text', text: 'one' },
        { type: 'input_text', text: 'two' },
      ],
    },
  ];
  expect((await relay(endpoint, { input })).sent.input[2].output).toBe('one\ntwo');
  const messages = [
    { role: 'user', content: 'q' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c1',
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
        },
      ],
    },
  ];
  const body = { model: modelAt(endpoint), max_tokens: 9, messages };
  const headers = { authorization: `Bearer ${keyOf(endpoint)}` };
  expect((await send(stage.url, '/v1/messages', { body, headers })).body).toMatchObject({ type: 'message' });
  expect(sentTo(endpoint).input.at(-1).output).toBe('one\ntwo');
});

test('what the assistant begins, and no server goes on with, is told', async () => {
  const messages = [...ASK.messages, { role: 'assistant', content: 'One, two' }];
  for (const name of ['vllm', 'ollama']) {
    const { losses } = await relay(endpointOf(name, 'messages'), { max_tokens: 9, messages });
    expect(losses).toContain('turn.prefill');
  }
});

test('SGLang gets schemas, efforts and instructions between the turns, and no encrypted thoughts', async () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } } };
  const { sent, losses } = await relay(endpointOf('sglang', 'messages'), {
    max_tokens: 2000,
    thinking: { type: 'adaptive' },
    output_config: { effort: 'low', format: { type: 'json_schema', schema } },
    messages: [
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'a' },
        ],
      },
      { role: 'user', content: 'q' },
      { role: 'system', content: 'Be brief.' },
    ],
  });
  expect(sent).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'low', format: { schema } } });
  expect(sent.messages.map(({ role }: Tree) => role)).toEqual(['user', 'assistant', 'user', 'system']);
  expect(sent.messages[1].content).toEqual([{ type: 'text', text: 'a' }]);
  expect(losses).toContain('reasoning.state');
});
