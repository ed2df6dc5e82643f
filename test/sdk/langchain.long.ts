import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  AIMessageChunk,
  type BaseMessageLike,
  HumanMessage,
  SystemMessage,
  type ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
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

const read = tool(async ({ path }: { path: string }) => `text of ${path}`, {
  name: 'read_file',
  description: 'Reads a file',
  schema: z.object({ path: z.string() }),
});

describe.each(DIALECTS.map((backend) => ({ backend })))('ChatOpenAI of LangChain, $backend backend', ({ backend }) => {
  const fake = () => stage.backends[backend];
  const open = () =>
    new ChatOpenAI({
      model: `via-${backend}`,
      apiKey: GATEWAY_KEY,
      configuration: { baseURL: `${stage.url}/v1` },
      useResponsesApi: false,
      maxRetries: 0,
    });

  test('text with its counts', async () => {
    fake().script({ kind: 'text', text: 'It is 42.', usage: { input: 90, cached: 40, output: 12 } });
    const answer = await open().invoke([new SystemMessage('Be brief.'), new HumanMessage('What is it?')]);
    expect(answer.text).toBe('It is 42.');
    expect(answer.response_metadata).toMatchObject({ finish_reason: 'stop' });
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 90, output_tokens: 12 });
    expect(viewOf(backend, fake().requests[0], 'system')).toContain('Be brief.');
  });

  test('a stream, whose counts come once', async () => {
    const words = 'one two three four five six seven eight nine ten';
    fake().script({ kind: 'text', text: words, usage: { input: 90, output: 12 } });
    let text = '';
    let input = 0;
    for await (const chunk of await open().stream('Count.')) {
      text += chunk.text;
      input += chunk.usage_metadata?.input_tokens ?? 0;
    }
    expect([text, input]).toEqual([words, 90]);
  });

  test.each([{ stream: false }, { stream: true }])(
    'a tool loop goes on without its state, stream: $stream',
    async (way) => {
      fake().script([
        { kind: 'reasoning+calls', reasoning: 'First, both files.', calls: [file('a.ts'), file('b.ts')] },
        { kind: 'text', text: 'All read.' },
      ]);
      const model = open().bindTools([read]);
      const history: BaseMessageLike[] = [new HumanMessage('Read them all.')];
      const say = way.stream ? async () => gather(await model.stream(history)) : () => model.invoke(history);
      const asked = await say();
      expect(asked.tool_calls?.map(({ name, args }) => [name, args])).toEqual([
        ['read_file', { path: 'a.ts' }],
        ['read_file', { path: 'b.ts' }],
      ]);
      history.push(asked);
      for (const call of asked.tool_calls ?? []) history.push((await read.invoke(call)) as ToolMessage);
      expect((await say()).text).toBe('All read.');
      const results = viewOf(backend, fake().requests[1], 'results').map(({ text }) => text);
      expect(results).toEqual(['text of a.ts', 'text of b.ts']);
      // The client gives back neither reasoning nor what it does not know of a call [H §8.2].
      expect(viewOf(backend, fake().requests[1], 'states')).toEqual([]);
    },
  );

  test('a picture', async () => {
    const content = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
      { type: 'text', text: 'What is this?' },
    ];
    await open().invoke([new HumanMessage({ content })]);
    expect(viewOf(backend, fake().requests[0], 'images')).toEqual([`image/png ${PIXEL}`]);
  });

  test('an object with a schema', async () => {
    fake().script({ kind: 'json', value: BERN });
    const schema = z.object({ name: z.string(), people: z.number() });
    const model = open().withStructuredOutput(schema, { method: 'jsonSchema', name: 'city', strict: true });
    expect(await model.invoke('Which city?')).toEqual(BERN);
  });

  test('an error with its status', async () => {
    fake().script({ kind: 'error', status: 400, message: 'Too many bananas in this request.' });
    const error: unknown = await open()
      .invoke('Hi')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 400 });
    expect(String(error)).toContain('Too many bananas in this request.');
  });
});

/** The pieces of a stream as the one message that a user of the library appends. */
async function gather(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole = new AIMessageChunk('');
  for await (const piece of stream) whole = whole.concat(piece);
  return whole;
}
