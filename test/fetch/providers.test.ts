import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { generateText, type LanguageModel, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { viewOf } from '../sdk/wire-view.js';
import { FAKE_DIALECTS } from '../support/fake-backend/index.js';
import { type FetchStage, NOWHERE, openFetchStage } from './stage.js';

let stage: FetchStage;
beforeAll(async () => {
  stage = await openFetchStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const PROVIDERS = {
  'openai-compatible': (fetch: typeof globalThis.fetch): LanguageModel =>
    createOpenAICompatible({ name: 'google', baseURL: `${NOWHERE}/v1`, apiKey: 'unused', includeUsage: true, fetch })(
      'any',
    ),
  openrouter: (fetch: typeof globalThis.fetch): LanguageModel =>
    createOpenRouter({ baseURL: `${NOWHERE}/api/v1`, apiKey: 'unused', compatibility: 'strict', fetch })('any'),
} as const;

const read = tool({
  description: 'Reads a file',
  inputSchema: z.object({ path: z.string() }),
  execute: async ({ path }) => `text of ${path}`,
});

const LOOP = [
  { kind: 'reasoning+calls', reasoning: 'First.', calls: [{ name: 'read_file', arguments: { path: 'a.ts' } }] },
  { kind: 'text', text: 'All read.' },
] as const;

describe.each(FAKE_DIALECTS.map((backend) => ({ backend })))('over createFetch, $backend backend', ({ backend }) => {
  test.each(['openai-compatible', 'openrouter'] as const)('a tool loop of the AI SDK with %s', async (provider) => {
    stage.backends[backend].script([...LOOP, ...LOOP]);
    const asked = {
      model: PROVIDERS[provider](stage.fetchTo(backend)),
      prompt: 'Read it.',
      tools: { read_file: read },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    };
    expect((await generateText(asked)).text).toBe('All read.');
    expect(await streamText(asked).text).toBe('All read.');
    const last = stage.backends[backend].requests.at(-1);
    expect(viewOf(backend, last, 'results').map(({ text }) => text)).toEqual(['text of a.ts']);
  });

  test('a stream of LangChain with its counts', async () => {
    const words = 'one two three four five six';
    stage.backends[backend].script({ kind: 'text', text: words, usage: { input: 90, output: 12 } });
    const model = new ChatOpenAI({
      model: 'any',
      apiKey: 'unused',
      configuration: { baseURL: `${NOWHERE}/v1`, fetch: stage.fetchTo(backend) },
      useResponsesApi: false,
      maxRetries: 0,
    });
    let text = '';
    let input = 0;
    for await (const chunk of await model.stream([new HumanMessage('Count.')])) {
      text += chunk.text;
      input += chunk.usage_metadata?.input_tokens ?? 0;
    }
    expect([text, input]).toEqual([words, 90]);
  });
});
