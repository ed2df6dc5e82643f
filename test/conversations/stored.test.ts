import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { useStage } from './stage.js';
import { storeOf, TOOLS } from './turns.js';

const stage = useStage();

async function statusOf(work: Promise<unknown>): Promise<number | undefined> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof OpenAI.APIError ? error.status : undefined;
}

/** Foreign backends and one of the client's own dialect that keeps nothing: the gateway keeps their answers. */
const KEPT_HERE = ['messages', 'generateContent', 'stateless'] as const;

describe.each(KEPT_HERE)('answers of a %s backend', (model) => {
  test('can be retrieved, listed and deleted', async () => {
    const first = await stage.client.responses.create({ model, input: 'one' });
    const second = await stage.client.responses.create({
      model,
      input: [{ role: 'user', content: 'two' }],
      previous_response_id: first.id,
    });
    const { _request_id: _, ...retrieved } = await stage.client.responses.retrieve(second.id);
    expect(retrieved).toEqual({ ...second, _request_id: undefined });
    const items = await stage.client.responses.inputItems.list(second.id, { order: 'asc' });
    expect(items.data.map((item) => ('role' in item ? item.role : item.type))).toEqual(['user', 'assistant', 'user']);
    expect(items.data.every((item) => typeof item.id === 'string')).toBe(true);
    const newest = await stage.client.responses.inputItems.list(second.id, { limit: 1 });
    expect(newest.data.map(({ id }) => id)).toEqual([items.data[2]?.id]);
    expect(newest.has_more).toBe(true);
    const collected: unknown[] = [];
    for await (const item of stage.client.responses.inputItems.list(second.id, { limit: 1 })) collected.push(item.id);
    expect(collected).toEqual(items.data.map(({ id }) => id).reverse());
    await stage.client.responses.delete(second.id);
    expect(await statusOf(stage.client.responses.retrieve(second.id))).toBe(404);
    expect(await statusOf(stage.client.responses.delete(second.id))).toBe(404);
    expect(await statusOf(stage.client.responses.create({ model, input: 'x', previous_response_id: second.id }))).toBe(
      400,
    );
  });

  test('can be continued in two ways, also after the answer before was deleted', async () => {
    const backend = stage.backends[model];
    const first = await stage.client.responses.create({ model, input: 'the first question' });
    const left = await stage.client.responses.create({ model, input: 'left', previous_response_id: first.id });
    const right = await stage.client.responses.create({ model, input: 'right', previous_response_id: first.id });
    await stage.client.responses.delete(first.id);
    for (const [id, word, other] of [
      [left.id, 'left', 'right'],
      [right.id, 'right', 'left'],
    ] as const) {
      await stage.client.responses.create({ model, input: 'on', previous_response_id: id });
      const sent = JSON.stringify(backend.requests.at(-1)?.body);
      expect(sent).toContain('the first question');
      expect(sent).toContain(word);
      expect(sent).not.toContain(`"${other}"`);
    }
  });

  test('instructions are not carried over', async () => {
    const first = await stage.client.responses.create({ model, input: 'q', instructions: 'SECRET RULE' });
    await stage.client.responses.create({ model, input: 'q2', previous_response_id: first.id });
    expect(JSON.stringify(stage.backends[model].requests.at(-1)?.body)).not.toContain('SECRET RULE');
  });

  test('an item reference stands for the item, its reasoning state included', async () => {
    const backend = stage.backends[model];
    backend.script({ kind: 'reasoning+calls', reasoning: 'hm', calls: [{ name: 'add', arguments: { a: 1 } }] });
    const reasoning = { effort: 'medium' } as const;
    const first = await stage.client.responses.create({ model, input: 'q', tools: TOOLS, reasoning });
    const call = first.output.find((item) => item.type === 'function_call');
    const references = first.output.map(({ id }) => ({ type: 'item_reference' as const, id: id ?? '' }));
    backend.script({ kind: 'text', text: 'done' });
    const second = await stage.client.responses.create({
      model,
      tools: TOOLS,
      reasoning,
      input: [
        { role: 'user', content: 'q' },
        ...references,
        { type: 'function_call_output', call_id: call?.call_id ?? '', output: '2' },
      ],
    });
    expect(second.output_text).toBe('done');
  });

  test('what was not stored is not known', async () => {
    const answer = await stage.client.responses.create({ model, input: 'q', store: false });
    expect(storeOf(answer)).toBe(false);
    expect(await statusOf(stage.client.responses.retrieve(answer.id))).toBe(404);
    const refused = stage.client.responses.create({ model, input: 'q', previous_response_id: answer.id });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
  });

  test('a stored stream is replayed from any event', async () => {
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await stage.client.responses.create({ model, input: 'q', stream: true }))
      events.push(event);
    const last = events.at(-1);
    const id = last?.type === 'response.completed' ? last.response.id : '';
    const again: unknown[] = [];
    for await (const event of await stage.client.responses.retrieve(id, { stream: true })) again.push(event);
    expect(again).toEqual(events);
    const rest: unknown[] = [];
    for await (const event of await stage.client.responses.retrieve(id, { stream: true, starting_after: 3 }))
      rest.push(event);
    expect(rest).toEqual(events.slice(4));
    const { _request_id: _, ...retrieved } = await stage.client.responses.retrieve(id);
    expect(retrieved).toMatchObject(last?.type === 'response.completed' ? last.response : {});
  });

  test('runs in the background, streamed and polled', async () => {
    const backend = stage.backends[model];
    backend.script({ kind: 'text', text: 'slow words that take a while to say', delayMs: 50, paceMs: 5 });
    const queued = await stage.client.responses.create({ model, input: 'q', background: true });
    expect(queued).toMatchObject({ status: 'queued', output: [], background: true });
    let polled = queued;
    while (polled.status === 'queued' || polled.status === 'in_progress') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      polled = await stage.client.responses.retrieve(queued.id);
    }
    expect(polled).toMatchObject({ id: queued.id, status: 'completed', background: true });
    expect(polled.output_text).toBe('slow words that take a while to say');
    const next = await stage.client.responses.create({ model, input: 'more', previous_response_id: queued.id });
    expect(next.status).toBe('completed');

    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    const stream = await stage.client.responses.create({ model, input: 'q', background: true, stream: true });
    for await (const event of stream) events.push(event);
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
      'response.created',
      'response.queued',
      'response.in_progress',
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    const last = events.at(-1);
    const id = last?.type === 'response.completed' ? last.response.id : '';
    const again: unknown[] = [];
    for await (const event of await stage.client.responses.retrieve(id, { stream: true, starting_after: 2 }))
      again.push(event);
    expect(again).toEqual(events.slice(3));
  });

  test('a background answer can be cancelled', async () => {
    const backend = stage.backends[model];
    backend.script({ kind: 'text', text: 'never said', delayMs: 5000 });
    const queued = await stage.client.responses.create({ model, input: 'q', background: true });
    const cancelled = await stage.client.responses.cancel(queued.id);
    expect(cancelled.status).toBe('cancelled');
    expect((await stage.client.responses.retrieve(queued.id)).status).toBe('cancelled');
    expect((await stage.client.responses.cancel(queued.id)).status).toBe('cancelled');
    while (backend.aborted === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    stage.backends.stateless.reset();
    const plain = await stage.client.responses.create({ model: 'stateless', input: 'q' });
    expect(await statusOf(stage.client.responses.cancel(plain.id))).toBe(400);
  });
});

test('conversation objects are refused', async () => {
  const refused = stage.client.responses.create({ model: 'messages', input: 'q', conversation: 'conv_1' });
  await expect(refused).rejects.toMatchObject({ status: 400, param: 'conversation' });
});
