import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway } from '../../src/index.js';
import { captureLog } from '../observe/support.js';
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

// A refusal quotes what the caller said, and what one key meets is no rule for the requests of another.

const KEYS = { red: 'the-key-of-the-red-team', blue: 'the-key-of-the-blue-team', green: 'the-key-of-the-green-team' };
type Key = keyof typeof KEYS;

let recorder: Recorder;
let gateway: TestGateway;
/** The same, with every request in a thread. */
let threads: TestGateway;
let next = 0;

beforeAll(async () => {
  recorder = await startRecorder();
  const baseUrl = recorder.url;
  const config: ConfigInput = {
    backends: {
      chat: { dialect: 'chatCompletions', baseUrl, profile: { urlMedia: ['image'] } },
      claude: { dialect: 'messages', baseUrl },
      openai: { dialect: 'responses', baseUrl },
    },
    models: { 'chat-*': { backend: 'chat' }, 'claude-*': { backend: 'claude' }, 'gpt-*': { backend: 'openai' } },
    keys: Object.entries(KEYS).map(([name, key]) => ({ name, key })),
  };
  gateway = await startGateway(config);
  threads = await startGateway(config, { largeBytes: -1 });
});
afterAll(async () => {
  await Promise.all([gateway.close(), threads.close(), recorder.close()]);
});
beforeEach(() => {
  next += 1;
});

const PATHS = { messages: '/v1/messages', responses: '/v1/responses', chat: '/v1/chat/completions' } as const;
type Client = keyof typeof PATHS;

/** Every body that is in `refused` gets the refusal, and all others an answer. */
function refuseOnce(dialect: keyof typeof WHOLE, message: (body: string) => string | undefined): void {
  recorder.reply = (response, seen) => {
    const words = message(seen.body);
    const error = { type: 'invalid_request_error', message: words, param: null, code: null };
    if (words === undefined) json(response, 200, WHOLE[dialect]('Hi'));
    else json(response, 400, dialect === 'messages' ? { type: 'error', error } : { error });
  };
}

async function ask(
  key: Key,
  client: Client,
  body: Tree,
  headers: Record<string, string> = {},
  at: Pick<TestGateway, 'url'> = gateway,
) {
  recorder.seen.length = 0;
  const answer = await send(at.url, PATHS[client], {
    body,
    headers: { ...headers, authorization: `Bearer ${KEYS[key]}` },
  });
  return { status: answer.status, text: answer.text, sent: recorder.seen.map((seen) => seen.body) };
}

const picture = (url: string) => ({ type: 'image', source: { type: 'url', url } });
const said = (...content: Tree[]) => ({ messages: [{ role: 'user', content }] });
const tools = [
  {
    name: 'find',
    input_schema: {
      type: 'object',
      properties: { zip: { type: 'string', pattern: '^[0-9]{5}$', minLength: 5 } },
      required: ['zip'],
    },
  },
];

/** What one key sends whose refusal quotes it, and what another sends then. */
const ATTACKS: readonly (readonly [
  name: string,
  model: string,
  attack: (url: string) => Tree,
  quoted: string,
  victim: Tree,
])[] = [
  ['the cap', 'chat-m', (url) => said(picture(url)), '?supports at most 1 completion tokens', { max_tokens: 4000 }],
  [
    'the cap, above any floor',
    'chat-m',
    (url) => said(picture(url)),
    '?supports at most 600 completion tokens',
    { max_tokens: 4000 },
  ],
  [
    'the window',
    'chat-m',
    (url) => said(picture(url)),
    '?maximum context length is 2000 tokens and has 1600 input tokens',
    { max_tokens: 4000 },
  ],
  [
    'a temperature',
    'chat-m',
    (url) => ({ ...said(picture(url)), temperature: 0.5 }),
    '?temperature is unsupported',
    { temperature: 0.5 },
  ],
  ['schemas of tools', 'chat-m', (url) => ({ ...said(picture(url)), tools }), '/schema.png', { tools }],
  [
    'usage of streams',
    'chat-m',
    (url) => ({ ...said(picture(url)), stream: true }),
    '/stream_options.png',
    { stream: true },
  ],
  [
    'a forced tool',
    'chat-m',
    (url) => ({ ...said(picture(url)), tools, tool_choice: { type: 'any' } }),
    '/tool_choice-is-unsupported.png',
    { tools, tool_choice: { type: 'any' } },
  ],
];

describe('words that a refusal quotes', () => {
  test.each(ATTACKS)('change nothing for the key that said them: %s', async (_name, model, attack, quoted, victim) => {
    const url = `https://evil.invalid${quoted}`;
    const named = { model: `${model}${next}`, max_tokens: 64 };
    refuseOnce('chatCompletions', (body) => {
      const at: Tree = JSON.parse(body);
      const part = Array.isArray(at.messages[0].content) ? at.messages[0].content[0] : undefined;
      return part === undefined ? undefined : `cannot fetch ${part.image_url.url}: no such host`;
    });
    const plain = { ...named, ...said({ type: 'text', text: 'Hello' }), ...victim };
    const before = await ask('red', 'messages', { ...plain, model: `${model}${next}-before` });
    const attacked = await ask('red', 'messages', { ...named, ...victim, ...attack(url) });
    expect([attacked.status, attacked.sent.length]).toEqual([400, 1]);
    const after = await ask('red', 'messages', plain);
    expect(after.sent).toEqual(before.sent.map((text) => text.replace('-before', '')));
  });

  test('cut off at their end', async () => {
    const url = `https://evil.invalid/?supports at most 600 completion tokens${'x'.repeat(500)}`;
    refuseOnce('chatCompletions', () => `cannot fetch ${url.slice(0, 100)}...`);
    const { sent } = await ask('red', 'messages', { model: `chat-${next}`, max_tokens: 4000, ...said(picture(url)) });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['a tool', { name: 'grammar' }],
    ['an argument', { name: 'find', input_schema: { type: 'object', properties: { grammar: { pattern: 'a' } } } }],
  ])('the name of %s', async (_name, tool) => {
    refuseOnce('chatCompletions', () => "arguments.grammar: 'grammar' is not among the tools");
    const body = { model: `chat-${next}`, max_tokens: 64, ...said({ type: 'text', text: 'Hello' }) };
    expect((await ask('red', 'messages', { ...body, tools: [{ ...tools[0], ...tool }] })).sent).toHaveLength(1);
  });

  test('but not those of the dialect: a type, a role, a member', async () => {
    const words = "Unsupported parameter: 'temperature' is not supported with this model.";
    refuseOnce('chatCompletions', (body) => (JSON.parse(body).temperature === undefined ? undefined : words));
    const input_schema = { type: 'object', properties: { temperature: { type: 'number' } } };
    const body = { model: `chat-${next}`, max_tokens: 64, temperature: 0.5, ...said({ type: 'text', text: 'Hello' }) };
    const { status, sent } = await ask('red', 'messages', { ...body, tools: [{ name: 'weather', input_schema }] });
    expect([status, sent.length]).toEqual([200, 2]);
  });

  test('a member that a refusal names comes before what its prose may be about', async () => {
    recorder.reply = (response, seen) => {
      if (JSON.parse(seen.body).top_p === undefined) return json(response, 200, WHOLE.chatCompletions('Hi'));
      const message = 'this member of the schema is not supported';
      return json(response, 400, { error: { message, type: 'invalid_request_error', param: 'top_p', code: null } });
    };
    const body = { model: `chat-${next}`, max_tokens: 64, top_p: 0.5, ...said({ type: 'text', text: 'Hello' }), tools };
    const { status, sent } = await ask('red', 'messages', body);
    expect([status, sent.map((text) => JSON.parse(text).top_p)]).toEqual([200, [0.5, undefined]]);
  });
});

/** What a server really refuses of one key, in its own words, and reveals by it. */
const RESTRICTIONS: readonly (readonly [
  name: string,
  client: Client,
  dialect: keyof typeof WHOLE,
  model: string,
  request: Tree,
  mark: (body: Tree) => boolean,
  words: string,
])[] = [
  [
    'a cap',
    'messages',
    'chatCompletions',
    'chat',
    { max_tokens: 4000 },
    ({ max_tokens: cap }) => cap > 600,
    'This model supports at most 600 completion tokens',
  ],
  [
    'a window',
    'messages',
    'chatCompletions',
    'chat',
    { max_tokens: 4000 },
    ({ max_tokens: cap }) => cap > 3000,
    "This model's maximum context length is 3000 tokens and your request has 10 input tokens",
  ],
  [
    'a field',
    'messages',
    'chatCompletions',
    'chat',
    { temperature: 0.5 },
    ({ temperature }) => temperature !== undefined,
    'Unsupported parameter: temperature',
  ],
  [
    'a manner',
    'messages',
    'chatCompletions',
    'chat',
    { tools, tool_choice: { type: 'any' } },
    ({ tool_choice: choice }) => choice === 'required',
    'the model does not support this tool_choice',
  ],
  [
    'schemas',
    'messages',
    'chatCompletions',
    'chat',
    { tools },
    (body) => JSON.stringify(body).includes('"pattern":'),
    'Invalid grammar',
  ],
  [
    'thinking',
    'responses',
    'messages',
    'claude-sonnet-4-5',
    { reasoning: { effort: 'high' } },
    ({ thinking }) => thinking !== undefined,
    'this model does not support thinking',
  ],
  [
    'an unknown member',
    'messages',
    'messages',
    'claude',
    { unheard_of: true },
    ({ unheard_of: given }) => given === true,
    'unheard_of: Extra inputs are not permitted',
  ],
  [
    'a choice by name',
    'responses',
    'responses',
    'gpt',
    { tools: [{ type: 'function', name: 'f', parameters: {} }], tool_choice: { type: 'function', name: 'f' } },
    ({ tool_choice: choice }) => typeof choice === 'object',
    "Unsupported value: 'tool_choice'",
  ],
];

function bodyOf(client: Client, model: string, more: Tree): Tree {
  const asked =
    client === 'responses' ? { input: 'Hello' } : { max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] };
  return { model, ...asked, ...more };
}

describe.each(['the process', 'threads'])('what a key learned, in %s', (where) => {
  test.each(RESTRICTIONS)(
    'changes no request of another key: %s',
    async (_name, client, dialect, model, request, mark, words) => {
      const at = where === 'threads' ? threads : gateway;
      const name = `${model}-${next}`;
      const body = bodyOf(client, name, request);
      refuseOnce(dialect, (text) => (mark(JSON.parse(text)) ? words : undefined));
      // What blue sends where nobody learned anything.
      const { sent: before } = await ask('blue', client, { ...body, model: `${name}-unheard` }, {}, at);
      const learned = await ask('red', client, body, {}, at);
      expect([learned.status, learned.sent.length]).toEqual([200, 2]);
      const mended = await ask('red', client, body, {}, at);
      expect([mended.status, mended.sent]).toEqual([200, learned.sent.slice(1)]);
      const { sent: after } = await ask('blue', client, body, {}, at);
      expect(after).toEqual(before.map((text) => text.replace('-unheard', '')));
      // Two keys met it now.
      const third = await ask('green', client, body, {}, at);
      expect([third.status, third.sent.length]).toEqual([200, words.includes('Extra inputs') ? 2 : 1]);
    },
  );
});

describe('restrictions are reported', () => {
  test('by explain, for the key that asks', async () => {
    refuseOnce('chatCompletions', (body) =>
      JSON.parse(body).max_tokens > 600 ? 'supports at most 600 completion tokens' : undefined,
    );
    const body = bodyOf('messages', `chat-${next}`, { max_tokens: 4000 });
    const explain = { 'x-interlingua-explain': 'true' };
    const restrictionsOf = async (key: Key): Promise<unknown> =>
      JSON.parse((await ask(key, 'messages', body, explain)).text).restrictions;
    expect(await restrictionsOf('red')).toEqual([]);
    await ask('red', 'messages', body);
    expect(await restrictionsOf('red')).toEqual([
      { kind: 'cap', restriction: 'at most 600 output tokens', shared: false },
    ]);
    expect(await restrictionsOf('blue')).toEqual([]);
    await ask('blue', 'messages', body);
    expect(await restrictionsOf('green')).toEqual([
      { kind: 'cap', restriction: 'at most 600 output tokens', shared: true },
    ]);
  });

  test('by the metrics', async () => {
    refuseOnce('chatCompletions', (body) =>
      JSON.parse(body).top_p === undefined ? undefined : 'Unsupported parameter: top_p',
    );
    const count = async (): Promise<number> => {
      const { text } = await send(gateway.url, '/metrics', { method: 'GET' });
      return Number(
        /^interlingua_learned_restrictions_total\{backend="chat",kind="field"\} (\d+)$/m.exec(text)?.[1] ?? 0,
      );
    };
    const before = await count();
    for (let times = 0; times < 3; times += 1)
      await ask('red', 'messages', bodyOf('messages', `chat-${next}`, { top_p: 0.5 }));
    expect(await count()).toBe(before + 1);
  });

  test('by the log, with no word of the refusal; and a reload forgets them', async () => {
    const log = captureLog();
    const config: ConfigInput = {
      backends: { chat: { dialect: 'chatCompletions', baseUrl: recorder.url } },
      keys: [{ name: 'red', key: KEYS.red }],
      log: { level: 'warn' },
    };
    const own = createGateway(config);
    try {
      const { url } = await own.listen({ host: '127.0.0.1', port: 0 });
      const refuses = refuseOnce.bind(undefined, 'chatCompletions');
      refuses((body) => (JSON.parse(body).top_p === undefined ? undefined : 'canary: Unsupported parameter: top_p'));
      const body = bodyOf('messages', `chat-${next}`, { top_p: 0.5 });
      const calls = async () => (await ask('red', 'messages', body, {}, { url })).sent.length;
      expect([await calls(), await calls()]).toEqual([2, 1]);
      const [line, ...more] = log.lines().filter(({ restriction }) => restriction !== undefined);
      expect(more).toEqual([]);
      expect(line).toMatchObject({ backend: 'chat', model: `chat-${next}`, kind: 'field', restriction: 'no top_p' });
      expect(log.text).not.toContain('canary');
      own.reload(config);
      expect([await calls(), await calls()]).toEqual([2, 1]);
    } finally {
      jest.restoreAllMocks();
      await own.close();
    }
  });
});
