import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createThoughtFilter } from '../../translators/adapt/index.js';
import { type CanonicalRequest, createLosses, dialects, type ModelTarget } from '../../translators/index.js';
import { connectMessages, connectResponses } from '../support/clients.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { ENDPOINTS, type HostsStage, keyOf, modelAt, startHosts } from './stage.js';

// Ollama thinks although it is asked not to, but for chat completions: what it thinks does not reach a client that wants none.

const FACED = ENDPOINTS.filter(({ name, dialect }) => name === 'ollama' && dialect !== 'chatCompletions');

let stage: HostsStage;
beforeAll(async () => {
  stage = await startHosts(FACED);
});
afterAll(() => stage.close());
beforeEach(() => {
  for (const endpoint of FACED) {
    stage.hostOf(endpoint).reset();
    stage.hostOf(endpoint).backend.script({
      kind: 'reasoning+calls',
      reasoning: 'Where is it?',
      text: 'I look.',
      calls: [{ name: 'look', arguments: { at: 'the garden' } }],
    });
  }
});

const SCHEMA = { type: 'object', properties: { at: { type: 'string' } } };

/** A request of each dialect that wants no thinking. */
const ASKS: Readonly<
  Record<FakeDialectName, (model: string, stream: boolean) => readonly [path: string, body: object]>
> = {
  messages: (model, stream) => [
    '/v1/messages',
    {
      model,
      stream,
      max_tokens: 2000,
      thinking: { type: 'disabled' },
      messages: [{ role: 'user', content: 'Look' }],
      tools: [{ name: 'look', input_schema: SCHEMA }],
    },
  ],
  responses: (model, stream) => [
    '/v1/responses',
    {
      model,
      stream,
      reasoning: { effort: 'none' },
      input: 'Look',
      store: false,
      tools: [{ type: 'function', name: 'look', strict: false, parameters: SCHEMA }],
    },
  ],
  generateContent: (model, stream) => [
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    {
      contents: [{ role: 'user', parts: [{ text: 'Look' }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
      tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: SCHEMA }] }],
    },
  ],
  chatCompletions: (model, stream) => [
    '/v1/chat/completions',
    {
      model,
      stream,
      reasoning_effort: 'none',
      messages: [{ role: 'user', content: 'Look' }],
      tools: [{ type: 'function', function: { name: 'look', parameters: SCHEMA } }],
    },
  ],
};

describe.each(FACED)('$name with $dialect', (endpoint) => {
  test.each(FAKE_DIALECTS.flatMap((client) => [false, true].map((stream) => ({ client, stream }))))(
    'gives no thoughts to a client of $client that wants none, streamed: $stream',
    async ({ client, stream }) => {
      const [path, body] = ASKS[client](modelAt(endpoint), stream);
      const answer = await fetch(`${stage.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keyOf(endpoint)}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      expect([answer.status, answer.headers.get('x-interlingua-loss')]).toEqual([
        200,
        expect.stringMatching(/reasoning\.(?:mode;kind=approximated|effort;kind=dropped)/),
      ]);
      expect(text).toContain('"look"');
      expect(text).not.toMatch(
        /Where|"thinking_delta|"type":"thinking"|reasoning_(?:content|summary|text)|"thought":true|"type":"reasoning"/,
      );
    },
  );
});

test('the rest of a stream has no gaps for the official clients', async () => {
  for (const endpoint of FACED) {
    if (endpoint.dialect === 'messages') {
      const client = connectMessages(stage.url, { apiKey: keyOf(endpoint) });
      const stream = client.messages.stream(ASKS.messages(modelAt(endpoint), false)[1] as never);
      const places: number[] = [];
      for await (const event of stream) if (event.type === 'content_block_start') places.push(event.index);
      expect([places, (await stream.finalMessage()).content.map(({ type }) => type)]).toEqual([
        [0, 1],
        ['text', 'tool_use'],
      ]);
    } else {
      const client = connectResponses(stage.url, { apiKey: keyOf(endpoint) });
      const stream = client.responses.stream(ASKS.responses(modelAt(endpoint), false)[1] as never);
      const numbers: number[] = [];
      for await (const event of stream) numbers.push(event.sequence_number);
      expect(numbers).toEqual(numbers.map((_, index) => index));
      expect((await stream.finalResponse()).output.map(({ type }) => type)).toEqual(['message', 'function_call']);
    }
  }
});

test('none are left out where nothing is known of who answered, or its host can do without', () => {
  const request: CanonicalRequest = {
    source: 'messages',
    model: 'm',
    stream: false,
    instructions: [],
    turns: [],
    tools: [],
    reasoning: { mode: 'off', show: 'default' },
  };
  const filterAt = (target?: ModelTarget) => createThoughtFilter(request, target, createLosses());
  expect(filterAt()).toBeUndefined();
  expect(filterAt(dialects.messages.target('m'))).toBeUndefined();
  expect(filterAt(dialects.messages.target('m', { unsupported: ['thinkingOff'] }))).toBeDefined();
});
