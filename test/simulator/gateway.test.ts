import { setTimeout as sleep } from 'node:timers/promises';
import type Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectGenerateContent, connectMessages, connectResponses } from '../support/clients.js';
import { send, startGateway, type TestGateway } from '../support/gateway/harness.js';

const DIALECTS = ['messages', 'responses', 'generateContent'] as const;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    backends: {
      ...Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, simulator: true }])),
      predict: { dialect: 'generateContent', simulator: true, images: 'predict' },
      tool: { dialect: 'responses', simulator: true, images: 'responses' },
    },
    models: Object.fromEntries([...DIALECTS, 'predict', 'tool'].map((name) => [name, { backend: name }])),
    store: { type: 'memory' },
  });
});
afterAll(() => gateway.close());

describe.each(DIALECTS)('a %s simulator behind the gateway', (model) => {
  const tools = [
    {
      name: 'look',
      input_schema: { type: 'object' as const, properties: { at: { type: 'string' } }, required: ['at'] },
    },
  ];

  test.each([false, true])('reasoning and its state go on with the conversation (streamed: %s)', async (streamed) => {
    const { messages } = connectMessages(gateway.url);
    const send = (turns: Anthropic.MessageParam[]): Promise<Anthropic.Message> => {
      const thinking = { type: 'enabled' as const, budget_tokens: 1024 };
      const request = { model, max_tokens: 4000, messages: turns, tools, thinking };
      return streamed ? messages.stream(request).finalMessage() : messages.create(request);
    };
    const ask: Anthropic.MessageParam = { role: 'user', content: 'Please look at "Oslo".' };
    const first = await send([ask]);
    const [thought] = first.content;
    expect(thought).toMatchObject({ type: 'thinking', signature: expect.stringMatching(/^.{40}/) });
    const call = first.content.find((block) => block.type === 'tool_use');
    expect(call?.input).toEqual({ at: 'hello' });
    const result = { type: 'tool_result' as const, tool_use_id: call?.id ?? '', content: 'rain' };
    const second = await send([
      ask,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [result] },
    ]);
    expect(JSON.stringify(second.content)).toContain('look returned: rain');
  });

  test('a client that asks for one token, as buttons that verify a key do, is answered', async () => {
    const { messages } = connectMessages(gateway.url);
    const request = { model, max_tokens: 1, messages: [{ role: 'user' as const, content: 'Hello' }] };
    const { data, response } = await messages.create(request).withResponse();
    expect(data.content).toHaveLength(1);
    const told = response.headers.get('x-interlingua-loss') ?? '';
    expect(told.includes('maxOutput;kind=approximated;path="/max_tokens"')).toBe(model === 'responses');
  });

  test('the gateway keeps its answers, and makes them in the background', async () => {
    const { responses } = connectResponses(gateway.url);
    const first = await responses.create({ model, input: 'Remember "Oslo".' });
    const next = await responses.create({ model, previous_response_id: first.id, input: 'And now?' });
    expect(next.output_text).toContain('And now?');
    expect(next.usage?.input_tokens).toBeGreaterThan(2 + (first.usage?.output_tokens ?? 0));
    expect((await responses.retrieve(first.id)).output_text).toBe(first.output_text);
    const queued = await responses.create({ model, input: 'Take your time.', background: true });
    expect(queued.status).toBe('queued');
    let { status } = queued;
    while (status === 'queued' || status === 'in_progress') {
      await sleep(20);
      ({ status } = await responses.retrieve(queued.id));
    }
    expect(status).toBe('completed');
  });
});

test('an open schema is closed for sim-messages as it would be for the service', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const { responses } = connectResponses(gateway.url);
  for (const model of DIALECTS) {
    const format = { type: 'json_schema', name: 'J', schema } as const;
    const { output_text: text } = await responses.create({ model, input: 'x', text: { format } });
    expect([model, JSON.parse(text)]).toEqual([model, { a: 'hello' }]);
  }
});

test('base URLs with the version that a client appends itself', async () => {
  const prompt = 'Say hello';
  const versioned = (version: string): string => `${gateway.url}${version}`;
  const message = await connectMessages(versioned('/v1')).messages.create({
    model: 'messages',
    max_tokens: 100,
    messages: [{ role: 'user', content: prompt }],
  });
  expect(JSON.stringify(message.content)).toContain(prompt);
  const response = await connectResponses(versioned('/v1')).responses.create({ model: 'responses', input: prompt });
  expect(response.output_text).toContain(prompt);
  for (const version of ['/v1beta', '/v1']) {
    const { models } = connectGenerateContent(versioned(version));
    const { text } = await models.generateContent({ model: 'generateContent', contents: prompt });
    expect(text).toContain(prompt);
  }
});

test('the native stream of a simulator speaks of no losses', async () => {
  for (const [path, body] of [
    ['/v1/messages', { model: 'messages', max_tokens: 9, messages: [{ role: 'user', content: 'simulate cut' }] }],
    ['/v1/responses', { model: 'responses', input: 'simulate refusal' }],
  ] as const) {
    const { text } = await send(gateway.url, path, { body: { ...body, stream: true }, mayBreak: true });
    expect(text).not.toMatch(/^:/m);
  }
});

describe('media', () => {
  test.each(['responses', 'generateContent', 'predict', 'tool'])('%s makes pictures', async (model) => {
    const { images } = connectResponses(gateway.url);
    const { data } = await images.generate({ model, prompt: 'A red cat', n: 1, response_format: 'b64_json' });
    expect(Buffer.from(data?.[0]?.b64_json ?? '', 'base64').toString('latin1', 1, 4)).toBe('PNG');
  });

  test('a stream of pictures has its partial ones first', async () => {
    const { images } = connectResponses(gateway.url);
    const types: string[] = [];
    const stream = await images.generate({ model: 'responses', prompt: 'A cat', stream: true, partial_images: 2 });
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
  });

  test('a refused prompt is told as the image routes tell it', async () => {
    const { images } = connectResponses(gateway.url);
    await expect(images.generate({ model: 'responses', prompt: 'simulate refusal' })).rejects.toMatchObject({
      status: 400,
      code: 'content_policy_violation',
    });
    await expect(images.generate({ model: 'responses', prompt: 'simulate error 429' })).rejects.toMatchObject({
      status: 429,
    });
  });

  test.each(['responses', 'generateContent'])(
    '%s makes videos',
    async (model) => {
      const { videos } = connectResponses(gateway.url);
      const [made, failing] = await Promise.all(
        ['A red cat', 'simulate refusal'].map((prompt) => videos.create({ model, prompt })),
      );
      expect(made?.status).toBe('queued');
      const end = async (id = ''): Promise<string> => {
        for (;;) {
          const { status } = await videos.retrieve(id);
          if (status === 'completed' || status === 'failed') return status;
          await sleep(300);
        }
      };
      expect(await Promise.all([end(made?.id), end(failing?.id)])).toEqual(['completed', 'failed']);
      const file = await videos.downloadContent(made?.id ?? '');
      const bytes = Buffer.from(await file.arrayBuffer());
      expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
      expect(bytes.toString()).toContain('simulated video: A red cat');
    },
    120_000,
  );
});
