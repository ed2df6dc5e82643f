import { afterEach, describe, expect, test } from '@jest/globals';
import { type FakeBackend, startFakeBackend } from './fake-backend/index.js';
import { send, type Tree } from './gateway/harness.js';
import { SERVERS, type ServerName } from './services/chat-completions/server.js';

let fake: FakeBackend;
afterEach(() => fake.close());

const NAMES = Object.keys(SERVERS) as ServerName[];
const PATH = '/v1/chat/completions';
const TOOLS = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
const ASK = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools: TOOLS };
const CALLS = [
  { name: 'look', arguments: { at: 'the far end of the garden' } },
  { name: 'look', arguments: {} },
];

async function ask(server: ServerName, stream: boolean): Promise<string> {
  fake = await startFakeBackend('chatCompletions', { server });
  fake.script({ kind: 'reasoning+calls', reasoning: 'Both ends.', text: 'I look.', calls: CALLS });
  const body = { ...ASK, ...(stream && { stream }), ...(stream && server !== 'mistral' && USAGE) };
  const answer = await send(fake.url, PATH, { body });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.text;
}

const USAGE = { stream_options: { include_usage: true } };

function chunksOf(text: string): Tree[] {
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
}

/** The argument texts of a stream by the id of their call, where each delta names its call or follows its opening. */
function callsOf(chunks: readonly Tree[]): Map<string, string> {
  const calls = new Map<string, string>();
  let last = '';
  for (const chunk of chunks) {
    for (const { id, function: part } of chunk.choices[0]?.delta.tool_calls ?? []) {
      last = id ?? last;
      calls.set(last, (calls.get(last) ?? '') + (part.arguments ?? ''));
    }
  }
  return calls;
}

describe.each(NAMES)('a fake of %s', (server) => {
  test('says the same in a stream as in one piece', async () => {
    const whole: Tree = JSON.parse(await ask(server, false));
    await fake.close();
    const chunks = chunksOf(await ask(server, true));
    const [{ message, finish_reason: finish }] = whole.choices;
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }: Tree) => delta));
    const said = (part: unknown): string =>
      typeof part === 'string'
        ? part
        : ((part as Tree[] | null) ?? []).map((one) => one.text ?? said(one.thinking)).join('');
    expect(deltas.map(({ content }) => said(content)).join('')).toBe(said(message.content));
    expect([...callsOf(chunks).values()].map((args) => JSON.parse(args))).toEqual(
      message.tool_calls.map((call: Tree) => JSON.parse(call.function.arguments)),
    );
    const shown = SERVERS[server] as { reasoning?: string };
    const key = shown.reasoning === 'details' ? 'reasoning' : (shown.reasoning ?? 'reasoning');
    expect(deltas.map((delta) => delta[key] ?? '').join('')).toBe(message[key] ?? '');
    expect(chunks.flatMap(({ choices }) => choices.flatMap((choice: Tree) => choice.finish_reason ?? []))).toEqual([
      finish,
    ]);
    expect(chunks.some(({ usage }) => usage?.total_tokens > 0)).toBe(true);
  });
});

test.each<[ServerName, RegExp]>([
  ['openai', /"obfuscation"/],
  ['azure', /^data: \{"id":"","object":"","created":0/],
  ['deepseek', /^: keep-alive\n\n[\s\S]*"prompt_cache_hit_tokens"/],
  ['kimi', /"id":"look:0"[\s\S]*"id":"look:1"/],
  [
    'mistral',
    /"type":"thinking"[\s\S]*"id":"[0-9a-z]{9}"[\s\S]*"finish_reason":"tool_calls"\}\][^\n]*"num_cached_tokens"/,
  ],
  ['openrouter', /^: OPENROUTER PROCESSING\n\n(?:data: .*"role":"assistant".*\n\n)+/],
  ['gemini', /"extra_content":\{"google":\{"thought_signature":"/],
  ['perplexity', /^data: .*\r\n\r\n(?![\s\S]*\[DONE\])/],
  ['local', /"tool_calls":\[\{"id":"call_[^"]*","type":"function"/],
])('%s has its manner: %s', async (server, manner) => {
  expect(await ask(server, true)).toMatch(manner);
});

test.each<[ServerName, unknown]>([
  ['openai', { error: { message: 'no', type: 'invalid_request_error', param: null, code: null } }],
  ['mistral', { object: 'error', message: 'no', type: 'invalid_request_error', param: null, code: null }],
  ['gemini', [{ error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } }]],
  ['openrouter', expect.objectContaining({ error: expect.objectContaining({ code: 400 }), user_id: 'user_1' })],
])('%s words an error', async (server, body) => {
  fake = await startFakeBackend('chatCompletions', { server });
  fake.script({ kind: 'error', status: 400, message: 'no' });
  expect((await send(fake.url, PATH, { body: ASK })).body).toEqual(body);
});
