import type Anthropic from '@anthropic-ai/sdk';
import { FunctionCallingConfigMode, type GenerateContentResponse } from '@google/genai';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { connectGenerateContent, connectMessages, connectResponses } from '../support/clients.js';
import { type SimulatorServer, startSimulatorServer } from './server.js';

let server: SimulatorServer;
beforeAll(async () => {
  server = await startSimulatorServer();
});
afterAll(() => server.close());

const WEATHER = {
  type: 'object' as const,
  properties: {
    city: { type: 'string' },
    unit: { type: 'string', enum: ['celsius', 'kelvin'] },
    days: { type: 'integer' },
  },
  required: ['city', 'unit'],
  additionalProperties: false,
};
const CLOCK = {
  type: 'object' as const,
  properties: { zone: { type: 'string' } },
  required: ['zone'],
  additionalProperties: false,
};
const ASK_BOTH = 'Please use get_weather for "Oslo" and get_time for "Bern".';
const ASK = 'Say hello to everybody, please, and take as many words as you need.';

describe('messages', () => {
  const tools = [
    { name: 'get_weather', input_schema: WEATHER },
    { name: 'get_time', input_schema: CLOCK },
  ];
  const base = { model: 'sim-messages', max_tokens: 4000 };
  const ask = (content: string): Anthropic.MessageParam[] => [{ role: 'user', content }];

  test('answers with text that names the model and quotes the user', async () => {
    const message = await connectMessages(server.url).messages.create({ ...base, messages: ask(ASK) });
    const [block] = message.content;
    expect(block).toMatchObject({ type: 'text', text: expect.stringContaining(ASK) });
    expect(block).toMatchObject({ text: expect.stringContaining('sim-messages') });
    expect(message.stop_reason).toBe('end_turn');
  });

  test('streams the same answer that it gives plainly', async () => {
    const client = connectMessages(server.url);
    const plain = await client.messages.create({ ...base, messages: ask(ASK) });
    const stream = client.messages.stream({ ...base, messages: ask(ASK) });
    const deltas: string[] = [];
    stream.on('text', (delta) => deltas.push(delta));
    const streamed = await stream.finalMessage();
    expect(streamed.content).toEqual(plain.content);
    expect(deltas.length).toBeGreaterThan(3);
    expect(streamed.usage.output_tokens).toBe(plain.usage.output_tokens);
    expect(streamed.usage.input_tokens).toBe(plain.usage.input_tokens);
  });

  test.each([false, true])('runs a tool loop with two parallel calls and thinking (streamed: %s)', async (streamed) => {
    const client = connectMessages(server.url);
    const send = (messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> => {
      const request = { ...base, messages, tools, thinking: { type: 'enabled' as const, budget_tokens: 1024 } };
      return streamed ? client.messages.stream(request).finalMessage() : client.messages.create(request);
    };
    const first = await send(ask(ASK_BOTH));
    expect(first.content.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use', 'tool_use']);
    expect(first.stop_reason).toBe('tool_use');
    const calls = first.content.filter((block) => block.type === 'tool_use');
    expect(calls.map((call) => [call.name, call.input])).toEqual([
      ['get_weather', { city: 'hello', unit: 'celsius' }],
      ['get_time', { zone: 'hello' }],
    ]);
    expect(first.usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(0);
    const results = calls.map((call, index) => ({
      type: 'tool_result' as const,
      tool_use_id: call.id,
      content: `result number ${index}`,
    }));
    const history: Anthropic.MessageParam[] = [
      ...ask(ASK_BOTH),
      { role: 'assistant', content: first.content },
      { role: 'user', content: results },
    ];
    const second = await send(history);
    const said = second.content.find((block) => block.type === 'text');
    expect(said?.text).toContain('get_weather returned: result number 0');
    expect(said?.text).toContain('get_time returned: result number 1');
    expect(second.stop_reason).toBe('end_turn');
  });

  test('refuses thinking whose text or signature was changed', async () => {
    const client = connectMessages(server.url);
    const thinking = { type: 'enabled' as const, budget_tokens: 1024 };
    const { content } = await client.messages.create({ ...base, messages: ask(ASK), thinking });
    const replay = (change: object) => {
      const changed = content.map((block) => (block.type === 'thinking' ? { ...block, ...change } : block));
      const messages: Anthropic.MessageParam[] = [
        ...ask(ASK),
        { role: 'assistant', content: changed },
        { role: 'user', content: 'Go on.' },
      ];
      return client.messages.create({ ...base, messages, thinking });
    };
    await expect(replay({})).resolves.toMatchObject({ stop_reason: 'end_turn' });
    await expect(replay({ thinking: 'other' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/cannot be modified/),
    });
    await expect(replay({ signature: 'Zm9yZ2Vk' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/Invalid `signature`/),
    });
  });

  test('honours the tool choice', async () => {
    const { messages } = connectMessages(server.url);
    const none = await messages.create({ ...base, tools, tool_choice: { type: 'none' }, messages: ask(ASK_BOTH) });
    expect(none.content.map((block) => block.type)).toEqual(['text']);
    const one = await messages.create({
      ...base,
      tools,
      tool_choice: { type: 'tool', name: 'get_time' },
      messages: ask(ASK),
    });
    expect(one.content).toMatchObject([{ type: 'tool_use', name: 'get_time' }]);
    const single = await messages.create({
      ...base,
      tools,
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      messages: ask(ASK_BOTH),
    });
    expect(single.content.filter((block) => block.type === 'tool_use')).toHaveLength(1);
  });

  test('truncates at max_tokens and stops at a stop sequence', async () => {
    const { messages } = connectMessages(server.url);
    const cut = await messages.create({ ...base, max_tokens: 5, messages: ask(ASK) });
    expect(cut).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 5 } });
    const stopped = await messages.create({ ...base, stop_sequences: ['everybody'], messages: ask(ASK) });
    expect(stopped).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'everybody' });
    expect(JSON.stringify(stopped.content)).not.toContain('everybody');
  });

  test('counts, lists and describes', async () => {
    const client = connectMessages(server.url);
    const counted = await client.messages.countTokens({ model: 'sim-messages', messages: ask('one two three') });
    expect(counted.input_tokens).toBe(3);
    const models = await client.models.list();
    expect(models.data.map((model) => model.id)).toEqual(['sim-messages']);
    const image = { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' };
    const content = [
      { type: 'image' as const, source: image },
      { type: 'text' as const, text: 'What is this?' },
    ];
    const seen = await client.messages.create({ ...base, messages: [{ role: 'user', content }] });
    expect(seen.content).toMatchObject([{ text: expect.stringContaining('1 image (image/png)') }]);
  });

  test('fails as it is told', async () => {
    const client = connectMessages(server.url);
    const send = (text: string) => client.messages.create({ ...base, messages: ask(text) });
    await expect(send('simulate error 429')).rejects.toMatchObject({ status: 429, type: 'rate_limit_error' });
    await expect(send('simulate error 529')).rejects.toMatchObject({ status: 529, type: 'overloaded_error' });
    await expect(send('simulate error 500')).rejects.toMatchObject({ status: 500, type: 'api_error' });
    await expect(send('simulate refusal')).resolves.toMatchObject({ stop_reason: 'refusal', content: [] });
    const stream = (text: string) => client.messages.stream({ ...base, messages: ask(text) });
    await expect(stream(`simulate error midstream ${ASK}`).finalMessage()).rejects.toThrow(/overloaded_error/i);
    await expect(stream(`simulate cut ${ASK}`).finalMessage()).rejects.toThrow();
  });

  test("carries the official client's own tool runner, which first asks for a thread", async () => {
    const seen: string[] = [];
    const runner = connectMessages(server.url).beta.messages.toolRunner({
      ...base,
      messages: [{ role: 'user', content: 'Please use get_weather for "Oslo".' }],
      tools: [
        {
          type: 'custom',
          name: 'get_weather',
          input_schema: WEATHER,
          parse: (input: unknown) => input as { city: string },
          run: ({ city }: { city: string }) => {
            seen.push(city);
            return `rain in ${city}`;
          },
        },
      ],
    });
    const last = await runner.runUntilDone();
    expect(seen).toEqual(['hello']);
    expect(last.content).toMatchObject([{ text: expect.stringContaining('get_weather returned: rain in hello') }]);
  });

  test('refuses requests that lack a required field', async () => {
    const client = connectMessages(server.url);
    const send = (body: object) => client.post('/v1/messages', { body });
    await expect(send({ model: 'm', messages: ask('x') })).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringMatching(/max_tokens: Field required/),
    });
    await expect(send({ model: 'm', max_tokens: 1, messages: [] })).rejects.toMatchObject({ status: 400 });
  });
});

describe('responses', () => {
  const tools: OpenAI.Responses.FunctionTool[] = [
    { type: 'function', name: 'get_weather', strict: false, parameters: WEATHER },
    { type: 'function', name: 'get_time', strict: false, parameters: CLOCK },
  ];
  const base = { model: 'sim-responses' };

  test('answers with text, plainly and streamed', async () => {
    const client = connectResponses(server.url);
    const plain = await client.responses.create({ ...base, input: ASK });
    expect(plain.output_text).toContain(ASK);
    const stream = client.responses.stream({ ...base, input: ASK });
    const deltas: string[] = [];
    stream.on('response.output_text.delta', (event) => deltas.push(event.delta));
    const streamed = await stream.finalResponse();
    expect(streamed.output_text).toBe(plain.output_text);
    expect(deltas.join('')).toBe(plain.output_text);
    expect(deltas.length).toBeGreaterThan(3);
    expect(streamed.usage).toEqual(plain.usage);
  });

  test.each([false, true])('runs a stateless tool loop with two parallel calls (streamed: %s)', async (streamed) => {
    const client = connectResponses(server.url);
    const send = async (input: OpenAI.Responses.ResponseInputItem[]): Promise<OpenAI.Responses.Response> => {
      const request = {
        ...base,
        input,
        tools,
        store: false,
        reasoning: { effort: 'low' as const, summary: 'auto' as const },
      };
      return streamed ? client.responses.stream(request).finalResponse() : client.responses.create(request);
    };
    const question: OpenAI.Responses.ResponseInputItem = { role: 'user', content: ASK_BOTH };
    const first = await send([question]);
    expect(first.output.map((item) => item.type)).toEqual(['reasoning', 'message', 'function_call', 'function_call']);
    const [reasoning] = first.output.filter((item) => item.type === 'reasoning');
    expect(reasoning?.summary).toHaveLength(2);
    expect(reasoning?.encrypted_content?.length).toBeGreaterThan(40);
    expect(first.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
    const calls = first.output.filter((item) => item.type === 'function_call');
    expect(calls.map((call) => JSON.parse(call.arguments))).toEqual([
      { city: 'hello', unit: 'celsius' },
      { zone: 'hello' },
    ]);
    const outputs = calls.map((call, index) => ({
      type: 'function_call_output' as const,
      call_id: call.call_id,
      output: `result number ${index}`,
    }));
    // What the client's stream adds to items and parts is unknown to the service.
    const history: OpenAI.Responses.ResponseInputItem[] = JSON.parse(
      JSON.stringify([question, ...first.output, ...outputs], (key, value) =>
        key === 'parsed' || key === 'parsed_arguments' ? undefined : value,
      ),
    );
    const second = await send(history);
    expect(second.output_text).toContain('get_weather returned: result number 0');
    const forged = history.map((item) =>
      item.type === 'reasoning' ? { ...item, encrypted_content: 'Zm9yZ2Vk' } : item,
    );
    await expect(send(forged)).rejects.toMatchObject({ status: 400, code: 'invalid_encrypted_content' });
  });

  test('chains stored responses', async () => {
    const client = connectResponses(server.url);
    const first = await client.responses.create({ ...base, input: ASK_BOTH, tools });
    const outputs = first.output
      .filter((item) => item.type === 'function_call')
      .map((call) => ({ type: 'function_call_output' as const, call_id: call.call_id, output: 'fine' }));
    const second = await client.responses.create({ ...base, tools, previous_response_id: first.id, input: outputs });
    expect(second.output_text).toContain('get_time returned: fine');
    expect((await client.responses.retrieve(first.id)).id).toBe(first.id);
    const listed = await client.responses.inputItems.list(second.id);
    expect(listed.data.length).toBe(first.output.length + outputs.length + 1);
    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
    await expect(
      client.responses.create({ ...base, previous_response_id: first.id, input: 'x' }),
    ).rejects.toMatchObject({ code: 'previous_response_not_found' });
  });

  test('honours tool choice, structured output and the token limit', async () => {
    const { responses } = connectResponses(server.url);
    const none = await responses.create({ ...base, input: ASK_BOTH, tools, tool_choice: 'none' });
    expect(none.output.map((item) => item.type)).toEqual(['message']);
    const allowed = await responses.create({
      ...base,
      input: ASK_BOTH,
      tools,
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'get_time' }] },
    });
    expect(allowed.output).toMatchObject([{ type: 'function_call', name: 'get_time' }]);
    const format = { type: 'json_schema' as const, name: 'place', schema: WEATHER, strict: false };
    const structured = await responses.create({ ...base, input: 'Tell me about "Rome".', text: { format } });
    expect(JSON.parse(structured.output_text)).toEqual({ city: 'hello', unit: 'celsius' });
    const cut = await responses.create({ ...base, input: ASK, max_output_tokens: 16 });
    expect(cut).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      usage: { output_tokens: 16 },
    });
    await expect(responses.create({ ...base, input: ASK, max_output_tokens: 5 })).rejects.toMatchObject({
      status: 400,
      param: 'max_output_tokens',
    });
    const custom = await responses.create({ ...base, input: 'Use free.', tools: [{ type: 'custom', name: 'free' }] });
    expect(custom.output.at(-1)).toMatchObject({ type: 'custom_tool_call', name: 'free', input: 'echo hello' });
  });

  test('fails as it is told', async () => {
    const client = connectResponses(server.url);
    const send = (input: string) => client.responses.create({ ...base, input });
    await expect(send('simulate error 429')).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    await expect(send('simulate error 500')).rejects.toMatchObject({ status: 500, type: 'server_error' });
    await expect(send('simulate refusal')).resolves.toMatchObject({
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'refusal' }] }],
    });
    const types: string[] = [];
    const follow = async (input: string): Promise<void> => {
      for await (const event of await client.responses.create({ ...base, input, stream: true })) types.push(event.type);
    };
    await expect(follow(`simulate error midstream ${ASK}`)).rejects.toThrow(/overloaded/);
    expect(types.filter((type) => type === 'response.output_text.delta')).toHaveLength(3);
    types.length = 0;
    await follow(`simulate cut ${ASK}`);
    expect(types).not.toContain('response.completed');
  });

  test('counts and lists', async () => {
    const client = connectResponses(server.url);
    const counted = await client.responses.inputTokens.count({ model: 'm', input: 'one two three' });
    expect(counted.input_tokens).toBe(3);
    const models = await client.models.list();
    expect(models.data.map((model) => model.id)).toEqual(['sim-responses']);
  });
});

describe('generateContent', () => {
  const tools = [
    {
      functionDeclarations: [
        { name: 'get_weather', parametersJsonSchema: WEATHER },
        { name: 'get_time', parametersJsonSchema: CLOCK },
      ],
    },
  ];
  const model = 'sim-generate-content';

  const textOf = (answer: GenerateContentResponse): string => answer.text ?? '';

  test('answers with text, plainly and streamed', async () => {
    const { models } = connectGenerateContent(server.url);
    const plain = await models.generateContent({ model, contents: ASK });
    expect(plain.text).toContain(ASK);
    const texts: string[] = [];
    let last: GenerateContentResponse | undefined;
    for await (const chunk of await models.generateContentStream({ model, contents: ASK })) {
      texts.push(chunk.text ?? '');
      last = chunk;
    }
    expect(texts.join('')).toBe(plain.text);
    expect(texts.length).toBeGreaterThan(3);
    expect(last?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(last?.usageMetadata).toEqual(plain.usageMetadata);
  });

  test('keeps the exact sum of its counters', async () => {
    const { models } = connectGenerateContent(server.url);
    const config = { tools, thinkingConfig: { includeThoughts: true } };
    const { usageMetadata: usage } = await models.generateContent({ model, contents: ASK_BOTH, config });
    const sum = (usage?.promptTokenCount ?? 0) + (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0);
    expect(usage?.totalTokenCount).toBe(sum);
    expect(usage?.thoughtsTokenCount).toBeGreaterThan(0);
  });

  test.each([false, true])('runs a tool loop in a chat, with signatures (streamed: %s)', async (streamed) => {
    const chat = connectGenerateContent(server.url).chats.create({
      model,
      config: { tools, thinkingConfig: { includeThoughts: true } },
    });
    const send = async (
      message: Parameters<typeof chat.sendMessage>[0]['message'],
    ): Promise<GenerateContentResponse[]> => {
      if (!streamed) return [await chat.sendMessage({ message })];
      const chunks: GenerateContentResponse[] = [];
      for await (const chunk of await chat.sendMessageStream({ message })) chunks.push(chunk);
      return chunks;
    };
    const parts = (await send(ASK_BOTH)).flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    expect(parts.filter((part) => part.thought)).toHaveLength(2);
    const calls = parts.filter((part) => part.functionCall);
    expect(calls.map((part) => part.functionCall?.args)).toEqual([
      { city: 'hello', unit: 'celsius' },
      { zone: 'hello' },
    ]);
    expect(calls.map((part) => part.thoughtSignature !== undefined)).toEqual([true, false]);
    const answer = await send(
      calls.map(({ functionCall }, index) => ({
        functionResponse: {
          ...(functionCall?.id === undefined ? {} : { id: functionCall.id }),
          name: functionCall?.name ?? '',
          response: { output: `result number ${index}` },
        },
      })),
    );
    expect(answer.map(textOf).join('')).toContain('get_weather returned: result number 0');
  });

  test('refuses a forged or moved signature', async () => {
    const { models } = connectGenerateContent(server.url);
    const config = { tools, thinkingConfig: { includeThoughts: true } };
    const first = await models.generateContent({ model, contents: ASK_BOTH, config });
    const parts = first.candidates?.[0]?.content?.parts ?? [];
    const replay = (change: (signature: string | undefined) => string | undefined) => {
      const changed = parts.map((part) => {
        const { thoughtSignature, ...rest } = part;
        const signature = part.functionCall ? change(thoughtSignature) : undefined;
        return signature === undefined ? rest : { ...rest, thoughtSignature: signature };
      });
      const results = parts.flatMap(({ functionCall }) =>
        functionCall ? [{ functionResponse: { name: functionCall.name, response: { output: 'Never mind.' } } }] : [],
      );
      const contents = [
        { role: 'user', parts: [{ text: ASK_BOTH }] },
        { role: 'model', parts: changed },
        { role: 'user', parts: results },
      ];
      return models.generateContent({ model, contents, config });
    };
    await expect(replay((signature) => signature)).resolves.toBeDefined();
    await expect(replay(() => 'Zm9yZ2Vk')).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/Corrupted thought signature/),
    });
    const own = parts.find((part) => part.thoughtSignature)?.thoughtSignature;
    await expect(replay(() => own)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/signature is not valid/),
    });
    await expect(replay((signature) => signature && 'skip_thought_signature_validator')).resolves.toBeDefined();
  });

  test('honours mode, schema, enum, token limit and stop sequences', async () => {
    const { models } = connectGenerateContent(server.url);
    const ANY = FunctionCallingConfigMode.ANY;
    const forced = await models.generateContent({
      model,
      contents: ASK,
      config: { tools, toolConfig: { functionCallingConfig: { mode: ANY, allowedFunctionNames: ['get_time'] } } },
    });
    expect(forced.functionCalls).toMatchObject([{ name: 'get_time' }]);
    const json = { responseMimeType: 'application/json', responseJsonSchema: WEATHER };
    const structured = await models.generateContent({ model, contents: 'Tell me about "Rome".', config: json });
    expect(JSON.parse(textOf(structured))).toEqual({ city: 'hello', unit: 'celsius' });
    const choice = { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['red', 'blue'] } };
    expect((await models.generateContent({ model, contents: ASK, config: choice as object })).text).toBe('red');
    const cut = await models.generateContent({ model, contents: ASK, config: { maxOutputTokens: 4 } });
    expect(cut.candidates?.[0]?.finishReason).toBe('MAX_TOKENS');
    expect(cut.usageMetadata?.candidatesTokenCount).toBe(4);
    const stopped = await models.generateContent({ model, contents: ASK, config: { stopSequences: ['everybody'] } });
    expect(stopped.text).not.toContain('everybody');
  });

  test('fails as it is told', async () => {
    const { models } = connectGenerateContent(server.url);
    const send = (contents: string) => models.generateContent({ model, contents });
    await expect(send('simulate error 429')).rejects.toMatchObject({
      status: 429,
      message: expect.stringMatching(/RetryInfo/),
    });
    await expect(send('simulate error 500')).rejects.toMatchObject({
      status: 500,
      message: expect.stringMatching(/INTERNAL/),
    });
    const refused = await send('simulate refusal');
    expect(refused.candidates?.[0]).toMatchObject({ finishReason: 'SAFETY', content: {} });
    const follow = async (contents: string): Promise<GenerateContentResponse[]> => {
      const chunks: GenerateContentResponse[] = [];
      for await (const chunk of await models.generateContentStream({ model, contents })) chunks.push(chunk);
      return chunks;
    };
    await expect(follow(`simulate error midstream ${ASK}`)).rejects.toMatchObject({
      message: expect.stringMatching(/UNAVAILABLE/),
    });
    const chunks = await follow(`simulate cut ${ASK}`);
    expect(chunks).toHaveLength(3);
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBeUndefined();
  });

  test('counts and lists', async () => {
    const { models } = connectGenerateContent(server.url);
    expect((await models.countTokens({ model, contents: 'one two three' })).totalTokens).toBe(3);
    const listed = await models.list();
    expect(listed.page.map((entry) => entry.name)).toEqual(['models/sim-generate-content']);
  });
});
