import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';

/** A window that is known, of the file or of a refusal, is used before the call, and refuses nothing. */

const WINDOW = 4000;
const WORDS = 'some words that take some room in a prompt '.repeat(40);
const TURNS = 20;

let recorder: Recorder;
let gateway: TestGateway;
/** Whether the backend refuses what is longer than its window, and how. */
let refuses: ((sent: Tree) => string | undefined) | undefined;

beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());
afterEach(() => gateway.close());

async function start(facts: object, more: object = {}): Promise<void> {
  refuses = undefined;
  recorder.reply = (response, { body }) => {
    const message = refuses?.(JSON.parse(body));
    if (message === undefined) return json(response, 200, WHOLE.chatCompletions('Hi'));
    json(response, 400, { error: { message, type: 'BadRequestError', param: null, code: 400 } });
  };
  gateway = await startGateway({
    backends: { local: { dialect: 'chatCompletions', baseUrl: recorder.url } },
    models: { m: { backend: 'local', model: 'x', ...facts } },
    ...more,
  });
}

async function exchange(path: string, body: Tree, headers: Record<string, string> = {}) {
  recorder.seen.length = 0;
  const answer = await send(gateway.url, path, { body: { model: 'm', ...body }, headers });
  const sent = recorder.seen.map((seen): Tree => JSON.parse(seen.body));
  return { answer, sent, losses: String(answer.headers['x-interlingua-loss'] ?? '') };
}

const history = (turns: number) =>
  Array.from({ length: turns }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `turn ${index}: ${WORDS}`,
  }));
const talk = (turns: number, more: object = {}) =>
  ({ input: [...history(turns), { role: 'user', content: 'And now?' }], truncation: 'auto', ...more }) as const;
const ask = (more: object = {}) => ({ messages: [{ role: 'user', content: 'Hello' }], max_tokens: 3000, ...more });

/** What the server of a window of so many tokens says of a body, which it counts by its characters. */
function tooLong(window: number) {
  return ({ messages, max_tokens: cap = 0 }: Tree): string | undefined => {
    const input = Math.ceil(JSON.stringify(messages).length / 5);
    return input > window
      ? `This model's maximum context length is ${window} tokens. However, you requested ${cap} output tokens and your prompt contains at least ${input} input tokens.`
      : undefined;
  };
}

describe('a window of the file', () => {
  test('leaves out the oldest turns before the call, where the client wants that', async () => {
    await start({ contextWindow: WINDOW });
    refuses = tooLong(WINDOW);
    const { answer, sent, losses } = await exchange('/v1/responses', talk(TURNS));
    expect([answer.status, sent.length]).toEqual([200, 1]);
    const text = JSON.stringify(sent[0].messages);
    expect(text).not.toContain('turn 0:');
    expect(text).toContain(`turn ${TURNS - 2}:`);
    expect(sent[0].messages[0].role).toBe('user');
    expect(losses).toContain('truncate;kind=approximated;path="/truncation"');
    // Room is left for the answer.
    const capped = await exchange('/v1/responses', talk(TURNS, { max_output_tokens: 3000 }));
    expect(capped.sent).toHaveLength(1);
    expect(capped.sent[0].messages.length).toBeLessThan(sent[0].messages.length);
    expect(capped.sent[0].max_tokens ?? capped.sent[0].max_completion_tokens).toBeGreaterThan(800);
  });

  test('lowers a cap that does not fit beside the input, and says so', async () => {
    await start({ contextWindow: WINDOW });
    const { sent, losses } = await exchange('/v1/messages', ask({ max_tokens: 32_000 }));
    const cap = sent[0].max_tokens ?? sent[0].max_completion_tokens;
    expect(sent).toHaveLength(1);
    expect(cap).toBeLessThan(WINDOW);
    expect(cap).toBeGreaterThan(WINDOW - 100);
    expect(losses).toContain('path="/max_tokens"');
  });

  test.each([
    ['that fits', ask()],
    ['without a cap that is longer', ask({ max_tokens: 300, messages: [...history(TURNS), ...ask().messages] })],
  ])('leaves a request %s as it is', async (_name, body) => {
    await start({ contextWindow: WINDOW });
    const { answer, sent, losses } = await exchange('/v1/messages', body);
    expect([answer.status, sent.length, sent[0].messages.length]).toEqual([200, 1, body.messages.length]);
    expect(sent[0].max_tokens ?? sent[0].max_completion_tokens).toBe(body.max_tokens);
    expect(losses).not.toContain('max_tokens');
  });

  test('changes nothing under strict, which would refuse it', async () => {
    await start({ contextWindow: WINDOW });
    const headers = { 'x-interlingua-losses': 'strict' };
    const { answer, sent } = await exchange('/v1/messages', ask({ max_tokens: 32_000 }), headers);
    expect([answer.status, sent.length]).toEqual([200, 1]);
    expect(sent[0].max_tokens ?? sent[0].max_completion_tokens).toBe(32_000);
  });

  test.each([false, true])('stands in a refusal without counts, beside an estimate, stream: %s', async (stream) => {
    await start({ contextWindow: WINDOW });
    refuses = () => 'Please reduce the length of the messages or completion.';
    const messages = [...history(TURNS), ...ask().messages];
    const { answer } = await exchange('/v1/messages', ask({ max_tokens: 300, messages, stream }));
    const [, count] = /^prompt is too long: (\d+) tokens > 4000 maximum \(about/.exec(answer.body.error.message) ?? [];
    expect(Number(count)).toBeGreaterThan(WINDOW);
    const { answer: other } = await exchange('/v1/responses', talk(TURNS, { truncation: 'disabled' }));
    expect(other.body.error).toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringMatching(/maximum context length is 4000 tokens, and it has about \d+ input tokens\. \| /),
    });
  });
});

describe('a window that a refusal told', () => {
  test('is used before the next call', async () => {
    await start({});
    refuses = tooLong(WINDOW);
    const first = await exchange('/v1/responses', talk(TURNS));
    expect([first.answer.status, first.sent.length]).toEqual([200, 2]);
    const second = await exchange('/v1/responses', talk(TURNS));
    expect([second.answer.status, second.sent.length]).toEqual([200, 1]);
    expect(second.losses).toContain('truncate;kind=approximated');
    expect((await exchange('/v1/responses', talk(2))).losses).not.toContain('truncate');
  });

  test('is learned of a request that nothing could mend, and changes none of another key', async () => {
    const [red, blue] = ['a-key-of-red-000001', 'a-key-of-blue-00001'];
    const keys = [
      { name: 'red', key: red },
      { name: 'blue', key: blue },
    ];
    await start({}, { keys });
    refuses = tooLong(WINDOW);
    const by = (key: string) => ({ authorization: `Bearer ${key}` });
    const failed = await exchange('/v1/responses', talk(TURNS, { truncation: 'disabled' }), by(red));
    expect([failed.answer.status, failed.sent.length]).toEqual([400, 1]);
    expect((await exchange('/v1/responses', talk(TURNS), by(red))).sent).toHaveLength(1);
    expect((await exchange('/v1/responses', talk(TURNS), by(blue))).sent).toHaveLength(2);
  });

  test.each([
    ['pictures', 'Too many images: the maximum allowed is 8, request has 10'],
    ['tools', 'Number of tools exceeds the maximum allowed (128): request contains 150'],
    ['characters', 'metadata key length 800 exceeds the limit of 640'],
    ['pictures, of an input that is too long', 'prompt is too long: the maximum allowed is 8, request has 10 images'],
  ])('is none where the refusal counts %s', async (_name, message) => {
    await start({});
    refuses = () => message;
    const refused = await exchange('/v1/responses', talk(TURNS, { truncation: 'disabled' }));
    expect(refused.answer.status).toBe(400);
    refuses = undefined;
    const { sent, losses } = await exchange('/v1/responses', talk(TURNS));
    expect(sent[0].messages).toHaveLength(TURNS + 1);
    expect(losses).not.toContain('truncate');
  });

  test('is none where the refusal tells the largest cap', async () => {
    await start({});
    refuses = ({ max_tokens: cap }) =>
      cap > 2048
        ? `\`max_tokens\` must be less than or equal to \`2048\`: the maximum allowed is 2048, request has ${cap}`
        : undefined;
    const { answer, sent } = await exchange('/v1/messages', ask());
    expect([answer.status, sent.map(({ max_tokens }) => max_tokens)]).toEqual([200, [3000, 2048]]);
  });
});

test('a window that a host tells for the input alone has room for any cap', async () => {
  refuses = undefined;
  recorder.reply = (response, { method }) => {
    const model = { name: 'models/g', inputTokenLimit: WINDOW, outputTokenLimit: 65_536 };
    json(response, 200, method === 'GET' ? { models: [model] } : WHOLE.generateContent('Hi'));
  };
  gateway = await startGateway({
    backends: { gemini: { dialect: 'generateContent', baseUrl: recorder.url } },
    models: { m: { backend: 'gemini', model: 'g' } },
  });
  const list = await send(gateway.url, '/v1/models', { method: 'GET' });
  expect(list.body.data).toMatchObject([{ id: 'm', context_length: WINDOW }]);
  const { sent, losses } = await exchange('/v1/messages', ask({ max_tokens: 32_000 }));
  expect(sent[0].generationConfig.maxOutputTokens).toBe(32_000);
  expect(losses).not.toContain('max_tokens');
  const long = await exchange('/v1/responses', talk(TURNS));
  expect(long.losses).toContain('truncate;kind=approximated');
});

test('a relayed request that is too long is refused in the words of its backend, whatever its window is', async () => {
  const backendOf = (dialect: 'responses' | 'chatCompletions') => ({ dialect, baseUrl: recorder.url }) as const;
  await start(
    {},
    {
      backends: { local: backendOf('chatCompletions'), other: backendOf('responses') },
      models: {
        m: { backend: 'local', contextWindow: WINDOW },
        e: { backend: 'other', contextWindow: WINDOW },
      },
    },
  );
  recorder.reply = (response) => json(response, 400, { error: 'The input exceeds the context length.' });
  for (const [path, body] of [
    ['/v1/embeddings', { model: 'e', input: WORDS }],
    // No decoder takes this.
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 5 }] }],
  ] as const) {
    const { answer } = await exchange(path, body);
    expect([path, answer.status, answer.body.error]).toEqual([
      path,
      400,
      expect.objectContaining({
        code: 'context_length_exceeded',
        message: expect.stringMatching(/context length is 4000 tokens.* \| .*The input exceeds the context length/),
      }),
    ]);
  }
});
