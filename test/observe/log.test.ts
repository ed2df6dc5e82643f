import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createGateway } from '../../src/index.js';
import {
  ASK,
  EVENT_STREAM,
  json,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type Tree,
} from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { captureLog, pairsConfig, replyInKind } from './support.js';

const KEY = 'a-gateway-key-of-tests';
const UPSTREAM_KEY = 'an-upstream-key-canary-5f';
const PROMPT = 'prompt-canary-77a1';

let backend: Recorder;
const log = captureLog();

beforeAll(async () => {
  backend = await startRecorder();
});

afterAll(async () => {
  await backend.close();
  jest.restoreAllMocks();
});

/** The lines of an exchange with one gateway, which is closed again. */
async function linesOf(config: object, path: string, body: unknown, headers: Record<string, string> = {}) {
  log.clear();
  const base = pairsConfig(backend);
  const backends = Object.fromEntries(
    Object.entries(base.backends ?? {}).map(([name, one]) => [name, { ...one, apiKey: UPSTREAM_KEY }]),
  );
  const gateway = await startGateway({
    ...base,
    backends,
    keys: [{ name: 'tests', key: KEY }],
    store: { type: 'off' },
    log: { level: 'info' },
    ...config,
  });
  const sent = body === undefined ? undefined : JSON.stringify(body).replace('Hello', PROMPT);
  const answer = await send(gateway.url, path, {
    body: sent,
    headers: { 'x-api-key': KEY, ...headers },
    mayBreak: true,
  });
  await until(() => answer.status > 0);
  await gateway.close();
  return { answer, lines: log.lines(), text: log.text };
}

test('a line tells who asked what of whom, and what became of it', async () => {
  backend.reply = replyInKind;
  const { path, body } = ASK.messages('to-responses', { top_k: 5 });
  const { lines } = await linesOf({}, path, body, { 'x-request-id': 'mine-1' });
  const [line] = lines.filter(({ msg }) => msg === 'exchange');
  expect(line).toEqual({
    level: 30,
    time: expect.any(Number),
    id: 'mine-1',
    method: 'POST',
    path: '/v1/messages',
    client: 'messages',
    key: 'tests',
    model: 'to-responses',
    stream: false,
    backend: 'responses',
    dialect: 'responses',
    target: 'to-responses',
    answeredBy: 'r-real',
    upstream: 'up-responses',
    inputTokens: 3,
    outputTokens: 2,
    losses: 1,
    lost: 'sampling.topK',
    firstByteMs: expect.any(Number),
    firstTokenMs: expect.any(Number),
    status: 200,
    outcome: 'ok',
    ms: expect.any(Number),
    msg: 'exchange',
  });
});

test('a line names the trace of the client, and the answer says how long its head took', async () => {
  backend.reply = replyInKind;
  const { path, body } = ASK.messages('to-responses');
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const { lines, answer } = await linesOf({}, path, body, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'exchange', traceId }));
  expect(answer.headers['server-timing']).toMatch(/^queue;dur=\d+, backend;dur=\d+, head;dur=\d+;desc="[^"]+"$/);
});

test('an id that is none is replaced, and the backend is not told of it', async () => {
  backend.reply = replyInKind;
  const { path, body } = ASK.messages('to-messages');
  const { lines, answer } = await linesOf({}, path, body, { 'x-request-id': 'not an id' });
  expect(lines.map(({ id }) => id)).toEqual([answer.headers['request-id']]);
  expect(answer.headers['request-id']).toMatch(/^req_/);
  expect(backend.seen.at(-1)?.headers).not.toHaveProperty('x-request-id');
});

test('a target that was passed over is counted', async () => {
  backend.reply = (response, seen) =>
    seen.path.includes('/messages') ? replyInKind(response, seen) : json(response, 500, {});
  const models = { both: [{ backend: 'responses' }, { backend: 'generateContent' }, { backend: 'messages' }] };
  const { path, body } = ASK.messages('both');
  const { lines } = await linesOf({ models }, path, body);
  expect(lines.at(-1)).toMatchObject({ msg: 'exchange', passed: 2, backend: 'messages', upstream: 'up-messages' });
});

test('without the switch nothing of what is said is logged, with it both sides are', async () => {
  backend.reply = replyInKind;
  for (const asked of [ASK.responses('to-messages'), STREAM.responses('to-messages'), STREAM.messages('to-messages')]) {
    const silent = await linesOf({ log: { level: 'trace' } }, asked.path, asked.body);
    expect(silent.text).not.toContain(PROMPT);
    expect(silent.text).not.toContain('Hello there');
    const { lines, answer } = await linesOf({ log: { level: 'info', content: true } }, asked.path, asked.body);
    expect(lines[0]).toMatchObject({ level: 40, msg: 'log.content is on: prompts and answers are logged' });
    const [line] = lines.filter(({ msg }) => msg === 'exchange');
    const said = lines.filter(({ msg }) => msg === 'content');
    expect(said).toEqual([
      { ...HEAD, id: line.id, side: 'request', bytes: expect.any(Number), text: expect.stringContaining(PROMPT) },
      { ...HEAD, id: line.id, side: 'answer', bytes: Buffer.byteLength(answer.text), text: answer.text },
    ]);
  }
});

const HEAD = { level: 30, time: expect.any(Number), msg: 'content' };

test('what is said is cut where it is long', async () => {
  backend.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(`: ${'x'.repeat(300_000)}\n\n`);
  };
  const { path, body } = STREAM.messages('to-messages');
  const long = { ...body, system: 'y'.repeat(100_000) };
  const { lines } = await linesOf({ log: { level: 'info', content: true } }, path, long);
  const said: Tree[] = lines.filter(({ msg }) => msg === 'content');
  expect(said.map(({ side, cut }) => [side, cut])).toEqual([
    ['request', true],
    ['answer', true],
  ]);
  for (const { text, bytes } of said) {
    expect(text).toHaveLength(64 * 1024);
    expect(bytes).toBeGreaterThan(100_000);
  }
});

test('a refused request is logged like a served one', async () => {
  const { path } = ASK.messages('nobody');
  const { lines } = await linesOf({ log: { level: 'info', content: true } }, path, ASK.messages('nobody').body);
  const said = lines.filter(({ msg }) => msg === 'content');
  expect(said.map(({ side }) => side)).toEqual(['request', 'answer']);
  expect(said[1].text).toContain('not_found_error');
});

test('keys are in no line, even where they were said', async () => {
  backend.reply = (response) => json(response, 200, { ...GREETING, content: [{ type: 'text', text: UPSTREAM_KEY }] });
  const { path, body } = ASK.messages(`m-${UPSTREAM_KEY}`, { system: `the key is ${UPSTREAM_KEY}` });
  const models = { '*': { backend: 'messages' } };
  const { text, lines } = await linesOf(
    { models, log: { level: 'trace', content: true } },
    path,
    { ...body, metadata: { user_id: KEY } },
    { 'x-request-id': UPSTREAM_KEY },
  );
  expect(lines.filter(({ msg }) => msg === 'content')).toHaveLength(2);
  expect(text).not.toContain(UPSTREAM_KEY);
  expect(text).not.toContain(KEY);
});

const GREETING = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

test('warnings lose secrets whoever wrote them, also after a change of the configuration', async () => {
  log.clear();
  const base = { dialect: 'messages' as const, baseUrl: backend.url };
  const config = (apiKey: string) => ({ backends: { one: { ...base, apiKey } }, models: { one: { backend: 'one' } } });
  const gateway = createGateway({ ...config('first-secret-0001'), log: { level: 'info' } });
  gateway.logger.warn({ reason: 'it was first-secret-0001' }, 'x');
  gateway.reload({ ...config('second-secret-0002'), log: { level: 'info' } });
  gateway.logger.error({ err: new Error('second-secret-0002 or first-secret-0001') }, 'y');
  await gateway.close();
  expect(log.lines().map(({ msg }) => msg)).toEqual(['x', 'y']);
  expect(log.text).not.toMatch(/(?:first|second)-secret/);
  expect(log.text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(3);
});

test('an error is logged without what it carries and without what a parser quotes, at whatever depth', async () => {
  log.clear();
  const gateway = createGateway({ ...pairsConfig(backend), log: { level: 'info' } });
  let parsing: unknown;
  try {
    JSON.parse(`x${PROMPT}`);
  } catch (error) {
    parsing = error;
  }
  expect(String(parsing)).toContain(PROMPT);
  const thrown = Object.assign(new Error('it went wrong', { cause: parsing }), {
    body: PROMPT,
    issues: [{ input: PROMPT }],
  });
  gateway.logger.error({ err: thrown }, 'x');
  gateway.logger.error({ err: PROMPT }, 'y');
  gateway.logger.error(parsing, 'z');
  await gateway.close();
  const [first] = log.lines();
  expect(first.err).toEqual({
    type: 'Error',
    message: 'it went wrong',
    stack: expect.stringMatching(/^ {4}at /),
    cause: { type: 'SyntaxError', stack: expect.stringMatching(/^ {4}at /) },
  });
  expect(log.lines().map(({ msg }) => msg)).toEqual(['x', 'y', 'z']);
  expect(log.text).not.toContain(PROMPT);
});
