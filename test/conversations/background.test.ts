import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { createGateway } from '../../src/index.js';
import { connectResponses } from '../support/clients.js';
import { backendsOf, clientOf, holdAnswer, KEYS, MODELS, useStage } from './stage.js';

type Status = OpenAI.Responses.Response['status'];

const stage = useStage();

async function settled(from: OpenAI, id: string): Promise<OpenAI.Responses.Response> {
  const going: readonly Status[] = ['queued', 'in_progress'];
  for (;;) {
    const answer = await from.responses.retrieve(id);
    if (!going.includes(answer.status)) return answer;
    await delay(10);
  }
}

test('the state of what a later endpoint of a backend answered in the background goes to nobody else', async () => {
  const many = { preset: 'vllm', baseUrl: stage.backends.responses.url } as const;
  const gateway = await stage.gateway(
    { type: 'memory' },
    {
      backends: { ...backendsOf(stage), many },
      models: {
        many: { backend: 'many', model: MODELS.responses },
        other: { backend: 'stateless', model: MODELS.stateless },
      },
    },
  );
  const client = clientOf(gateway.url);
  const reasoning = { effort: 'medium' } as const;
  stage.backends.responses.script({ kind: 'text', text: 'thought', reasoning: 'hm' });
  const { id } = await client.responses.create({
    model: 'many',
    input: 'q',
    reasoning,
    include: ['reasoning.encrypted_content'],
    background: true,
  });
  const first = await settled(client, id);
  expect(JSON.stringify(first.output)).toContain('"encrypted_content"');
  const next = { model: 'other', input: 'go on', reasoning, previous_response_id: id };
  expect((await client.responses.create(next)).status).toBe('completed');
  const { raw } = stage.backends.stateless.requests.at(-1) ?? {};
  expect(raw).toContain('thought');
  expect(raw).not.toContain('"encrypted_content"');
  await gateway.close();
});

describe.each(['messages', 'stateless'] as const)('in the background, by a %s backend', (model) => {
  test('what cannot be served is refused at once, and nothing is promised', async () => {
    const wrong = stage.client.responses.create({ model, background: true, input: [{ role: 'user' }] as never });
    await expect(wrong).rejects.toMatchObject({ status: 400 });
    const gateway = await stage.gateway({ type: 'memory' }, { keys: [{ name: 'a', key: KEYS.a, models: ['other'] }] });
    const refused = clientOf(gateway.url).responses.create({ model, input: 'q', background: true });
    await expect(refused).rejects.toMatchObject({ status: 403 });
    await gateway.close();
  });

  test('a refusal of the backend is told with its code', async () => {
    stage.backends[model].script({ kind: 'error', status: 429, message: 'slow down' });
    const { id } = await stage.client.responses.create({ model, input: 'q', background: true });
    expect(await settled(stage.client, id)).toMatchObject({ status: 'failed', error: { code: 'rate_limit_exceeded' } });
    stage.backends[model].script({ kind: 'error', status: 429, message: 'slow down' });
    const types: string[] = [];
    for await (const { type } of await stage.client.responses.create({
      model,
      input: 'q',
      background: true,
      stream: true,
    }))
      types.push(type);
    expect(types).toEqual(['response.created', 'response.queued', 'response.failed']);
  });

  test.each([
    { kind: 'midstreamError', text: 'one two three four five six seven', after: 2 },
    { kind: 'cut', text: 'one two three four five six seven', after: 2 },
    { kind: 'cut', text: 'one two three four five six seven', after: 2, reset: true },
  ] as const)('an answer that fails half way has failed, in its stream and after: %j', async (script) => {
    stage.backends[model].script(script);
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    const stream = await stage.client.responses.create({ model, input: 'q', background: true, stream: true });
    try {
      for await (const event of stream) events.push(event);
    } catch {
      // The client throws at the event that tells an error.
    }
    const { id } = events[0]?.type === 'response.created' ? events[0].response : { id: '' };
    const answer = await settled(stage.client, id);
    expect(answer).toMatchObject({ id, status: 'failed', error: { code: expect.stringMatching(/^\w+$/) } });
    const headers = { authorization: `Bearer ${KEYS.a}` };
    const replayed = await (await fetch(`${stage.url}/v1/responses/${id}?stream=true`, { headers })).text();
    const frames = [...replayed.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
    expect(frames.map(({ sequence_number }) => sequence_number)).toEqual(frames.map((_, index) => index));
    expect(frames.at(-1)).toMatchObject({ type: 'response.failed', response: { id, status: 'failed' } });
  });

  test('its input can be listed while it is made, and when it failed', async () => {
    const fail = holdAnswer(stage.backends[model], { kind: 'error', status: 500 });
    const { id } = await stage.client.responses.create({ model, input: 'listed', background: true });
    const whole = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'listed' }] }];
    expect((await stage.client.responses.inputItems.list(id)).data).toMatchObject(whole);
    fail();
    expect((await settled(stage.client, id)).status).toBe('failed');
    expect((await stage.client.responses.inputItems.list(id)).data).toMatchObject(whole);
    const refused = stage.client.responses.create({ model, input: 'on', previous_response_id: id });
    await expect(refused).rejects.toMatchObject({ code: 'previous_response_not_found' });
  });

  test('a streaming client has the id before the backend says a word, and may leave', async () => {
    const say = holdAnswer(stage.backends[model], { kind: 'text', text: 'made all the same' });
    const stream = await stage.client.responses.create({ model, input: 'q', background: true, stream: true });
    let id = '';
    for await (const event of stream) {
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.queued') break;
    }
    expect((await stage.client.responses.retrieve(id)).status).toBe('queued');
    say();
    expect((await settled(stage.client, id)).output_text).toBe('made all the same');
    const numbers: number[] = [];
    for await (const event of await stage.client.responses.retrieve(id, { stream: true }))
      numbers.push(event.sequence_number);
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });

  test('the answer can be built upon as soon as the stream has said that it is complete', async () => {
    const stream = await stage.client.responses.create({ model, input: 'one', background: true, stream: true });
    for await (const event of stream) {
      if (event.type !== 'response.completed') continue;
      const { id } = event.response;
      const [next, again] = await Promise.all([
        stage.client.responses.create({ model, input: 'two', previous_response_id: id }),
        stage.client.responses.retrieve(id),
      ]);
      expect([next.status, again.status]).toEqual(['completed', 'completed']);
    }
  });

  test('continues an answer, and is continued', async () => {
    const first = await stage.client.responses.create({ model, input: 'the first question' });
    const made = { model, input: 'two', background: true, previous_response_id: first.id };
    const second = await stage.client.responses.create(made);
    expect(second.previous_response_id).toBe(first.id);
    const done = await settled(stage.client, second.id);
    expect([done.status, done.previous_response_id]).toEqual(['completed', first.id]);
    await stage.client.responses.create({ model, input: 'three', previous_response_id: second.id });
    const { raw } = stage.backends[model].requests.at(-1) ?? {};
    expect(raw).toContain('the first question');
    expect(raw).toContain('"two"');
  });

  test('what nobody wanted as a stream is none, neither before its end nor after', async () => {
    const say = holdAnswer(stage.backends[model], { kind: 'text', text: 'x' });
    const { id } = await stage.client.responses.create({ model, input: 'q', background: true });
    await expect(stage.client.responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 400 });
    say();
    await settled(stage.client, id);
    await expect(stage.client.responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 400 });
  });

  test('deleted while it is made, it is gone, and its backend is left', async () => {
    stage.backends[model].script({ kind: 'text', text: 'never', delayMs: 5000 });
    const { id } = await stage.client.responses.create({ model, input: 'q', background: true });
    await stage.client.responses.delete(id);
    await expect(stage.client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    while (stage.backends[model].aborted === 0) await delay(5);
    await expect(stage.client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });
});

test('as many answers are made in the background as there may be exchanges, and no more', async () => {
  const limits = { exchanges: 2, drainSeconds: 0.1 };
  const gateway = await stage.gateway({ type: 'memory' }, { limits, keys: [{ name: 'a', key: KEYS.a }] });
  const few = clientOf(gateway.url);
  stage.backends.messages.script({ kind: 'text', text: 'slow', delayMs: 3000 });
  const make = () => few.responses.create({ model: 'messages', input: 'q', background: true });
  const first = await make();
  await make();
  await expect(make()).rejects.toMatchObject({ status: 503 });
  expect((await few.responses.cancel(first.id)).status).toBe('cancelled');
  await make();
  await gateway.close();
});

test('what cannot be kept is refused before it is made, or fails with the reason', async () => {
  const gateway = await stage.gateway({ type: 'memory', entryMb: 0.005 });
  const small = clientOf(gateway.url);
  const large = small.responses.create({ model: 'messages', input: 'x'.repeat(9000), background: true });
  await expect(large).rejects.toMatchObject({ status: 413 });
  stage.backends.messages.script({ kind: 'text', text: 'x'.repeat(9000) });
  const { id } = await small.responses.create({ model: 'messages', input: 'q', background: true });
  const failed = { status: 'failed', error: { message: 'the answer could not be stored' } };
  expect(await settled(small, id)).toMatchObject(failed);
  await gateway.close();
});

test('a stream that says nothing is kept alive', async () => {
  const limits = { heartbeatSeconds: 0.05, drainSeconds: 1 };
  const gateway = await stage.gateway({ type: 'memory' }, { limits });
  const say = holdAnswer(stage.backends.messages, { kind: 'text', text: 'late' });
  const answer = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.a}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'messages', input: 'q', background: true, stream: true }),
  });
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk);
    if ((text.match(/^: waiting$/gm)?.length ?? 0) >= 2) say();
  }
  const [before = '', after] = text.split('event: response.in_progress');
  expect(before.match(/^: waiting$/gm)?.length).toBeGreaterThanOrEqual(2);
  expect(after).toContain('late');
  await gateway.close();
});

test('a gateway that stops leaves no answer that seems to be made', async () => {
  const one = createGateway({
    backends: { sim: { dialect: 'messages', baseUrl: stage.backends.messages.url } },
    models: { m: { backend: 'sim', model: 'claude-sonnet-4-5' } },
    store: { type: 'memory' },
    limits: { drainSeconds: 0.1 },
    log: { level: 'silent' },
  });
  const address = await one.listen({ port: 0 });
  stage.backends.messages.script({ kind: 'text', text: 'slow', delayMs: 60_000 });
  const lone = connectResponses(address.url);
  const stream = await lone.responses.create({ model: 'm', input: 'q', background: true, stream: true });
  const types: string[] = [];
  const reading = (async () => {
    for await (const { type } of stream) types.push(type);
  })().catch(() => {});
  await one.close();
  await one.close();
  await reading;
  expect(types).not.toContain('response.completed');
});
