import type Anthropic from '@anthropic-ai/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { connectMessages, connectResponses } from '../support/clients.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { type Recorder, send, startRecorder, type Tree } from '../support/gateway/harness.js';
import { limitsOf } from '../support/hosts/limits.js';
import { png } from '../support/pictures.js';
import { SHORT } from '../support/runs.js';
import { createSession } from '../support/sessions/index.js';
import { ENDPOINTS, type Endpoint, type HostsStage, keyOf, modelAt, startHosts } from './stage.js';

/**
 * Coding agents of a host's own dialect, and requests with all that a host may not have: nothing of it is refused, and
 * nothing ignored in silence. Every host with limits of its own.
 */

const LIMITED = ENDPOINTS.filter(({ name, dialect }) => limitsOf(name, dialect) !== undefined);
const of = (dialect: Endpoint['dialect']) => LIMITED.filter((endpoint) => endpoint.dialect === dialect);

const PATCH = '*** Begin Patch\n*** Add File: "ä.txt"\n+😀\n*** End Patch\n';
const SCHEMA = {
  type: 'object',
  properties: { verdict: { type: 'string' } },
  required: ['verdict'],
  additionalProperties: false,
};
const PICTURE = png();

let stage: HostsStage;
let files: Recorder;
beforeAll(async () => {
  stage = await startHosts(LIMITED, true);
  files = await startRecorder();
  files.reply = (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end(PICTURE);
  };
});
afterAll(async () => {
  await stage.close();
  await files.close();
});
afterEach(() => {
  for (const endpoint of LIMITED) stage.hostOf(endpoint).reset();
});

const sentTo = (endpoint: Endpoint): Tree => stage.hostOf(endpoint).backend.requests.at(-1)?.body;

function expectTaken(endpoint: Endpoint): void {
  const { refused, misread } = stage.hostOf(endpoint);
  expect({ refused, misread }).toEqual({ refused: [], misread: [] });
}

describe.each(of('responses'))('$name with responses', (endpoint) => {
  const client = () => connectResponses(stage.url, { apiKey: keyOf(endpoint) }).responses;
  const look = {
    type: 'function',
    name: 'look',
    strict: false,
    parameters: { type: 'object', properties: {} },
  } as const;

  test.each([false, true])('a coding agent edits a file in two turns, streamed: %s', async (stream) => {
    const { backend } = stage.hostOf(endpoint);
    backend.script(({ body }) => {
      const patch = body.tools.find(({ name }: Tree) => name === 'apply_patch');
      const given = patch.type === 'custom' ? { input: PATCH } : { arguments: { input: PATCH } };
      return { kind: 'reasoning+calls', reasoning: 'A new file.', calls: [{ name: 'apply_patch', ...given }] };
    });
    const ask = {
      model: modelAt(endpoint),
      instructions: 'You edit code.',
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'medium', summary: 'auto' },
      parallel_tool_calls: true,
      prompt_cache_key: 'k',
      tools: [
        look,
        { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "*"' } },
        { type: 'namespace', name: 'mcp__files', description: 'Files.', tools: [{ ...look, name: 'read' }] },
        { type: 'web_search' },
      ],
    } satisfies Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'input'>;
    const input: OpenAI.Responses.ResponseInputItem[] = [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'fix it' }] },
    ];
    const first = await answer(client(), { ...ask, input }, stream);
    const call = first.output.find(({ type }) => type === 'custom_tool_call');
    expect(call).toMatchObject({ name: 'apply_patch', input: PATCH });
    if (call?.type !== 'custom_tool_call') throw new Error('another call');
    backend.script({ kind: 'text', text: 'done' });
    const output = { type: 'custom_tool_call_output', call_id: call.call_id, output: 'Done' } as const;
    const second = await answer(client(), { ...ask, input: [...input, ...toInput(first), output] }, stream);
    expect(JSON.stringify(second.output)).toContain('"done"');
    expect(sentTo(endpoint).input.map(patchOf)).toContain(PATCH);
    expectTaken(endpoint);
  });

  test('a file, a picture by URL, a choice, a form of the answer, a tier, work in the background', async () => {
    stage.hostOf(endpoint).backend.script({ kind: 'json', value: { verdict: 'good' } });
    const file_data = `data:text/plain;base64,${Buffer.from('the notes').toString('base64')}`;
    const made = await client().create({
      model: modelAt(endpoint),
      service_tier: 'flex',
      safety_identifier: 'u',
      background: true,
      tools: [look, { ...look, name: 'touch' }],
      tool_choice: { type: 'function', name: 'look' },
      text: { format: { type: 'json_schema', name: 'verdict', schema: SCHEMA } },
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_file', filename: 'notes.txt', file_data },
            { type: 'input_image', detail: 'auto', image_url: `${files.url}/a.png` },
          ],
        },
        { role: 'assistant', content: 'A moment.' },
        { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'call_1',
          output: [{ type: 'input_image', detail: 'auto', image_url: PIXEL }],
        },
      ],
    });
    let kept = made;
    while (kept.status === 'queued' || kept.status === 'in_progress') kept = await client().retrieve(made.id);
    expect(kept.output_text).toBe('{"verdict":"good"}');
    expectTold(sentTo(endpoint));
    expectTaken(endpoint);
  });
});

describe.each(of('messages'))('$name with messages', (endpoint) => {
  const client = () => connectMessages(stage.url, { apiKey: keyOf(endpoint) });

  test.each([false, true])('a coding agent runs a command in two turns, streamed: %s', async (stream) => {
    const { backend } = stage.hostOf(endpoint);
    backend.script({
      kind: 'reasoning+calls',
      reasoning: 'Look.',
      calls: [{ name: 'bash', arguments: { command: 'ls' } }],
    });
    const ask = {
      model: modelAt(endpoint),
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
    } satisfies Omit<Anthropic.MessageCreateParamsNonStreaming, 'messages'>;
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'fix it' }];
    const create = (more: readonly Anthropic.MessageParam[]): Promise<Anthropic.Message> => {
      const body = { ...ask, messages: [...messages, ...more] };
      return stream ? client().messages.stream(body).finalMessage() : client().messages.create(body);
    };
    const { content } = await create([]);
    const call = content.find(({ type }) => type === 'tool_use');
    if (call?.type !== 'tool_use') throw new Error('no call');
    expect(call).toMatchObject({ name: 'bash', input: { command: 'ls' } });
    backend.script({ kind: 'text', text: 'done' });
    const second = await create([
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'a.txt' }] },
      { role: 'system', content: 'The todo list is empty.' } as never,
    ]);
    expect(second.content).toMatchObject([{ type: 'text', text: 'done' }]);
    expect(JSON.stringify(sentTo(endpoint).messages)).toContain('The todo list is empty.');
    expectTaken(endpoint);
  });

  test('a document, a picture by URL, a choice, a form of the answer', async () => {
    stage.hostOf(endpoint).backend.script({ kind: 'json', value: { verdict: 'good' } });
    const { content } = await client().messages.create({
      model: modelAt(endpoint),
      max_tokens: 600,
      tools: [
        { name: 'look', input_schema: { type: 'object' } },
        { name: 'touch', input_schema: { type: 'object' } },
      ],
      tool_choice: { type: 'tool', name: 'look' },
      output_config: { format: { type: 'json_schema', schema: SCHEMA } },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'the notes' } },
            { type: 'image', source: { type: 'url', url: `${files.url}/a.png` } },
          ],
        },
      ],
    });
    expect(content).toMatchObject([{ type: 'text', text: '{"verdict":"good"}' }]);
    expectTold(sentTo(endpoint));
    expectTaken(endpoint);
  });
});

/** What an agent sends again of an answer: all of it. */
function toInput({ output }: OpenAI.Responses.Response): OpenAI.Responses.ResponseInputItem[] {
  return output as OpenAI.Responses.ResponseInputItem[];
}

/** The text that an item hands to a tool with free text, in either form. */
function patchOf({ input, arguments: json = '{}' }: Tree): unknown {
  return input ?? JSON.parse(json).input;
}

const THINKING = LIMITED.filter(({ name, dialect }) => limitsOf(name, dialect)?.thinking !== undefined);

/** Clients of chat completions do not ask responses for thoughts, and the official one of responses shows no whole ones. */
const shows = ({ dialect }: Endpoint, client: FakeDialectName): boolean =>
  dialect === 'messages' || client === 'messages' || client === 'generateContent';

/** The short run takes each of them one way. */
const CELLS = THINKING.flatMap((endpoint) =>
  FAKE_DIALECTS.filter((client) => shows(endpoint, client)).flatMap((client, index) =>
    [false, true]
      .filter((stream) => !SHORT || stream === (index % 2 === 0))
      .map((stream) => ({ ...endpoint, endpoint, client, stream })),
  ),
);

test.each(CELLS)(
  'thoughts of $name with $dialect are shown, and come home with the result of their call: client of $client, streamed: $stream',
  async ({ endpoint, client, stream }) => {
    const { backend } = stage.hostOf(endpoint);
    backend.script([
      { kind: 'reasoning+calls', reasoning: 'Where is it?', calls: [{ name: 'look', arguments: {} }] },
      { kind: 'text', text: 'Seen.' },
    ]);
    const parameters = { type: 'object', properties: {} };
    const session = createSession(client, stage.url, {
      model: modelAt(endpoint),
      apiKey: keyOf(endpoint),
      reasoning: true,
      tools: [{ name: 'look', description: 'Looks', parameters }],
    });
    session.user('Look');
    const { reasoning, calls } = await session.send({ stream });
    expect(reasoning).toBe('Where is it?');
    session.results(calls.map(({ id, name }) => ({ id, name, output: 'a garden' })));
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Seen.', finish: 'end' });
    expect(JSON.stringify(sentTo(endpoint))).toContain('Where is it?');
    expectTaken(endpoint);
  },
);

test.each(LIMITED.filter(({ name, dialect }) => limitsOf(name, dialect)?.window !== undefined))(
  '$name with $dialect: a cap above the window is made one that is left, and that is told',
  async (endpoint) => {
    const { backend, refused } = stage.hostOf(endpoint);
    const body = { model: modelAt(endpoint), input: 'Hi', max_output_tokens: 64_000 };
    const headers = { authorization: `Bearer ${keyOf(endpoint)}` };
    const asked = await send(stage.url, '/v1/responses', { body, headers });
    expect([asked.status, asked.headers['x-interlingua-loss']]).toEqual([200, expect.stringContaining('maxOutput')]);
    const { max_tokens: cap } = backend.requests.at(-1)?.body ?? {};
    expect(cap).toBeGreaterThan(19_000);
    expect(refused).toHaveLength(1);
    // From then on it is known, and without a wish nothing near it is asked for.
    const { max_output_tokens: _wish, ...plain } = body;
    for (const later of [body, plain])
      expect((await send(stage.url, '/v1/responses', { body: later, headers })).status).toBe(200);
    expect(refused).toHaveLength(1);
  },
);

const PIXEL = `data:image/png;base64,${PICTURE.toString('base64')}`;

/** The file, the form of the answer and the choice are in what the host got, in whatever form. */
function expectTold(body: Tree): void {
  const text = JSON.stringify(body);
  expect(text).toMatch(new RegExp(`the notes|${Buffer.from('the notes').toString('base64')}`));
  expect(text).toContain('verdict');
  const names = body.tools.map(({ name }: Tree) => name);
  expect(names).toContain('look');
  expect(names.includes('touch')).toBe(body.tool_choice?.name === 'look');
}

async function answer(
  responses: OpenAI.Responses,
  body: OpenAI.Responses.ResponseCreateParamsNonStreaming,
  stream: boolean,
): Promise<OpenAI.Responses.Response> {
  if (!stream) return responses.create(body);
  for await (const event of await responses.create({ ...body, stream: true }))
    if (event.type === 'response.completed') return event.response;
  throw new Error('no last word');
}
