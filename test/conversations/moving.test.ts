import { describe, expect, jest, test } from '@jest/globals';
import { createGateway } from '../../src/index.js';
import { connectResponses } from '../support/clients.js';
import { clientOf, KINDS, useStage } from './stage.js';
import { answerAt, START, storeOf, takeTurn } from './turns.js';

const stage = useStage();

const ORDERS = [
  ['messages', 'responses', 'generateContent', 'stateless', 'messages'],
  ['responses', 'messages', 'responses', 'responses', 'generateContent'],
  ['generateContent', 'stateless', 'generateContent', 'responses', 'messages'],
  ['stateless', 'responses', 'stateless', 'messages', 'generateContent'],
] as const;

describe.each(ORDERS.map((order) => [order.join(' > '), order] as const))('%s', (_name, order) => {
  test.each([false, true])('the conversation goes on at every backend, streamed: %s', async (streamed) => {
    let point = START;
    for (const model of order) {
      point = await takeTurn(stage.client, stage.backends[model], model, point, streamed);
      const kept = await stage.client.responses.retrieve(point.previous ?? '');
      expect(kept.output_text).toBe(answerAt(point.turn - 1));
    }
  });
});

test('an answer that its backend keeps and the gateway could not copy is refused elsewhere, with the reason', async () => {
  const queued = { id: 'resp_queued0', object: 'response', status: 'queued', background: true, output: [] };
  const headers = { 'content-type': 'application/json' };
  stage.backends.responses.script({ kind: 'raw', headers, chunks: [JSON.stringify(queued)] });
  const own = await stage.client.responses.create({ model: 'responses', input: 'q', background: true });
  expect(own.status).toBe('queued');
  const refused = stage.client.responses.create({ model: 'messages', input: 'go on', previous_response_id: own.id });
  await expect(refused).rejects.toMatchObject({
    status: 400,
    code: 'previous_response_not_found',
    message: expect.stringContaining('the backend responses keeps it'),
  });
});

describe('without keys', () => {
  test("a backend's own ids are passed to it as they are", async () => {
    const backend = stage.backends.responses;
    const gateway = createGateway({
      backends: { own: { dialect: 'responses', state: 'own', baseUrl: backend.url } },
      log: { level: 'silent' },
    });
    const { url } = await gateway.listen({ port: 0 });
    const direct = connectResponses(backend.url);
    const through = connectResponses(url);
    const { id } = await direct.responses.create({ model: 'gpt-5', input: 'older than the gateway' });
    const next = await through.responses.create({ model: 'gpt-5', input: 'go on', previous_response_id: id });
    expect(next.previous_response_id).toBe(id);
    expect((await through.responses.retrieve(id)).id).toBe(id);
    await gateway.close();
  });
});

describe('a store that is off', () => {
  test.each(KINDS)('%s: nothing is kept, and that is said', async (model) => {
    const { url, close } = await stage.gateway({ type: 'off' });
    const off = clientOf(url);
    const answer = await off.responses.create({ model, input: 'q' });
    expect(storeOf(answer)).toBe(false);
    const refused = off.responses.create({ model, input: 'q', previous_response_id: answer.id });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
    await expect(off.responses.retrieve(answer.id)).rejects.toMatchObject({ status: 404 });
    if (model !== 'responses') {
      const background = off.responses.create({ model, input: 'q', background: true });
      await expect(background).rejects.toMatchObject({ status: 400, param: 'background' });
    }
    await close();
  });
});

describe('an answer that is too large to be kept', () => {
  test.each(['messages', 'stateless'] as const)('%s: is delivered and echoes that it is not stored', async (model) => {
    const { url, close } = await stage.gateway({ type: 'memory', entryMb: 0.001 });
    const small = clientOf(url);
    stage.backends[model].script({ kind: 'text', text: 'x'.repeat(5000) });
    const plain = await small.responses.create({ model, input: 'q' });
    expect([storeOf(plain), plain.output_text.length]).toEqual([false, 5000]);
    const streamed = await small.responses.stream({ model, input: 'q' }).finalResponse();
    expect([storeOf(streamed), streamed.output_text.length]).toEqual([false, 5000]);
    const refused = small.responses.create({ model, input: 'q', previous_response_id: plain.id });
    await expect(refused).rejects.toMatchObject({ code: 'previous_response_not_found' });
    await close();
  });
});

test('what has expired is as unknown as what never was', async () => {
  const { url, close } = await stage.gateway({ type: 'memory', ttlDays: 1 });
  const brief = clientOf(url);
  const answer = await brief.responses.create({ model: 'messages', input: 'q' });
  expect((await brief.responses.retrieve(answer.id)).id).toBe(answer.id);
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 86_400_000);
  try {
    await expect(brief.responses.retrieve(answer.id)).rejects.toMatchObject({ status: 404 });
    const refused = brief.responses.create({ model: 'messages', input: 'q', previous_response_id: answer.id });
    await expect(refused).rejects.toMatchObject({ code: 'previous_response_not_found' });
  } finally {
    clock.mockRestore();
  }
  await close();
});

test('a parent that is still being made is a conflict', async () => {
  stage.backends.messages.script({ kind: 'text', text: 'slow', delayMs: 3000 });
  const queued = await stage.client.responses.create({ model: 'messages', input: 'q', background: true });
  const early = stage.client.responses.create({ model: 'messages', input: 'and?', previous_response_id: queued.id });
  await expect(early).rejects.toMatchObject({ status: 409 });
  await stage.client.responses.cancel(queued.id);
});

test('a store that cannot be reached refuses what needs it, and delivers what does not', async () => {
  const { url, close } = await stage.gateway({ type: 'redis', url: 'redis://127.0.0.1:1' });
  const lone = clientOf(url);
  const answer = await lone.responses.create({ model: 'messages', input: 'q' });
  expect([storeOf(answer), answer.status]).toEqual([false, 'completed']);
  const streamed = await lone.responses.stream({ model: 'messages', input: 'q' }).finalResponse();
  expect(storeOf(streamed)).toBe(false);
  const refused = lone.responses.create({ model: 'messages', input: 'q', previous_response_id: answer.id });
  await expect(refused).rejects.toMatchObject({ status: 503 });
  await expect(lone.responses.retrieve(answer.id)).rejects.toMatchObject({ status: 503 });
  await close();
});
