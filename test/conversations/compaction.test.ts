import { describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { KEYS, useStage } from './stage.js';

const stage = useStage();

test('a client that waits for a summary hears that it is made, and why it was not', async () => {
  const limits = { heartbeatSeconds: 0.05, drainSeconds: 1 };
  const slow = await stage.gateway({ type: 'memory' }, { limits });
  const ask = async () => {
    const input = [{ role: 'user', content: 'q' }, { type: 'compaction_trigger' }];
    const headers = { authorization: `Bearer ${KEYS.a}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'messages', stream: true, input });
    return (await fetch(`${slow.url}/v1/responses`, { method: 'POST', headers, body })).text();
  };
  stage.backends.messages.script({ kind: 'text', text: 'THE SUMMARY', delayMs: 600 });
  expect(await ask()).toMatch(/^(?:: waiting\n\n){2,}event: response\.created\n/);
  stage.backends.messages.script({ kind: 'error', status: 429, delayMs: 600 });
  const told = await ask();
  expect(told).toMatch(/^(?:: waiting\n\n){2,}event: error\n/);
  expect(JSON.parse(told.split('data: ')[1] ?? '')).toMatchObject({ type: 'error', code: 'rate_limit_exceeded' });
  await slow.close();
});

test.each(['stateless', 'responses'] as const)(
  'a %s backend that has no place for it compacts by a summary too',
  async (model) => {
    const first = await stage.client.responses.create({ model, input: 'the very first' });
    stage.backends[model].script({ kind: 'text', text: 'THE SUMMARY' });
    const input = [
      { type: 'item_reference' as const, id: first.output[0]?.id ?? '' },
      { role: 'user' as const, content: 'and then' },
    ];
    const compacted = await stage.client.responses.compact({ model, input, previous_response_id: first.id });
    expect(compacted.output.map(({ type }) => type)).toEqual(['message', 'message', 'compaction']);
    const paths = stage.backends[model].requests.slice(-2).map(({ path }) => path);
    expect(paths).toEqual(['/v1/responses/compact', '/v1/responses']);
    const next = await stage.client.responses.create({
      model: 'messages',
      input: [...compacted.output, { role: 'user', content: 'go on' }] as OpenAI.Responses.ResponseInput,
    });
    expect(next.status).toBe('completed');
    expect(stage.backends.messages.requests.at(-1)?.raw).toContain('THE SUMMARY');
  },
);

const HISTORY: OpenAI.Responses.ResponseInput = [
  { role: 'user', content: 'the first question' },
  { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":"it"}' },
  { type: 'function_call_output', call_id: 'c1', output: 'seen' },
  { role: 'assistant', content: 'an answer' },
  { role: 'user', content: 'the second question' },
];

test('a summary that is longer than a carrier holds is a failure', async () => {
  stage.backends.messages.script({ kind: 'text', text: 'x'.repeat(17 * 1024 * 1024) });
  const asked = stage.client.responses.compact({ model: 'messages', input: HISTORY });
  const error = await asked.then(() => undefined).catch((reason) => reason);
  const why = expect.stringContaining('the model wrote a summary that is too long');
  expect([error?.status, error?.message]).toEqual([502, why]);
});

describe.each(['messages', 'generateContent'] as const)('STA-03 a %s backend', (model) => {
  const last = () => JSON.stringify(stage.backends[model].requests.at(-1)?.body);

  test('a conversation is compacted by a summary of the model, which every backend can read', async () => {
    stage.backends[model].script({ kind: 'text', text: 'THE SUMMARY' });
    const compacted = await stage.client.responses.compact({ model, input: HISTORY });
    expect(compacted.object).toBe('response.compaction');
    expect(compacted.id).toMatch(/^resp_/);
    expect(compacted.usage.total_tokens).toBeGreaterThan(0);
    expect(last()).toContain('seen');
    const texts = compacted.output.map((item) =>
      item.type === 'message' && Array.isArray(item.content)
        ? item.content.map((part) => ('text' in part ? part.text : '')).join('')
        : item.type,
    );
    expect(texts).toEqual(['the first question', 'the second question', 'compaction']);

    const input = [...compacted.output, { role: 'user', content: 'go on' }] as OpenAI.Responses.ResponseInput;
    for (const next of ['messages', 'generateContent', 'stateless', 'responses'] as const) {
      const answer = await stage.client.responses.create({ model: next, input });
      expect(answer.status).toBe('completed');
      const sent = JSON.stringify(stage.backends[next].requests.at(-1)?.body);
      expect(sent).toContain('<conversation_summary>\\nTHE SUMMARY\\n</conversation_summary>');
    }
  });

  test.each([false, true])('a trigger at the end of the input does the same, streamed: %s', async (streamed) => {
    stage.backends[model].script({ kind: 'text', text: 'THE SUMMARY' });
    const params = { model, input: [...HISTORY, { type: 'compaction_trigger' }] as OpenAI.Responses.ResponseInput };
    const answer = streamed
      ? await stage.client.responses.stream(params).finalResponse()
      : await stage.client.responses.create(params);
    expect(answer.status).toBe('completed');
    expect(answer.output.map(({ type }) => type)).toEqual(['compaction']);

    stage.backends[model].script({ kind: 'text', text: 'after it' });
    const next = await stage.client.responses.create({ model, input: 'go on', previous_response_id: answer.id });
    expect(next.output_text).toBe('after it');
    expect(last()).toContain('THE SUMMARY');
    expect(last()).not.toContain('the first question');
  });

  test('what was before the compacted input is part of the summary', async () => {
    const first = await stage.client.responses.create({ model, input: 'the very first' });
    stage.backends[model].script({ kind: 'text', text: 'THE SUMMARY' });
    await stage.client.responses.compact({ model, input: HISTORY, previous_response_id: first.id });
    expect(last()).toContain('the very first');
  });

  test("another service's compaction is refused, and that is said", async () => {
    const input = [
      { type: 'compaction', encrypted_content: 'gAAAAABforeign' },
      { role: 'user', content: 'go on' },
    ] as OpenAI.Responses.ResponseInput;
    await expect(stage.client.responses.create({ model, input })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('can be read only by the service that created it'),
    });
  });

  test('a model that writes nothing is a failure', async () => {
    stage.backends[model].script({ kind: 'error', status: 429 });
    await expect(stage.client.responses.compact({ model, input: HISTORY })).rejects.toMatchObject({ status: 429 });
  });
});
