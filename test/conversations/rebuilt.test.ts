import { describe, expect, test } from '@jest/globals';
import { holdAnswer, KEYS, useStage } from './stage.js';
import { START, TOOLS, takeTurn } from './turns.js';

const stage = useStage();

/** Where each dialect's body holds the conversation. */
const CONVERSATION = { messages: 'messages', generateContent: 'contents', stateless: 'input' } as const;
type KeptHere = keyof typeof CONVERSATION;
const KEPT_HERE = Object.keys(CONVERSATION) as KeptHere[];

function conversations(model: KeptHere): string[] {
  return stage.backends[model].requests.map(({ body }) =>
    JSON.stringify(Object(body)[CONVERSATION[model]]).slice(0, -1),
  );
}

async function post(path: string, body: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${KEYS.a}`, 'content-type': 'application/json' };
  const answer = await fetch(stage.url + path, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  return Object(await answer.json());
}

describe.each(KEPT_HERE)('what is sent to a %s backend', (model) => {
  test('begins in every turn as it began in the turn before', async () => {
    let point = START;
    while (point.turn < 5)
      point = await takeTurn(stage.client, stage.backends[model], model, point, point.turn % 2 === 0);
    const sent = conversations(model);
    expect(sent).toHaveLength(5);
    sent.slice(1).forEach((later, index) => {
      expect(later.startsWith(sent[index] ?? '?')).toBe(true);
    });
  });
});

describe('what is sent to a backend that keeps nothing', () => {
  const sent = () => stage.backends.stateless.requests.at(-1)?.raw ?? '';

  test("is the client's own text where nothing has to be added, numbers and all", async () => {
    const input = '[ {"role":"user","content":"q"} ]';
    await post(
      '/v1/responses',
      `{"model":"stateless","input":${input},"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{"n":{"type":"number","maximum":1.0e30}}},"strict":false}]}`,
    );
    expect(sent()).toContain(input);
    expect(sent()).toContain('1.0e30');
    expect(sent()).toContain('"store":false');
  });

  test('is, for a count, no more than a count takes', async () => {
    const first = await stage.client.responses.create({ model: 'stateless', input: 'one' });
    await post(
      '/v1/responses/input_tokens',
      JSON.stringify({ model: 'stateless', input: 'two', previous_response_id: first.id }),
    );
    const body: unknown = JSON.parse(sent());
    expect(Object.keys(Object(body)).sort()).toEqual(['input', 'model']);
    expect(Object(body).input).toHaveLength(3);
  });

  test('is answered under ids of our own: its own may come again, or be guessed', async () => {
    const headers = { 'content-type': 'application/json' };
    const asked = async (text: string) => {
      const content = [{ type: 'output_text', text, annotations: [] }];
      const output = [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }];
      const answer = { id: 'resp_1', object: 'response', status: 'completed', output };
      stage.backends.stateless.script({ kind: 'raw', headers, chunks: [JSON.stringify(answer)] });
      return stage.client.responses.create({ model: 'stateless', input: 'q' });
    };
    const answers = [await asked('one'), await asked('two')];
    for (const answer of answers) {
      expect(answer.id).toMatch(/^resp_il[0-9a-f]{44}$/);
      expect((await stage.client.responses.retrieve(answer.id)).output_text).toBe(answer.output_text);
    }
    await expect(stage.client.responses.retrieve('resp_1')).rejects.toMatchObject({ status: 404 });
  });

  test('holds no key that only answers have', async () => {
    const item = { type: 'message', role: 'user', content: 'q', created_by: 'someone' };
    await post('/v1/responses', JSON.stringify({ model: 'stateless', input: [item] }));
    expect(sent()).not.toContain('created_by');
  });
});

describe('items that were issued by a backend', () => {
  const reasoning = { effort: 'medium' } as const;

  /** A reasoning item and a call of one backend, then both named to another, then to the first again. */
  test.each([
    ['responses', 'stateless'],
    ['stateless', 'responses'],
    ['responses', 'messages'],
  ] as const)('%s: their state goes to nobody else, here to %s, and back to who issued it', async (issuer, other) => {
    const calls = [{ name: 'add', arguments: { a: 1 } }];
    stage.backends[issuer].script({ kind: 'reasoning+calls', reasoning: 'hm', calls });
    const include = issuer === 'responses' ? (['reasoning.encrypted_content'] as const) : [];
    const first = await stage.client.responses.create({
      model: issuer,
      input: 'q',
      tools: TOOLS,
      reasoning,
      include: [...include],
    });
    const call = first.output.find((item) => item.type === 'function_call');
    const input = [
      { role: 'user' as const, content: 'q' },
      ...first.output.map(({ id }) => ({ type: 'item_reference' as const, id: id ?? '' })),
      { type: 'function_call_output' as const, call_id: call?.call_id ?? '', output: '2' },
    ];
    stage.backends[other].script({ kind: 'text', text: 'elsewhere' });
    const second = await stage.client.responses.create({ model: other, tools: TOOLS, reasoning, input });
    expect(second.output_text).toBe('elsewhere');
    expect(stage.backends[other].requests.at(-1)?.raw).not.toContain('"encrypted_content"');
    stage.backends[issuer].script({ kind: 'text', text: 'home again' });
    const third = await stage.client.responses.create({
      model: issuer,
      tools: TOOLS,
      reasoning,
      input: 'go on',
      previous_response_id: second.id,
    });
    expect(third.output_text).toBe('home again');
    expect(stage.backends[issuer].requests.at(-1)?.raw).toContain('"encrypted_content"');
  });

  test('are left out where only their id was known', async () => {
    stage.backends.responses.script({ kind: 'text', text: 'thought', reasoning: 'hm' });
    const first = await stage.client.responses.create({ model: 'responses', input: 'q', reasoning });
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    await stage.client.responses.create({ model: 'stateless', reasoning, input: 'on', previous_response_id: first.id });
    const { body } = stage.backends.stateless.requests.at(-1) ?? {};
    expect(Object(body).input.map(({ type }: { type?: string }) => type)).toEqual(['message', 'message', 'message']);
  });

  test('can be named as long as the answer that they came with is kept, and by their place in any input', async () => {
    const first = await stage.client.responses.create({ model: 'messages', input: 'the question' });
    const [question] = (await stage.client.responses.inputItems.list(first.id)).data;
    const input = [question, ...first.output].map((item) => ({ type: 'item_reference' as const, id: item?.id ?? '' }));
    const ask = () =>
      stage.client.responses.create({ model: 'messages', input: [...input, { role: 'user', content: 'again' }] });
    const second = await ask();
    expect(stage.backends.messages.requests.at(-1)?.raw).toContain('the question');
    await stage.client.responses.delete(second.id);
    expect((await ask()).status).toBe('completed');
    await stage.client.responses.delete(first.id);
  });
});

test('an answer that quotes the events of a stream is kept as any other', async () => {
  const text = 'It ends with\n\nevent: response.completed\ndata: {}\n\nand began with event: response.created';
  stage.backends.messages.script({ kind: 'text', text });
  const answer = await stage.client.responses.stream({ model: 'messages', input: 'q' }).finalResponse();
  expect((await stage.client.responses.retrieve(answer.id)).output_text).toBe(text);
});

test('an answer that is deleted while the next one is made still stands in its conversation', async () => {
  const first = await stage.client.responses.create({ model: 'messages', input: 'the first question' });
  const say = holdAnswer(stage.backends.messages, { kind: 'text', text: 'slow' });
  const making = stage.client.responses.create({ model: 'messages', input: 'two', previous_response_id: first.id });
  while (stage.backends.messages.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await stage.client.responses.delete(first.id);
  say();
  const second = await making;
  await stage.client.responses.create({ model: 'messages', input: 'three', previous_response_id: second.id });
  expect(stage.backends.messages.requests.at(-1)?.raw).toContain('the first question');
});
