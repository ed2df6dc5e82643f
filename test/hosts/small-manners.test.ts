import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectChatCompletions } from '../support/clients.js';
import {
  EVENT_STREAM,
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
} from '../support/gateway/harness.js';

/** What servers of one's own say in words of their own: errors, lists of models, streams of strict schemas. */

let recorder: Recorder;
let gateway: TestGateway;
beforeAll(async () => {
  recorder = await startRecorder();
  const at = (preset: string, dialect: string) => ({
    preset,
    dialect,
    baseUrl: recorder.url,
    retries: 0,
    breaker: false,
  });
  gateway = await startGateway({
    backends: {
      messages: at('vllm', 'messages'),
      responses: at('vllm', 'responses'),
      chat: { dialect: 'chatCompletions', baseUrl: `${recorder.url}/v1`, retries: 0, breaker: false },
    },
    models: {
      m: { backend: 'messages' },
      r: { backend: 'responses' },
      'gpt-4.1': { backend: 'chat' },
      '*': { backend: 'responses' },
    },
    store: { type: 'memory' },
    log: { level: 'silent' },
  } as Parameters<typeof startGateway>[0]);
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const ASK = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'q' }] };

describe('errors of vLLM with messages, relayed', () => {
  const refusal = async (status: number, type: string, message: string): Promise<Tree> => {
    recorder.reply = (response) => json(response, status, { type: 'error', error: { type, message } });
    const answer = await send(gateway.url, '/v1/messages', { body: ASK });
    expect(answer.status).toBe(status);
    return answer.body;
  };

  test('begin as agents know it where the prompt is too long', async () => {
    const said =
      "This model's maximum context length is 4096 tokens. However, your prompt contains at least 4097 input tokens.";
    expect(await refusal(400, 'BadRequestError', said)).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: `prompt is too long: 4097 tokens > 4096 maximum | ${said}` },
    });
  });

  test('have types that clients know', async () => {
    expect((await refusal(404, 'NotFoundError', 'no such model')).error.type).toBe('not_found_error');
    const known = { type: 'invalid_request_error', message: 'messages: field required' };
    expect((await refusal(400, known.type, known.message)).error).toEqual(known);
  });
});

test('the window of a model that its server tells is in the list for clients of messages', async () => {
  recorder.reply = (response) =>
    json(response, 200, {
      object: 'list',
      data: [{ id: 'tiny', object: 'model', created: 1795546365, owned_by: 'vllm', max_model_len: 8192 }],
    });
  const headers = { 'anthropic-version': '2023-06-01' };
  const { body } = await send(gateway.url, '/v1/models', { method: 'GET', headers });
  const tiny = body.data.find(({ id }: Tree) => id === 'tiny');
  expect(tiny).toMatchObject({ max_input_tokens: 8192, created_at: '2026-11-24T18:52:45Z' });
});

/** A stream of responses with the arguments of one call in pieces, as vLLM sends it. */
function callStream(pieces: readonly string[]): string {
  const item = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'look', arguments: '', status: 'in_progress' };
  const whole = { ...item, arguments: pieces.join(''), status: 'completed' };
  const response = { id: 'resp_1', object: 'response', status: 'in_progress', model: 'tiny', output: [] as unknown[] };
  const events: Tree[] = [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item },
    ...pieces.map((delta) => ({
      type: 'response.function_call_arguments.delta',
      item_id: 'fc_1',
      output_index: 0,
      delta,
    })),
    { type: 'response.output_item.done', output_index: 0, item: whole },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [whole] } },
  ];
  return events
    .map((event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`)
    .join('');
}

test.each([
  ['nothing is optional', ['at', 'near'], 4, '{"at": "a", "near": null}'],
  ['the host has no strict tools', [], 4, '{"at": "a", "near": null}'],
])('arguments of a strict tool stream where %s', async (_why, required, deltas, text) => {
  recorder.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(callStream(['{"at"', ': "a"', ', "near"', ': null}']));
  };
  const client = connectChatCompletions(gateway.url);
  const stream = await client.chat.completions.create({
    model: 'r',
    stream: true,
    messages: [{ role: 'user', content: 'q' }],
    tools: [
      {
        type: 'function',
        function: {
          name: 'look',
          strict: true,
          parameters: {
            type: 'object',
            properties: { at: { type: 'string' }, near: { type: ['string', 'null'] } },
            required,
            additionalProperties: false,
          },
        },
      },
    ],
  });
  const said: string[] = [];
  for await (const { choices } of stream)
    for (const call of choices[0]?.delta.tool_calls ?? [])
      if (call.function?.arguments) said.push(call.function.arguments);
  expect(said).toHaveLength(deltas);
  expect(said.join('')).toBe(text);
});

test('a picture in the result of a tool follows the results, relayed to a server that takes none there', async () => {
  recorder.reply = (response) => json(response, 200, { id: 'c', object: 'chat.completion', choices: [] });
  const url = { url: 'data:image/png;base64,aGVsbG8=' };
  const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } });
  const { headers } = await send(gateway.url, '/v1/chat/completions', {
    body: {
      model: 'gpt-4.1',
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: null, tool_calls: [call('c1'), call('c2')] },
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: [
            { type: 'text', text: 'seen' },
            { type: 'image_url', image_url: url },
          ],
        },
        { role: 'tool', tool_call_id: 'c2', content: 'none' },
      ],
    },
  });
  expect(JSON.parse(recorder.seen[0]?.body ?? '{}').messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'seen' }] },
    { role: 'tool', tool_call_id: 'c2', content: 'none' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Media returned by the tool:' },
        { type: 'image_url', image_url: url },
      ],
    },
  ]);
  expect(headers['x-interlingua-loss']).toContain('result.media');
});

test('frames of a stored answer keep the space behind the name of their data, or its absence', async () => {
  const whole = { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 't', output: [] };
  const frames = ['created', 'completed'].map(
    (word) => `event: response.${word}\ndata:${JSON.stringify({ type: `response.${word}`, response: whole })}\n\n`,
  );
  recorder.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(frames.join(''));
  };
  const { text } = await send(gateway.url, '/v1/responses', { body: { model: 'r', input: 'q', stream: true } });
  expect(text.match(/^data:\{/gm)).toHaveLength(2);
});
