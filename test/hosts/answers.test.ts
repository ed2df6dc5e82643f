import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectChatCompletions, connectMessages, connectResponses } from '../support/clients.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { createSession } from '../support/sessions/index.js';
import { ENDPOINTS, type Endpoint, type HostsStage, keyOf, modelAt, startHosts } from './stage.js';

/** Answers of servers that leave out what clients of the vendor rely on, to such clients. */

const FACED = ENDPOINTS.filter(({ name }) => name === 'ollama' || name === 'llamacpp');
const of = (dialect: FakeDialectName, name?: string): readonly Endpoint[] =>
  FACED.filter((endpoint) => endpoint.dialect === dialect && (name === undefined || endpoint.name === name));

let stage: HostsStage;
beforeAll(async () => {
  stage = await startHosts(FACED);
});
afterAll(() => stage.close());
beforeEach(() => {
  for (const endpoint of FACED) stage.hostOf(endpoint).reset();
});

const WORDS = 'one two three four five six seven eight nine ten '.repeat(5);
const LOOK = {
  type: 'function',
  name: 'look',
  strict: false,
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
} as const;

describe.each(of('responses'))('streams of $name with responses', (endpoint) => {
  test('are read by the helper of the official client: thoughts, text and a call', async () => {
    stage.hostOf(endpoint).backend.script({
      kind: 'reasoning+calls',
      reasoning: 'Where is it?',
      text: WORDS,
      calls: [{ name: 'look', arguments: { at: 'the garden' } }],
    });
    const client = connectResponses(stage.url, { apiKey: keyOf(endpoint) });
    const stream = client.responses.stream({
      model: modelAt(endpoint),
      input: 'Look',
      tools: [LOOK],
      reasoning: { summary: 'auto' },
    });
    const numbers: number[] = [];
    const ends: string[] = [];
    const said: string[] = [];
    for await (const event of stream) {
      numbers.push(event.sequence_number);
      if (event.type === 'response.function_call_arguments.done') ends.push(event.arguments);
      if (event.type === 'response.output_text.delta') said.push(event.delta);
    }
    const { output, output_text } = await stream.finalResponse();
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(output_text).toBe(WORDS);
    expect(said.join('')).toBe(WORDS);
    expect(JSON.stringify(output[0])).toContain('Where is it?');
    expect(output[2]).toMatchObject({ name: 'look', arguments: '{"at":"the garden"}' });
    expect(ends).toEqual(['{"at":"the garden"}']);
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });

  test.each(FAKE_DIALECTS)('reach a client of %s piece by piece', async (client) => {
    const { backend } = stage.hostOf(endpoint);
    backend.script({ kind: 'text', text: WORDS });
    const session = createSession(client, stage.url, { model: modelAt(endpoint), apiKey: keyOf(endpoint) });
    session.user('Count');
    const { text, pieces } = await session.send({ stream: true });
    expect(text).toBe(WORDS);
    expect(pieces.length).toBeGreaterThan(5);
  });

  test.each(FAKE_DIALECTS.flatMap((client) => [false, true].map((stream) => ({ client, stream }))))(
    'a cut answer is one for a client of $client, streamed: $stream',
    async ({ client, stream }) => {
      const { backend } = stage.hostOf(endpoint);
      backend.script({ kind: 'truncated', text: WORDS, usage: { output: 30 } });
      const session = createSession(client, stage.url, {
        model: modelAt(endpoint),
        apiKey: keyOf(endpoint),
        maxTokens: 30,
      });
      session.user('Count');
      await expect(session.send({ stream })).resolves.toMatchObject({ text: WORDS, finish: 'length' });
      // One that ends by itself is none.
      backend.script({ kind: 'text', text: WORDS, usage: { output: 29 } });
      session.user('Again');
      await expect(session.send({ stream })).resolves.toMatchObject({ finish: 'end' });
    },
  );
});

describe.each(of('messages', 'ollama'))('an answer of $name with messages that holds nothing', (endpoint) => {
  beforeEach(() => stage.hostOf(endpoint).backend.script({ kind: 'text', text: '' }));

  test('is an empty list for the official client of messages', async () => {
    const client = connectMessages(stage.url, { apiKey: keyOf(endpoint) });
    const ask = { model: modelAt(endpoint), max_tokens: 9, messages: [{ role: 'user' as const, content: 'q' }] };
    expect((await client.messages.create(ask)).content).toEqual([]);
  });

  test('is an empty answer for clients of other dialects', async () => {
    const chat = connectChatCompletions(stage.url, { apiKey: keyOf(endpoint) });
    const made = await chat.chat.completions.create({
      model: modelAt(endpoint),
      messages: [{ role: 'user', content: 'q' }],
    });
    expect(made.choices).toMatchObject([{ finish_reason: 'stop', message: { role: 'assistant' } }]);
    const responses = connectResponses(stage.url, { apiKey: keyOf(endpoint) });
    expect((await responses.responses.create({ model: modelAt(endpoint), input: 'q' })).status).toBe('completed');
  });
});
