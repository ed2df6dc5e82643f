import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

const weather = tool(async () => '18 degrees and sunny', {
  name: 'weather',
  description: 'The weather in a city',
  schema: z.object({ city: z.string() }),
});

// The client speaks chatCompletions; the models are those of other vendors.
for (const name of ['sim-messages', 'sim-generate-content']) {
  const model = new ChatOpenAI({
    model: name,
    apiKey: process.env.INTERLINGUA_KEY ?? 'any',
    configuration: { baseURL: `${process.env.INTERLINGUA_URL ?? 'http://127.0.0.1:8080'}/v1` },
  }).bindTools([weather]);
  const messages = [{ role: 'user', content: 'Use the tool weather for Bern.' }];
  const asked = await model.invoke(messages);
  messages.push(asked);
  for (const call of asked.tool_calls) messages.push(await weather.invoke(call));
  let text = '';
  for await (const piece of await model.stream(messages)) text += piece.text;
  console.log(`${name}: called ${asked.tool_calls.map((call) => call.name).join()}; ${text.replaceAll('\n', ' ')}`);
}
