import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { laterBeginnings, translateRequest } from '../../translators/index.js';
import {
  EVENT_STREAM,
  FRAMES,
  json,
  messageOf,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';

/** `truncation: auto` over backends that have no such thing (translation 2.2): whole oldest turns are left out. */

let recorder: Recorder;
let gateway: TestGateway;
/** What the backend takes, in characters of the turns. */
let room = 0;
/** How it says that there is more; `none` = without figures. */
let figures: 'told' | 'none' = 'told';

const BACKENDS = ['messages', 'generateContent'] as const;
type BackendName = (typeof BACKENDS)[number];

beforeAll(async () => {
  recorder = await startRecorder();
});
// What one test learns of a window is nothing to the others.
beforeEach(async () => {
  gateway = await startGateway({
    backends: Object.fromEntries(
      BACKENDS.map((dialect) => [dialect, { dialect, baseUrl: recorder.url, retries: 0 } as const]),
    ),
    models: Object.fromEntries(BACKENDS.map((dialect) => [dialect, { backend: dialect }])),
  });
  recorder.seen.length = 0;
  room = 4000;
  figures = 'told';
  recorder.reply = answer;
});
afterEach(() => gateway.close());
afterAll(() => recorder.close());

function answer(response: ServerResponse, { path, body }: { readonly path: string; readonly body: string }): void {
  const dialect: BackendName = path.includes('/messages') ? 'messages' : 'generateContent';
  const size = JSON.stringify(turnsOf(JSON.parse(body))).length;
  if (size > room) {
    const [count, limit] = [Math.ceil(size / 4), Math.floor(room / 4)];
    json(response, 400, refusal(dialect, count, limit));
  } else if (/"stream":true|streamGenerate/.test(path + body)) {
    response.writeHead(200, EVENT_STREAM);
    response.end(FRAMES[dialect]('hi').join(''));
  } else json(response, 200, WHOLE[dialect]('hi'));
}

function refusal(dialect: BackendName, count: number, limit: number): object {
  const told = figures === 'told';
  if (dialect === 'messages') {
    const message = `prompt is too long${told ? `: ${count} tokens > ${limit} maximum` : ''}`;
    return { type: 'error', error: { type: 'invalid_request_error', message } };
  }
  const message = told
    ? `The input token count (${count}) exceeds the maximum number of tokens allowed (${limit}).`
    : 'The input token count exceeds the maximum number of tokens allowed.';
  return { error: { code: 400, message, status: 'INVALID_ARGUMENT' } };
}

function turnsOf(body: Tree): Tree[] {
  return body.messages ?? body.contents;
}

const WORDS = 'some words that take some room in a prompt '.repeat(8);
const say = (number: number) => ({ role: 'user', content: `question ${number}: ${WORDS}` });
const tell = (number: number) => ({ role: 'assistant', content: `answer ${number}: ${WORDS}` });
const call = (number: number) => ({
  type: 'function_call',
  call_id: `call_${number}`,
  name: 'look',
  arguments: `{"at":"${WORDS}"}`,
});
const output = (number: number) => ({ type: 'function_call_output', call_id: `call_${number}`, output: WORDS });

const HISTORY = [1, 2, 3, 4, 5, 6].flatMap((number) => [
  say(number),
  call(number),
  call(number + 10),
  output(number),
  output(number + 10),
  tell(number),
]);
const INPUT = [...HISTORY, say(7)];
const TOOLS = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} }, strict: false }];

function ask(model: BackendName, more: object = {}, headers: Record<string, string> = {}) {
  const body = { model, input: INPUT, instructions: 'Be brief.', tools: TOOLS, truncation: 'auto', ...more };
  return send(gateway.url, '/v1/responses', { body, headers });
}

function last(): Tree {
  return JSON.parse(recorder.seen.at(-1)?.body ?? '{}');
}

/** Ids, or names, of calls and of results that a body holds. */
function pairsIn(body: Tree): { calls: number; results: number } {
  const text = JSON.stringify(turnsOf(body));
  return {
    calls: text.match(/"type":"tool_use"|"functionCall"/g)?.length ?? 0,
    results: text.match(/"type":"tool_result"|"functionResponse"/g)?.length ?? 0,
  };
}

describe.each(BACKENDS)('%s', (model) => {
  test.each([
    ['told', 4000],
    ['told', 1500],
    ['none', 4000],
  ] as const)('figures %s, room for %i: what does not fit is left out, in whole rounds', async (said, size) => {
    figures = said;
    room = size;
    const { status, headers, body } = await ask(model);
    expect([status, body.status, body.truncation]).toEqual([200, 'completed', 'auto']);
    expect(recorder.seen.length).toBeGreaterThan(1);
    expect(recorder.seen.length).toBeLessThan(5);
    const sent = last();
    const [first] = turnsOf(sent);
    expect(first.role).toBe('user');
    expect(JSON.stringify(first)).toMatch(/question \d/);
    expect(JSON.stringify(turnsOf(sent).at(-1))).toContain('question 7');
    const { calls, results } = pairsIn(sent);
    expect(results).toBe(calls);
    expect(JSON.stringify(sent)).toContain('Be brief.');
    expect(JSON.stringify(sent)).not.toContain('question 1:');
    expect(headers['x-interlingua-loss']).toContain('truncate;kind=approximated;path="/truncation"');
  });

  test('no more is left out than has to be', async () => {
    room = JSON.stringify(INPUT).length * 0.75;
    await ask(model);
    expect(JSON.stringify(last())).toContain('question 4');
    expect(JSON.stringify(last())).not.toContain('question 1:');
  });

  test('a stream is asked for again as well', async () => {
    const { status, text } = await ask(model, { stream: true });
    expect(status).toBe(200);
    expect(text).toContain('response.completed');
  });

  test('what fits goes whole, and nothing is lost', async () => {
    room = 1_000_000;
    const { headers } = await ask(model, {}, { 'x-interlingua-losses': 'strict;allow="agents"' });
    expect(recorder.seen).toHaveLength(1);
    expect(headers['x-interlingua-loss'] ?? '').not.toContain('truncate');
  });

  test.each([['disabled'], [null], [undefined]])('with %j nothing is left out', async (truncation) => {
    const { status, body } = await ask(model, { truncation });
    expect([status, body.error.code]).toEqual([400, 'context_length_exceeded']);
    expect(recorder.seen).toHaveLength(1);
  });

  test('a single turn that is too long is refused', async () => {
    room = 100;
    const { status, body } = await ask(model, { input: [say(1)] });
    expect([status, body.error.code]).toEqual([400, 'context_length_exceeded']);
    expect(recorder.seen).toHaveLength(1);
  });

  test('so is one that does not fit by itself', async () => {
    room = 100;
    const { status, body } = await ask(model);
    expect([status, body.error.code]).toEqual([400, 'context_length_exceeded']);
    expect(recorder.seen.length).toBeLessThan(5);
  });

  test('strict does not let it happen', async () => {
    const { status, body } = await ask(model, {}, { 'x-interlingua-losses': 'strict;allow="agents"' });
    expect(status).toBe(400);
    expect(messageOf('responses', body)).toMatch(/\/truncation truncate approximated/);
    expect(recorder.seen).toHaveLength(1);
  });
});

test('the library tells of it, but for hosts that do it', () => {
  const options = {
    from: 'responses',
    to: 'messages',
    body: { model: 'm', input: INPUT, tools: TOOLS, truncation: 'auto' },
  } as const;
  const told = (losses: readonly { readonly feature: string }[]) =>
    losses.filter(({ feature }) => feature === 'truncate');
  expect(told(translateRequest(options).losses)).toHaveLength(1);
  expect(told(translateRequest({ ...options, truncates: true }).losses)).toEqual([]);
});

test('a history may begin anew where no call is answered later', () => {
  const text = { kind: 'text', text: 'x' } as const;
  const asked = (callId: string) => ({ kind: 'call', callId, name: 'f', args: { value: {} } }) as const;
  const given = (callId: string) => ({ kind: 'result', callId, parts: [text] }) as const;
  expect(
    laterBeginnings([
      { role: 'user', parts: [text] },
      { role: 'assistant', parts: [asked('a'), asked('b')] },
      { role: 'user', parts: [given('a'), text] },
      { role: 'user', parts: [text] },
      { role: 'user', parts: [given('b')] },
      { role: 'assistant', parts: [text] },
      { role: 'user', parts: [text] },
      { role: 'instruction', authority: 'system', parts: [text] },
      { role: 'user', parts: [text] },
    ]),
  ).toEqual([6, 8]);
});
