import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { APICallError, generateObject, generateText, type LanguageModel, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { DIALECTS, GATEWAY_KEY, openStage, type Stage } from './stage.js';
import { viewOf } from './wire-view.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const BERN = { name: 'Bern', people: 134_000 };
const file = (path: string) => ({ name: 'read_file', arguments: { path } });

const read = tool({
  description: 'Reads a file',
  inputSchema: z.object({ path: z.string() }),
  execute: async ({ path }) => `text of ${path}`,
});

/** Providers of the AI SDK that speak chat completions, and that keep state in different places [H §8.2]. */
const PROVIDERS = {
  'openai-compatible': (model: string): LanguageModel =>
    createOpenAICompatible({
      // It gives the signatures of calls back under this name only.
      name: 'google',
      baseURL: `${stage.url}/v1`,
      apiKey: GATEWAY_KEY,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(model),
  openrouter: (model: string): LanguageModel =>
    createOpenRouter({ baseURL: `${stage.url}/v1`, apiKey: GATEWAY_KEY, compatibility: 'strict' })(model),
} as const;

const NAMES = ['openai-compatible', 'openrouter'] as const;
const WAYS = NAMES.flatMap((provider) => DIALECTS.map((backend) => ({ provider, backend })));

describe.each(WAYS)('the AI SDK through $provider, $backend backend', ({ provider, backend }) => {
  const fake = () => stage.backends[backend];
  const model = () => PROVIDERS[provider](`via-${backend}`);

  test('text with its counts', async () => {
    fake().script({ kind: 'text', text: 'It is 42.', usage: { input: 90, cached: 40, output: 12 } });
    const { text, finishReason, usage } = await generateText({
      model: model(),
      system: 'Be brief.',
      prompt: 'What is it?',
      maxRetries: 0,
    });
    expect([text, finishReason]).toEqual(['It is 42.', 'stop']);
    expect(usage).toMatchObject({ inputTokens: 90, outputTokens: 12 });
    expect(viewOf(backend, fake().requests[0], 'system')).toContain('Be brief.');
  });

  test('a stream with its counts', async () => {
    const words = 'one two three four five six seven eight nine ten';
    fake().script({ kind: 'text', text: words, usage: { input: 90, output: 12 } });
    const stream = streamText({ model: model(), prompt: 'Count.', maxRetries: 0 });
    const pieces: string[] = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    expect(pieces.join('')).toBe(words);
    expect(pieces.length).toBeGreaterThan(1);
    expect(await stream.finishReason).toBe('stop');
    expect(await stream.usage).toMatchObject({ inputTokens: 90, outputTokens: 12 });
  });

  test.each([{ stream: false }, { stream: true }])(
    'a tool loop keeps its state, stream: $stream',
    async ({ stream }) => {
      fake().script([
        { kind: 'reasoning+calls', reasoning: 'First, both files.', calls: [file('a.ts'), file('b.ts')] },
        { kind: 'reasoning+calls', reasoning: 'One more.', calls: [file('c.ts')] },
        { kind: 'text', text: 'All read.' },
      ]);
      const asked = {
        model: model(),
        prompt: 'Read them all.',
        tools: { read_file: read },
        stopWhen: stepCountIs(5),
        maxRetries: 0,
      };
      const text = stream ? await streamText(asked).text : (await generateText(asked)).text;
      expect(text).toBe('All read.');
      const results = fake().requests.map((request) => viewOf(backend, request, 'results').map((one) => one.text));
      expect(results.at(-1)).toEqual(['text of a.ts', 'text of b.ts', 'text of c.ts']);
      const states = fake().requests.map((request) => viewOf(backend, request, 'states'));
      // The provider for OpenRouter gives back what stands in `reasoning`, which the backend of its own dialect does not use.
      const lost = provider === 'openrouter' && backend === 'chatCompletions';
      expect(states.map((list) => list.length)).toEqual(lost ? [0, 0, 0] : [0, 1, 2]);
    },
  );

  test('a picture', async () => {
    const image = { type: 'image' as const, image: PIXEL, mediaType: 'image/png' };
    await generateText({
      model: model(),
      messages: [{ role: 'user', content: [image, { type: 'text', text: 'What is this?' }] }],
      maxRetries: 0,
    });
    expect(viewOf(backend, fake().requests[0], 'images')).toEqual([`image/png ${PIXEL}`]);
  });

  test('an object with a schema', async () => {
    fake().script({ kind: 'json', value: BERN });
    const { object } = await generateObject({
      model: model(),
      schema: z.object({ name: z.string(), people: z.number() }),
      prompt: 'Which city?',
      maxRetries: 0,
    });
    expect(object).toEqual(BERN);
  });

  test('an error with its status', async () => {
    fake().script({ kind: 'error', status: 400, message: 'Too many bananas in this request.' });
    const error: unknown = await generateText({ model: model(), prompt: 'Hi', maxRetries: 0 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(APICallError.isInstance(error) && [error.statusCode, error.isRetryable]).toEqual([400, false]);
    expect(String(error)).toContain('Too many bananas in this request.');
  });
});

describe.each(DIALECTS.map((backend) => ({ backend })))(
  'an answer of $backend that fails after its first words',
  ({ backend }) => {
    // Slow enough that the head is out before the failure: else it would be a status.
    const slow = { text: 'one two three four five six seven eight', after: 3, paceMs: 20 } as const;

    test.each([
      { how: 'tells an error', reply: { kind: 'midstreamError', ...slow } },
      { how: 'ends without its finish', reply: { kind: 'cut', ...slow } },
      { how: 'is reset', reply: { kind: 'cut', reset: true, ...slow } },
    ] as const)('and $how is an error of the OpenAI provider', async ({ reply }) => {
      stage.backends[backend].script(reply);
      const openai = createOpenAI({ baseURL: `${stage.url}/v1`, apiKey: GATEWAY_KEY });
      const errors: unknown[] = [];
      const pieces: string[] = [];
      const { textStream } = streamText({
        model: openai.chat(`via-${backend}`),
        prompt: 'Count.',
        maxRetries: 0,
        onError: ({ error }) => {
          errors.push(error);
        },
      });
      try {
        for await (const piece of textStream) pieces.push(piece);
      } catch (thrown) {
        // The provider reads on behind the error, until the connection breaks.
        errors.push(thrown);
      }
      expect(pieces.join('')).toMatch(/^one/);
      expect(errors[0]).toMatchObject({ type: 'server_error' });
    });
  },
);
