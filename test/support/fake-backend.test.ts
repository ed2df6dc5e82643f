import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import type Anthropic from '@anthropic-ai/sdk';
import type { APIError as MessagesError } from '@anthropic-ai/sdk';
import type { GenerateContentResponse, Part } from '@google/genai';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import type { APIError as ResponsesError } from 'openai';
import { connectGenerateContent, connectMessages, connectResponses } from './clients.js';
import { type FakeBackend, type Reply, startFakeBackend } from './fake-backend/index.js';
import { until } from './until.js';

const SCHEMA = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const TEXT = 'One answer of many words, so that a stream of it has several deltas.';
const LOOP: readonly Reply[] = [
  {
    kind: 'reasoning+calls',
    reasoning: 'I need both cities.',
    text: 'Looking.',
    calls: [
      { name: 'look', arguments: { city: 'Oslo' } },
      { name: 'look', arguments: { city: 'Bern' } },
    ],
    usage: { input: 100, cached: 60, output: 40, reasoning: 10 },
  },
  { kind: 'text', text: TEXT },
];

let backend: FakeBackend;
afterEach(() => backend.close());

/** The frames of a stream, as they were written. */
async function framesOf(path: string, body: object): Promise<string[]> {
  const headers = { authorization: 'Bearer test-key', 'anthropic-version': '2023-06-01' };
  const answer = await fetch(backend.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.text()).split('\n\n').slice(0, -1);
}

describe('messages', () => {
  beforeEach(async () => {
    backend = await startFakeBackend('messages', { apiKey: 'test-key' });
  });
  const base = { model: 'any', max_tokens: 4000 };
  const question: Anthropic.MessageParam = { role: 'user', content: 'Weather in both?' };
  const tools = [{ name: 'look', input_schema: SCHEMA }];
  const thinking = { type: 'enabled' as const, budget_tokens: 1024 };

  test('streams are padded, and begin with a ping', async () => {
    const frames = await framesOf('/v1/messages', { ...base, stream: true, messages: [question] });
    const names = frames.map((frame) => {
      const [, name, data = ''] = /^event: (\w+)\ndata: (\{.*\})$/.exec(frame) ?? [];
      expect(JSON.parse(data).type).toBe(name);
      return name;
    });
    expect(names.slice(0, 3)).toEqual(['message_start', 'content_block_start', 'ping']);
    expect(names.slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
    expect(frames.some((frame) => frame.endsWith(' }'))).toBe(true);
  });

  test('answers by default, plainly and streamed, and records what came', async () => {
    const client = connectMessages(backend.url);
    const plain = await client.messages.create({ ...base, messages: [question] });
    const streamed = await client.messages.stream({ ...base, messages: [question] }).finalMessage();
    expect(streamed.content).toEqual(plain.content);
    expect(backend.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/messages',
      'POST /v1/messages',
    ]);
    const [request] = backend.requests;
    expect(request?.body).toEqual({ ...base, messages: [question] });
    expect(JSON.parse(request?.raw ?? '')).toEqual(request?.body);
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer test-key',
      'anthropic-version': '2026-10-21',
    });
  });

  test.each([false, true])('holds a tool loop with thinking (streamed: %s)', async (streamed) => {
    backend.script(LOOP);
    const client = connectMessages(backend.url);
    const send = (messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> => {
      const request = { ...base, messages, tools, thinking };
      return streamed ? client.messages.stream(request).finalMessage() : client.messages.create(request);
    };
    const first = await send([question]);
    expect(first.usage).toMatchObject({ input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 40 });
    const calls = first.content.filter((block) => block.type === 'tool_use');
    expect(calls.map((call) => call.input)).toEqual([{ city: 'Oslo' }, { city: 'Bern' }]);
    const results = calls.map((call) => ({ type: 'tool_result' as const, tool_use_id: call.id, content: 'rain' }));
    const history = (content: Anthropic.ContentBlockParam[], answers = results): Anthropic.MessageParam[] => [
      question,
      { role: 'assistant', content },
      { role: 'user', content: answers },
    ];
    await expect(send(history(first.content, results.slice(1)))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('`tool_use` ids were found without `tool_result` blocks'),
    });
    const withChange = (change: object) =>
      first.content.map((block) => (block.type === 'thinking' ? { ...block, ...change } : block));
    await expect(send(history(withChange({ thinking: 'Other.' })))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('cannot be modified'),
    });
    await expect(send(history(withChange({ signature: 'bm9uZQ==' })))).rejects.toMatchObject({
      message: expect.stringContaining('Invalid `signature`'),
    });
    await expect(send(history(first.content.slice(1)))).rejects.toMatchObject({
      message: expect.stringContaining('Expected `thinking`'),
    });
    const second = await send(history(first.content));
    expect(second.content).toMatchObject([{ type: 'text', text: TEXT }]);
  });

  test('prints refusal, truncation, stop sequence, redacted thinking and JSON', async () => {
    const client = connectMessages(backend.url);
    const next = (reply: Reply) => {
      backend.script(reply);
      return client.messages.stream({ ...base, messages: [question] }).finalMessage();
    };
    expect(await next({ kind: 'refusal', text: 'No.' })).toMatchObject({ stop_reason: 'refusal', content: [] });
    const call = { name: 'look', cut: '{"city":"Oslo","n' };
    expect(await next({ kind: 'truncated', text: 'Half', call })).toMatchObject({
      stop_reason: 'max_tokens',
      content: [{ text: 'Half' }, { type: 'tool_use', input: { city: 'Oslo' } }],
    });
    expect(await next({ kind: 'text', text: 'a', stopSequence: 'END' })).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    });
    const redacted = await next({ kind: 'text', text: 'a', reasoning: 'b', redacted: true });
    expect(redacted.content.map((block) => block.type)).toEqual(['thinking', 'redacted_thinking', 'text']);
    expect(await next({ kind: 'json', value: { a: [1] } })).toMatchObject({ content: [{ text: '{"a":[1]}' }] });
  });

  test('fails as scripted', async () => {
    const client = connectMessages(backend.url);
    const plain = () => client.messages.create({ ...base, messages: [question] });
    const stream = () => client.messages.stream({ ...base, messages: [question] }).finalMessage();
    backend.script({ kind: 'error', status: 429, retryAfter: 7, message: 'slow down' });
    const limited = await plain().catch((error: MessagesError) => error);
    expect(limited).toMatchObject({ status: 429, type: 'rate_limit_error' });
    expect((limited as MessagesError).headers?.get('retry-after')).toBe('7');
    backend.script({ kind: 'midstreamError', text: TEXT });
    await expect(stream()).rejects.toThrow(/overloaded_error/);
    await expect(plain()).rejects.toMatchObject({ status: 529 });
    backend.script({ kind: 'cut', text: TEXT });
    await expect(stream()).rejects.toThrow();
    await expect(plain()).rejects.toThrow();
    backend.script({ kind: 'cut', text: TEXT, reset: true });
    await expect(stream()).rejects.toThrow();
    expect(backend.aborted).toBe(0);
  });

  test('refuses a wrong key, a missing version and an unknown model', async () => {
    await expect(
      connectMessages(backend.url, { apiKey: 'other' }).messages.create({ ...base, messages: [question] }),
    ).rejects.toMatchObject({ status: 401, type: 'authentication_error' });
    const bare = await fetch(`${backend.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'test-key' },
      body: JSON.stringify({ ...base, messages: [question] }),
    });
    expect(bare.status).toBe(400);
    expect(await bare.text()).toContain('anthropic-version: header is required');
    const only = await startFakeBackend('messages', { models: ['known'] });
    await expect(connectMessages(only.url).messages.create({ ...base, messages: [question] })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('model: any'),
    });
    expect((await connectMessages(only.url).models.list()).data.map((model) => model.id)).toEqual(['known']);
    await only.close();
  });

  test('asks a client with threads to send the full history', async () => {
    const body = { ...base, messages: [question], thread: { type: 'create' } };
    const failed = await connectMessages(backend.url)
      .post('/v1/messages?beta=true', { body })
      .catch((error: MessagesError) => error);
    expect(failed).toMatchObject({
      status: 400,
      error: { error: { details: { error_code: 'thread_unsupported_request' } } },
    });
  });

  test('counts tokens', async () => {
    const { messages } = connectMessages(backend.url);
    expect(await messages.countTokens({ model: 'm', messages: [question] })).toMatchObject({ input_tokens: 42 });
  });
});

describe('responses', () => {
  beforeEach(async () => {
    backend = await startFakeBackend('responses', { apiKey: 'test-key' });
  });
  type Input = OpenAI.Responses.ResponseInputItem[];
  const base = { model: 'any' };
  const question: Input[number] = { role: 'user', content: 'Weather in both?' };
  const tools: OpenAI.Responses.Tool[] = [{ type: 'function', name: 'look', strict: true, parameters: SCHEMA }];

  test('deltas of streams carry an obfuscation unless it is switched off', async () => {
    const ask = { ...base, stream: true, input: 'Weather in both?' };
    const frames = await framesOf('/v1/responses', ask);
    const events = frames.map((frame) => JSON.parse(frame.split('\ndata: ')[1] ?? ''));
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.every(({ obfuscation }) => obfuscation.length > 0)).toBe(true);
    const bare = await framesOf('/v1/responses', { ...ask, stream_options: { include_obfuscation: false } });
    expect(bare.join('')).not.toContain('obfuscation');
  });

  test.each([false, true])('holds a stateless tool loop with reasoning (streamed: %s)', async (streamed) => {
    backend.script(LOOP);
    const client = connectResponses(backend.url);
    const send = async (input: Input): Promise<OpenAI.Responses.Response> => {
      const reasoning = { effort: 'low' as const, summary: 'auto' as const };
      const request = { ...base, input, tools, store: false, reasoning };
      if (!streamed) return client.responses.create(request);
      return client.responses.stream(request).finalResponse();
    };
    const first = await send([question]);
    expect(first.usage).toMatchObject({
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60 },
      output_tokens: 40,
      output_tokens_details: { reasoning_tokens: 10 },
      total_tokens: 140,
    });
    const output = first.output.map(
      ({ parsed_arguments: _, ...item }: OpenAI.Responses.ResponseOutputItem & { parsed_arguments?: unknown }) => item,
    ) as Input;
    expect(output.map((item) => item.type)).toEqual(['reasoning', 'message', 'function_call', 'function_call']);
    const results = output.flatMap(
      (item): Input =>
        item.type === 'function_call' ? [{ type: 'function_call_output', call_id: item.call_id, output: 'rain' }] : [],
    );
    const clean = output.map((item) => {
      const content = 'content' in item && Array.isArray(item.content) ? item.content : undefined;
      const parts = content?.map(({ parsed: _, ...part }: object & { parsed?: unknown }) => part);
      return (parts ? { ...item, content: parts } : item) as Input[number];
    });
    await expect(send([question, ...clean, ...results.slice(1)])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('No tool output found'),
    });
    const forged = clean.map((item) => (item.type === 'reasoning' ? { ...item, encrypted_content: 'bm9uZQ==' } : item));
    await expect(send([question, ...forged, ...results])).rejects.toMatchObject({ code: 'invalid_encrypted_content' });
    await expect(send([question, ...clean.slice(1), ...results])).rejects.toMatchObject({
      message: expect.stringContaining("without its required 'reasoning' item"),
    });
    const second = await send([question, ...clean, ...results]);
    expect(second.output_text).toBe(TEXT);
  });

  test('chains stored responses and refuses unknown ones', async () => {
    backend.script(LOOP);
    const { responses } = connectResponses(backend.url);
    const first = await responses.create({ ...base, input: [question], tools });
    const outputs = first.output
      .filter((item) => item.type === 'function_call')
      .map((call) => ({ type: 'function_call_output' as const, call_id: call.call_id, output: 'rain' }));
    const chained = { ...base, previous_response_id: first.id };
    await expect(responses.create({ ...chained, input: outputs.slice(1) })).rejects.toMatchObject({ status: 400 });
    expect((await responses.create({ ...chained, input: outputs })).output_text).toBe(TEXT);
    await expect(responses.create({ ...base, previous_response_id: 'resp_none', input: 'x' })).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
    const unstored = await responses.create({ ...base, input: 'x', store: false });
    await expect(responses.retrieve(unstored.id)).rejects.toMatchObject({ status: 404 });
  });

  test('shows summaries and state only to those who ask', async () => {
    backend.script({ kind: 'text', text: 'a', reasoning: ['One.', 'Two.'] });
    const { responses } = connectResponses(backend.url);
    const silent = await responses.create({ ...base, input: 'x' });
    expect(silent.output[0]).toEqual({ id: expect.stringMatching(/^rs_/), type: 'reasoning', summary: [] });
    const asked = await responses.create({
      ...base,
      input: 'x',
      reasoning: { summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    });
    expect(asked.output[0]).toMatchObject({
      summary: [{ text: 'One.' }, { text: 'Two.' }],
      encrypted_content: expect.any(String),
    });
  });

  test('prints refusal, truncation and a custom call', async () => {
    const { responses } = connectResponses(backend.url);
    const next = (reply: Reply) => {
      backend.script(reply);
      return responses.stream({ ...base, input: 'x' }).finalResponse();
    };
    expect(await next({ kind: 'refusal', text: 'No.' })).toMatchObject({
      status: 'completed',
      output: [{ content: [{ type: 'refusal', refusal: 'No.' }] }],
    });
    expect(await next({ kind: 'truncated', text: 'Half', call: { name: 'look', cut: '{"ci' } })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ type: 'message' }, { type: 'function_call', status: 'incomplete', arguments: '{"ci' }],
    });
    expect(await next({ kind: 'calls', calls: [{ name: 'free', input: 'text' }] })).toMatchObject({
      output: [{ type: 'custom_tool_call', input: 'text' }],
    });
  });

  test('fails as scripted', async () => {
    const { responses } = connectResponses(backend.url);
    const follow = async (): Promise<string[]> => {
      const types: string[] = [];
      for await (const event of await responses.create({ ...base, input: 'x', stream: true })) types.push(event.type);
      return types;
    };
    backend.script({
      kind: 'error',
      status: 429,
      code: 'insufficient_quota',
      type: 'insufficient_quota',
      retryAfter: 3,
    });
    const limited = await responses.create({ ...base, input: 'x' }).catch((error: ResponsesError) => error);
    expect(limited).toMatchObject({ status: 429, code: 'insufficient_quota', type: 'insufficient_quota' });
    expect((limited as ResponsesError).headers?.get('retry-after')).toBe('3');
    backend.script({ kind: 'midstreamError', text: TEXT, message: 'broken inside' });
    await expect(follow()).rejects.toThrow(/broken inside/);
    backend.script({ kind: 'cut', text: TEXT, after: 2 });
    const types = await follow();
    expect(types.at(-1)).toBe('response.output_text.delta');
    backend.script({ kind: 'cut', text: TEXT, reset: true });
    await expect(follow()).rejects.toThrow();
    await expect(connectResponses(backend.url, { apiKey: 'other' }).models.list()).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
  });

  test('counts tokens', async () => {
    const counted = await connectResponses(backend.url).responses.inputTokens.count({ ...base, input: 'x' });
    expect(counted).toMatchObject({ object: 'response.input_tokens', input_tokens: 42 });
  });
});

describe('generateContent', () => {
  beforeEach(async () => {
    backend = await startFakeBackend('generateContent', { apiKey: 'test-key', gemini3: true });
  });
  const model = 'gemini-3-any';
  const config = {
    tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: SCHEMA }] }],
    thinkingConfig: { includeThoughts: true },
  };
  const question = { role: 'user', parts: [{ text: 'Weather in both?' }] };

  const collect = async (contents: object[], streamed: boolean): Promise<GenerateContentResponse[]> => {
    const { models } = connectGenerateContent(backend.url);
    const request = { model, contents: contents as { role: string; parts: Part[] }[], config };
    if (!streamed) return [await models.generateContent(request)];
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of await models.generateContentStream(request)) chunks.push(chunk);
    return chunks;
  };
  const partsOf = (chunks: GenerateContentResponse[]): Part[] =>
    chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);

  test.each([false, true])('holds a tool loop with signatures (streamed: %s)', async (streamed) => {
    backend.script(LOOP);
    const first = await collect([question], streamed);
    expect(first.at(-1)?.usageMetadata).toMatchObject({
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 10,
      totalTokenCount: 140,
    });
    const parts = partsOf(first).filter((part) => part.text !== '');
    expect(parts.map((part) => part.functionCall?.args ?? part.text)).toEqual([
      'I need both cities.\n\n',
      'Looking.',
      { city: 'Oslo' },
      { city: 'Bern' },
    ]);
    const calls = parts.filter((part) => part.functionCall);
    const answers = {
      role: 'user',
      parts: calls.map(({ functionCall }) => ({
        functionResponse: { id: functionCall?.id, name: 'look', response: { output: 'rain' } },
      })),
    };
    const send = (own: Part[], results: object = answers) =>
      collect([question, { role: 'model', parts: own }, results], streamed);
    const failing = async (own: Part[], results?: object): Promise<string> =>
      send(own, results).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
    const unsigned = parts.map(({ thoughtSignature: _, ...part }) => part);
    expect(await failing(unsigned)).toContain('missing a thought_signature');
    expect(await failing(unsigned)).toContain('default_api:look');
    const forged = parts.map((part) => (part.thoughtSignature ? { ...part, thoughtSignature: 'bm9uZQ==' } : part));
    expect(await failing(forged)).toContain('Corrupted thought signature');
    const { thoughtSignature: moved } = calls[0] ?? {};
    const swapped = unsigned.map((part) => (part.functionCall ? { ...part, thoughtSignature: moved } : part));
    expect(await failing(swapped)).toContain('signature is not valid');
    expect(await failing(parts, { role: 'user', parts: answers.parts.slice(1) })).toContain('equal to the number');
    const dummy = unsigned.map((part) =>
      part === unsigned.find((candidate) => candidate.functionCall)
        ? { ...part, thoughtSignature: 'skip_thought_signature_validator' }
        : part,
    );
    backend.script(LOOP.slice(1));
    expect(await failing(dummy)).toBe('accepted');
    backend.script(LOOP.slice(1));
    expect(
      partsOf(await send(parts))
        .map((part) => part.text)
        .join(''),
    ).toBe(TEXT);
  });

  test('prints refusal and truncation', async () => {
    backend.script({ kind: 'refusal', text: 'No.' });
    for (const streamed of [false, true]) {
      const [candidate] = (await collect([question], streamed)).at(-1)?.candidates ?? [];
      expect(candidate).toMatchObject({ finishReason: 'SAFETY', content: {} });
    }
    backend.script({ kind: 'truncated', reasoning: 'All of the budget.' });
    const [cut] = (await collect([question], false)).at(-1)?.candidates ?? [];
    expect(cut?.finishReason).toBe('MAX_TOKENS');
  });

  test('fails as scripted', async () => {
    backend.script({ kind: 'error', status: 429, retryAfter: 36 });
    const limited = await collect([question], false).catch((error: Error) => error.message);
    expect(limited).toContain('"retryDelay":"36s"');
    backend.script({ kind: 'midstreamError', text: TEXT });
    await expect(collect([question], true)).rejects.toThrow(/UNAVAILABLE/);
    backend.script({ kind: 'cut', text: TEXT });
    const chunks = await collect([question], true);
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBeUndefined();
    backend.script({ kind: 'cut', text: TEXT, reset: true });
    await expect(collect([question], true)).rejects.toThrow();
    const stranger = connectGenerateContent(backend.url, { apiKey: 'other' });
    await expect(stranger.models.generateContent({ model, contents: 'x' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('API_KEY_INVALID'),
    });
  });

  test('streams a JSON array without alt=sse, and counts', async () => {
    const url = `${backend.url}/v1beta/models/${model}:streamGenerateContent?key=test-key`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ contents: [question] }) });
    const chunks = (await answer.json()) as GenerateContentResponse[];
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
    const { models } = connectGenerateContent(backend.url);
    expect((await models.countTokens({ model, contents: 'x' })).totalTokens).toBe(42);
  });
});

describe('the server', () => {
  beforeEach(async () => {
    backend = await startFakeBackend('messages', { strict: false });
  });
  const send = () =>
    fetch(`${backend.url}/v1/messages`, {
      method: 'POST',
      headers: { 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model: 'm', stream: true }),
    });

  test('writes raw bytes as they are', async () => {
    backend.script({
      kind: 'raw',
      status: 418,
      headers: { 'x-odd': 'yes' },
      chunks: ['a', { pauseMs: 5 }, new Uint8Array([0xc3]), new Uint8Array([0xa9])],
    });
    const answer = await send();
    expect([answer.status, answer.headers.get('x-odd'), await answer.text()]).toEqual([418, 'yes', 'aé']);
    backend.script({ kind: 'raw', chunks: ['half', { drop: true }, 'never'] });
    const dropped = await send();
    await expect(dropped.text()).rejects.toThrow();
  });

  test('notices a client that goes away, and its sockets', async () => {
    backend.script({ kind: 'text', text: TEXT, paceMs: 50 });
    const headers = { 'anthropic-version': '2023-06-01' };
    const client = openRequest(`${backend.url}/v1/messages`, { method: 'POST', headers, agent: false });
    client.end(JSON.stringify({ model: 'm', stream: true }));
    const [answer] = (await once(client, 'response')) as [IncomingMessage];
    await once(answer, 'data');
    expect(backend.openSockets()).toBe(1);
    client.destroy();
    await until(() => backend.openSockets() === 0);
    expect(backend.aborted).toBe(1);
  });

  test('answers by list, by function, and forgets on reset', async () => {
    const say = (text: string): Reply => ({ kind: 'text', text });
    const ask = async (): Promise<string> => (await send()).text();
    backend.script([say('first'), say('second')]);
    expect([await ask(), await ask(), await ask()].map((text) => /first|second|plain/.exec(text)?.[0])).toEqual([
      'first',
      'second',
      'plain',
    ]);
    backend.script((request) => say(`saw-${request.body.model}`));
    expect(await ask()).toContain('saw-m');
    backend.reset();
    expect(backend.requests).toHaveLength(0);
    expect(await ask()).not.toContain('saw-m');
  });
});
