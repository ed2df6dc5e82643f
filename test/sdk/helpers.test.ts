import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import type { Chat, FunctionCall, GenerateContentResponse } from '@google/genai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import {
  connectChatCompletions,
  connectGenerateContent,
  connectMessages,
  connectResponses,
} from '../support/clients.js';
import { DIALECTS, GATEWAY_KEY, openStage, type Stage } from './stage.js';
import { viewOf } from './wire-view.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const CITY = z.object({ name: z.string(), people: z.number() });
const BERN = { name: 'Bern', people: 134_000 };
const CALL = {
  kind: 'reasoning+calls',
  reasoning: 'Look.',
  calls: [{ name: 'add', arguments: { a: 20, b: 22 } }],
} as const;

/** What the SDKs offer on top of a single call, used as their guides use it. */
describe.each(DIALECTS.map((backend) => ({ backend })))('the SDKs’ own helpers, $backend backend', ({ backend }) => {
  const model = `via-${backend}`;
  const fake = () => stage.backends[backend];

  test.each([{ stream: false }, { stream: true }])(
    'the tool runner of @anthropic-ai/sdk, stream: $stream',
    async (way) => {
      fake().script([CALL, { kind: 'text', text: 'It is 42.' }]);
      const seen: unknown[] = [];
      const add = betaZodTool({
        name: 'add',
        description: 'Adds two numbers',
        inputSchema: z.object({ a: z.number(), b: z.number() }),
        run: ({ a, b }) => {
          seen.push([a, b]);
          return String(a + b);
        },
      });
      const runner = connectMessages(stage.url, { apiKey: GATEWAY_KEY }).beta.messages.toolRunner({
        model,
        max_tokens: 4096,
        tools: [add],
        messages: [{ role: 'user', content: 'What is 20 + 22?' }],
        ...way,
      });
      const { content } = await runner.runUntilDone();
      expect(content.at(-1)).toMatchObject({ type: 'text', text: 'It is 42.' });
      expect(seen).toEqual([[20, 22]]);
      expect(viewOf(backend, fake().requests.at(-1), 'results')).toMatchObject([{ text: '42' }]);
    },
  );

  test.each([{ stream: false }, { stream: true }])('the tool runner of openai, stream: $stream', async ({ stream }) => {
    fake().script([CALL, { kind: 'text', text: 'It is 42.' }]);
    const seen: unknown[] = [];
    const add = zodFunction({
      name: 'add',
      description: 'Adds two numbers',
      parameters: z.object({ a: z.number(), b: z.number() }),
      function: ({ a, b }) => {
        seen.push([a, b]);
        return String(a + b);
      },
    });
    const { completions } = connectChatCompletions(stage.url, { apiKey: GATEWAY_KEY }).chat;
    const messages = [{ role: 'user' as const, content: 'What is 20 + 22?' }];
    const runner = stream
      ? completions.runTools({ model, messages, tools: [add], stream })
      : completions.runTools({ model, messages, tools: [add] });
    expect(await runner.finalContent()).toBe('It is 42.');
    expect(seen).toEqual([[20, 22]]);
    expect(viewOf(backend, fake().requests.at(-1), 'results')).toMatchObject([{ text: '42' }]);
  });

  test.each([{ stream: false }, { stream: true }])('the chat of @google/genai, stream: $stream', async ({ stream }) => {
    fake().script([
      CALL,
      { kind: 'text', reasoning: 'Sum.', text: 'It is forty two, and nothing else.' },
      { kind: 'text', text: 'Yes.' },
    ]);
    const parametersJsonSchema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } };
    const chat = connectGenerateContent(stage.url, { apiKey: GATEWAY_KEY }).chats.create({
      model,
      config: {
        tools: [{ functionDeclarations: [{ name: 'add', description: 'Adds', parametersJsonSchema }] }],
        thinkingConfig: { includeThoughts: true },
      },
    });
    const say = stream ? sayStreamed : sayPlain;
    const { calls } = await say(chat, { message: 'What is 20 + 22?' });
    expect(calls).toMatchObject([{ name: 'add', args: { a: 20, b: 22 } }]);
    // The helper keeps one Content for each chunk, which the service itself does not take behind a call.
    if (stream && backend === 'generateContent') return;
    const answers = calls.map(({ id, name }) => ({
      functionResponse: { id: id ?? '', name: name ?? '', response: { output: '42' } },
    }));
    expect((await say(chat, { message: answers })).text).toBe('It is forty two, and nothing else.');
    expect((await say(chat, { message: 'Sure?' })).text).toBe('Yes.');
    expect(fake().requests.map((request) => viewOf(backend, request, 'states').length)).toEqual([0, 1, 2]);
  });

  test('the parsing helpers of openai and @anthropic-ai/sdk', async () => {
    fake().script({ kind: 'json', value: BERN });
    const response = await connectResponses(stage.url, { apiKey: GATEWAY_KEY }).responses.parse({
      model,
      store: false,
      input: 'Which city?',
      text: { format: zodTextFormat(CITY, 'city') },
    });
    expect(response.output_parsed).toEqual(BERN);
    const message = await connectMessages(stage.url, { apiKey: GATEWAY_KEY }).messages.parse({
      model,
      max_tokens: 1000,
      messages: [{ role: 'user', content: 'Which city?' }],
      output_config: { format: zodOutputFormat(CITY) },
    });
    expect(message.parsed_output).toEqual(BERN);
    const { completions } = connectChatCompletions(stage.url, { apiKey: GATEWAY_KEY }).chat;
    const completion = await completions.parse({
      model,
      messages: [{ role: 'user', content: 'Which city?' }],
      response_format: zodResponseFormat(CITY, 'city'),
    });
    expect(completion.choices[0]?.message.parsed).toEqual(BERN);
  });

  test('no SDK repeats a call that the backend refused because of the gateway’s own key', async () => {
    const options = { apiKey: GATEWAY_KEY, retries: 2 };
    const locked = `locked-${backend}`;
    const asMessages = connectMessages(stage.url, options).messages.create({
      model: locked,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello.' }],
    });
    await expect(asMessages).rejects.toMatchObject({ status: 502 });
    const asResponses = connectResponses(stage.url, options).responses.create({ model: locked, input: 'Hello.' });
    await expect(asResponses).rejects.toMatchObject({ status: 502 });
    const asChat = connectChatCompletions(stage.url, options).chat.completions.create({
      model: locked,
      messages: [{ role: 'user', content: 'Hello.' }],
    });
    await expect(asChat).rejects.toMatchObject({ status: 502 });
    expect(fake().requests).toHaveLength(3);
  });

  test('token counts', async () => {
    const messages = await connectMessages(stage.url, { apiKey: GATEWAY_KEY }).messages.countTokens({
      model,
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'How many?' }],
    });
    // The backend of chat completions has no endpoint for it, so that the gateway estimates.
    const told: unknown = backend === 'chatCompletions' ? expect.any(Number) : 42;
    expect(messages.input_tokens).toEqual(told);
    const responses = await connectResponses(stage.url, { apiKey: GATEWAY_KEY }).responses.inputTokens.count({
      model,
      input: 'How many?',
    });
    expect(responses).toMatchObject({ object: 'response.input_tokens', input_tokens: told });
    const google = connectGenerateContent(stage.url, { apiKey: GATEWAY_KEY });
    expect((await google.models.countTokens({ model, contents: 'How many?' })).totalTokens).toEqual(told);
    expect(fake().requests).toHaveLength(backend === 'chatCompletions' ? 0 : 3);
  });
});

test('every SDK lists and finds the models of the gateway', async () => {
  const names = DIALECTS.flatMap((dialect) => [`via-${dialect}`, `locked-${dialect}`]).toSorted();
  const messages = connectMessages(stage.url, { apiKey: GATEWAY_KEY });
  const responses = connectResponses(stage.url, { apiKey: GATEWAY_KEY });
  const google = connectGenerateContent(stage.url, { apiKey: GATEWAY_KEY });
  const listed = {
    messages: (await collect(messages.models.list())).map(({ id }) => id),
    responses: (await collect(responses.models.list())).map(({ id }) => id),
    generateContent: (await collect(await google.models.list())).map(
      ({ name }) => name?.replace(/^models\//, '') ?? '',
    ),
  };
  for (const list of Object.values(listed)) expect(list.toSorted()).toEqual(names);
  expect(await messages.models.retrieve('via-responses')).toMatchObject({ id: 'via-responses', type: 'model' });
  expect(await responses.models.retrieve('via-messages')).toMatchObject({ id: 'via-messages', object: 'model' });
  expect((await google.models.get({ model: 'via-messages' })).name).toBe('models/via-messages');
});

interface Said {
  readonly text: string;
  readonly calls: readonly FunctionCall[];
}

async function sayPlain(chat: Chat, message: Parameters<Chat['sendMessage']>[0]): Promise<Said> {
  return listen([await chat.sendMessage(message)]);
}

async function sayStreamed(chat: Chat, message: Parameters<Chat['sendMessageStream']>[0]): Promise<Said> {
  return listen(await collect(await chat.sendMessageStream(message)));
}

function listen(chunks: readonly GenerateContentResponse[]): Said {
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  return {
    text: parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
    calls: parts.flatMap(({ functionCall }) => functionCall ?? []),
  };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
