import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { backendsOf, clientOf, KEYS, KINDS, MODELS, openStage, type Stage } from './stage.js';
import { answerAt, START, storeOf, takeTurn } from './turns.js';

let stage: Stage;
let url: string;
let client: OpenAI;

beforeAll(async () => {
  stage = await openStage();
  const { stateless, ...others } = backendsOf(stage) ?? {};
  ({ url } = await stage.gateway(
    { type: 'memory' },
    {
      backends: { ...others, stateless: { ...stateless, dialect: 'responses', stream: 'always' } },
      models: {
        ...Object.fromEntries(KINDS.map((kind) => [kind, { backend: kind, model: MODELS[kind] }])),
        either: [
          { backend: 'responses', model: MODELS.responses },
          { backend: 'messages', model: MODELS.messages },
        ],
      },
    },
  ));
  client = clientOf(url);
});

beforeEach(() => {
  for (const backend of Object.values(stage.backends)) backend.reset();
});

afterAll(() => stage.close());

describe('a backend that keeps nothing and always streams', () => {
  test.each([false, true])('holds a conversation, streamed: %s', async (streamed) => {
    let point = START;
    while (point.turn < 4) point = await takeTurn(client, stage.backends.stateless, 'stateless', point, streamed);
    const kept = await client.responses.retrieve(point.previous ?? '');
    expect([kept.output_text, storeOf(kept)]).toEqual([answerAt(3), true]);
  });
});

describe('a model that one backend serves and, when it cannot, another', () => {
  test('goes on by the copy when the one that keeps the answer fails', async () => {
    const first = await client.responses.create({ model: 'either', input: 'the question' });
    stage.backends.responses.script({ kind: 'error', status: 503 });
    const second = await client.responses.create({ model: 'either', input: 'on', previous_response_id: first.id });
    expect(second.id).toMatch(/^resp_il/);
    expect(stage.backends.messages.requests.at(-1)?.raw).toContain('the question');
    stage.backends.responses.script({ kind: 'text', text: 'back' });
    const third = await client.responses.create({ model: 'either', input: 'on', previous_response_id: second.id });
    expect([third.output_text, third.previous_response_id]).toEqual(['back', second.id]);
    expect(stage.backends.responses.requests.at(-1)?.raw).toContain('the question');
    expect((await client.responses.retrieve(third.id)).id).toBe(third.id);
  });
});

test.each([false, true])('a backend that lost what it kept is told it again, streamed: %s', async (streamed) => {
  const backend = stage.backends.responses;
  const first = await client.responses.create({ model: 'responses', input: 'the question' });
  const lost = { kind: 'error', status: 400, code: 'previous_response_not_found', message: 'lost' } as const;
  const asked = { model: 'responses', input: 'on', previous_response_id: first.id };
  const ask = () => (streamed ? client.responses.stream(asked).finalResponse() : client.responses.create(asked));
  backend.script([lost, { kind: 'text', text: 'found again' }]);
  const second = await ask();
  expect([second.output_text, second.previous_response_id]).toEqual(['found again', first.id]);
  expect(backend.requests.at(-1)?.raw).toContain('the question');
  expect((await client.responses.retrieve(second.id)).id).toBe(second.id);
  backend.script([lost, lost]);
  await expect(ask()).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
});

describe.each(KINDS)('a %s backend', (model) => {
  test('counts the whole conversation', async () => {
    const first = await client.responses.create({ model, input: 'the question' });
    const { input_tokens: tokens } = await client.responses.inputTokens.count({
      model,
      input: 'on',
      previous_response_id: first.id,
    });
    expect(tokens).toBeGreaterThan(0);
    const { raw } = stage.backends[model].requests.at(-1) ?? {};
    expect(raw).toContain(model === 'responses' ? first.id : 'the question');
  });

  test('is asked about images and files that were sent before', async () => {
    const image = 'data:image/png;base64,iVBORw0KGgo=';
    const first = await client.responses.create({
      model,
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: image, detail: 'auto' }] }],
    });
    await client.responses.create({ model, input: 'what is it?', previous_response_id: first.id });
    const { raw } = stage.backends[model].requests.at(-1) ?? {};
    expect(raw).toContain(model === 'responses' ? first.id : 'iVBORw0KGgo=');
  });
});

test('a strict request is told at which name the conversation before would lose something', async () => {
  const first = await client.responses.create({
    model: 'responses',
    input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }],
  });
  const answer = await fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEYS.a}`,
      'content-type': 'application/json',
      'x-interlingua-losses': 'strict',
    },
    body: JSON.stringify({ model: 'generateContent', input: 'on', previous_response_id: first.id }),
  });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('previous_response_id');
});
