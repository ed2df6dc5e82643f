import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const openai = createOpenAI({
  baseURL: `${process.env.INTERLINGUA_URL ?? 'http://127.0.0.1:8080'}/v1`,
  apiKey: process.env.INTERLINGUA_KEY ?? 'any',
});

const weather = tool({
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async () => '18 degrees and sunny',
});

// The provider speaks responses; the models are those of other vendors.
for (const name of ['sim-messages', 'sim-generate-content']) {
  const { text, steps } = await generateText({
    model: openai(name),
    prompt: 'Use the tool weather for Bern.',
    tools: { weather },
    stopWhen: stepCountIs(3),
  });
  const calls = steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName));
  console.log(`${name}: called ${calls.join()}; ${text.replaceAll('\n', ' ')}`);
}

const { textStream } = streamText({ model: openai('sim-messages'), prompt: 'Hello' });
let pieces = 0;
for await (const _piece of textStream) pieces += 1;
console.log(`streamed in ${pieces} pieces`);
