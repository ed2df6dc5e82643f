import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { connectGenerateContent, connectResponses } from '../support/clients.js';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend/index.js';
import { viewOf } from './wire-view.js';

const MODEL = 'claude-sonnet-4';
const CITY = z.object({ name: z.string(), people: z.number() });
const BERN = { name: 'Bern', people: 134_000 };
const FORMAT = zodTextFormat(CITY, 'city');
const CITIES = { type: 'array', items: { type: 'string' } };

let backend: FakeBackend;
let gateway: GatewayServer;
let url: string;
beforeAll(async () => {
  backend = await startFakeBackend('messages', { generation: '4.0' });
  gateway = createGateway({
    backends: { old: { dialect: 'messages', baseUrl: backend.url } },
    models: { [MODEL]: { backend: 'old' } },
    limits: { drainSeconds: 1 },
    log: { level: 'silent' },
  });
  ({ url } = await gateway.listen({ port: 0 }));
});
afterAll(async () => {
  await gateway.close();
  await backend.close();
});
beforeEach(() => backend.reset());

const answersWith = (input: object) =>
  backend.script({ kind: 'calls', calls: [{ name: 'il_final_answer', arguments: { ...input } }] });
const received = () => backend.requests.at(-1);

describe('structured output of a model that has none', () => {
  test('openai responses.parse', async () => {
    answersWith(BERN);
    const client = connectResponses(url);
    const response = await client.responses.parse({ model: MODEL, input: 'Where?', text: { format: FORMAT } });
    expect(response.output_parsed).toEqual(BERN);
    expect(response).toMatchObject({ status: 'completed', tools: [] });
    expect(response.output.map(({ type }) => type)).toEqual(['message']);
    expect(viewOf('messages', received(), 'toolNames')).toEqual(['il_final_answer']);
    expect(viewOf('messages', received(), 'choice')).toMatchObject({ type: 'tool', name: 'il_final_answer' });
  });

  test('openai responses.stream', async () => {
    answersWith(BERN);
    const stream = connectResponses(url).responses.stream({ model: MODEL, input: 'Where?', text: { format: FORMAT } });
    let text = '';
    stream.on('response.output_text.delta', ({ delta }) => {
      text += delta;
    });
    const response = await stream.finalResponse();
    expect(response.output_parsed).toEqual(BERN);
    expect(JSON.parse(text)).toEqual(BERN);
  });

  test.each([{ stream: false }, { stream: true }])(
    '@google/genai responseJsonSchema, a list, stream: $stream',
    async ({ stream }) => {
      answersWith({ value: ['Bern', 'Biel'] });
      const { models } = connectGenerateContent(url);
      const request = {
        model: MODEL,
        contents: 'Which?',
        config: { responseMimeType: 'application/json', responseJsonSchema: CITIES },
      };
      let text = '';
      let finish: unknown;
      const answers = stream ? await models.generateContentStream(request) : [await models.generateContent(request)];
      for await (const answer of answers) {
        text += answer.text ?? '';
        finish = answer.candidates?.[0]?.finishReason ?? finish;
        expect(answer.functionCalls).toBeUndefined();
      }
      expect(JSON.parse(text)).toEqual(['Bern', 'Biel']);
      expect(finish).toBe('STOP');
    },
  );

  test('the next turn shows the answer as text, and asks the same way again', async () => {
    answersWith(BERN);
    const client = connectResponses(url);
    const first = await client.responses.parse({ model: MODEL, input: 'Where?', text: { format: FORMAT } });
    answersWith({ name: 'Biel', people: 55_000 });
    const input = [
      { role: 'user' as const, content: 'Where?' },
      { role: 'assistant' as const, content: first.output_text },
      { role: 'user' as const, content: 'And where else?' },
    ];
    const second = await client.responses.parse({ model: MODEL, input, text: { format: FORMAT } });
    expect(second.output_parsed).toEqual({ name: 'Biel', people: 55_000 });
    const messages = (JSON.parse(received()?.raw ?? '{}') as { messages: unknown }).messages;
    expect(messages).toEqual([
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content: JSON.stringify(BERN) },
      { role: 'user', content: 'And where else?' },
    ]);
  });

  test('words instead of a call reach the client as they are', async () => {
    backend.script({ kind: 'text', text: 'I cannot say.' });
    const response = await connectResponses(url).responses.create({
      model: MODEL,
      input: 'Where?',
      text: { format: { type: 'json_schema', name: 'city', schema: { type: 'object' } } },
    });
    expect(response).toMatchObject({ status: 'completed', output_text: 'I cannot say.' });
  });

  test('a cut call is a cut answer', async () => {
    backend.script({ kind: 'truncated', call: { name: 'il_final_answer', cut: '{"name":"Be' } });
    const stream = await connectResponses(url).responses.create({
      model: MODEL,
      input: 'Where?',
      text: { format: { type: 'json_schema', name: 'city', schema: { type: 'object' } } },
      stream: true,
    });
    let last: unknown;
    let text = '';
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') text += event.delta;
      last = event;
    }
    expect(text).toBe('{"name":"Be');
    expect(last).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' } },
    });
  });
});
