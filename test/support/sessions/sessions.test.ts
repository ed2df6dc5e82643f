import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { tableOf } from '../dialects/index.js';
import { type FakeBackend, type FakeDialectName, startFakeBackend } from '../fake-backend/index.js';
import { describeError } from './errors.js';
import { createSession } from './index.js';
import type { SessionOptions } from './session.js';

const DIALECTS = ['messages', 'responses', 'generateContent', 'chatCompletions'] as const;
const WAYS = [{ stream: false }, { stream: true }] as const;
const TABLE = DIALECTS.flatMap((dialect) => WAYS.map(({ stream }) => ({ dialect, stream })));
const KEY = 'key-of-the-fake-backend';

const WEATHER = {
  name: 'weather',
  description: 'Weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const ADVICE = { dark: true, words: ['grey', 'wet'] };
const CALLS = [
  { name: 'weather', arguments: { city: 'Zürich' } },
  { name: 'weather', arguments: { city: 'Oslo' } },
];

/**
 * The drivers themselves, each against the fake of its own dialect with nothing in between: what fails here is a fault
 * of a driver or a fake and not of the gateway.
 */
describe.each(TABLE)('the $dialect session, stream: $stream', ({ dialect, stream }) => {
  let backend: FakeBackend;
  beforeAll(async () => {
    backend = await startFakeBackend(dialect, { apiKey: KEY, ...STRICTNESS[dialect] });
  });
  afterAll(() => backend.close());
  beforeEach(() => backend.reset());

  const open = (options: Partial<SessionOptions> = {}) =>
    createSession(dialect, backend.url, { model: `some-${dialect}`, apiKey: KEY, ...options });

  test('holds a conversation of two turns', async () => {
    backend.script([
      { kind: 'text', text: 'One two three four five six seven eight.', usage: { input: 90, cached: 40, output: 12 } },
      { kind: 'text', text: 'Nine.' },
    ]);
    const session = open({ system: 'Count.' });
    session.user('Begin.');
    const first = await session.send({ stream });
    expect(first).toMatchObject({
      text: 'One two three four five six seven eight.',
      calls: [],
      finish: 'end',
      usage: { input: 90, cached: 40, output: 12 },
    });
    if (stream) expect(first.pieces.length).toBeGreaterThan(1);
    session.user('Go on.');
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Nine.', finish: 'end' });
    expect(backend.requests[1]?.raw).toMatch(/One two three.*seven eight/);
  });

  test('runs a tool loop with reasoning and two parallel calls', async () => {
    backend.script([
      { kind: 'reasoning+calls', reasoning: 'Both cities are asked for.', calls: CALLS },
      { kind: 'reasoning+calls', reasoning: 'Once more.', calls: CALLS.slice(1) },
      { kind: 'text', reasoning: 'Enough is known.', text: 'Grey in both.' },
      { kind: 'text', text: 'You are welcome.' },
    ]);
    const session = open({ tools: [WEATHER], reasoning: true });
    session.user('Weather in Zürich and Oslo?');
    const first = await session.send({ stream });
    expect(first.finish).toBe('calls');
    expect(first.calls.map(({ name, args }) => ({ name, arguments: args }))).toEqual(CALLS);
    expect(first.reasoning).toContain('Both cities are asked for.');
    session.results(first.calls.map(({ id, name }) => ({ id, name, output: 'rain' })));
    const second = await session.send({ stream });
    session.results(second.calls.map(({ id, name }) => ({ id, name, output: 'fog' })));
    const third = await session.send({ stream });
    expect(third).toMatchObject({ text: 'Grey in both.', finish: 'end' });
    session.user('Thanks.');
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'You are welcome.' });
  });

  test('asks for a schema, a tool choice and a cap, and shows a picture', async () => {
    backend.script({ kind: 'json', value: ADVICE });
    const schema = {
      type: 'object',
      properties: { dark: { type: 'boolean' }, words: { type: 'array', items: { type: 'string' } } },
      required: ['dark', 'words'],
      additionalProperties: false,
    };
    const session = open({ schema, maxTokens: 640 });
    session.user('What is it?', { mime: 'image/png', base64: PIXEL });
    expect(JSON.parse((await session.send({ stream })).text)).toEqual(ADVICE);
    expect(backend.requests[0]?.raw).toContain(PIXEL);
    expect(backend.requests[0]?.raw).toContain('640');
    const forced = open({ tools: [WEATHER], toolChoice: { name: 'weather' } });
    forced.user('Weather?');
    await forced.send({ stream });
    expect(JSON.stringify(backend.requests[1]?.body[CHOICE[dialect]])).toContain('weather');
  });

  test('tells refusals and truncations apart from ends', async () => {
    backend.script([
      { kind: 'refusal', text: 'I will not.' },
      { kind: 'truncated', text: 'Cut in the' },
    ]);
    const session = open();
    session.user('Do it.');
    expect((await session.send({ stream })).finish).toBe('refusal');
    const other = open();
    other.user('Write.');
    expect(await other.send({ stream })).toMatchObject({ text: 'Cut in the', finish: 'length' });
  });

  test('surfaces errors as the SDK does', async () => {
    const fail = async (options: Partial<SessionOptions> = {}) => {
      const session = open(options);
      session.user('Hello.');
      return session.send({ stream }).then(() => undefined, describeError);
    };
    expect(await fail({ apiKey: 'wrong-key' })).toMatchObject({ sdk: true, ...BAD_KEY[dialect] });
    backend.script({ kind: 'error', status: 429, message: 'Slow down.', retryAfter: 7 });
    const limited = await fail();
    expect(limited).toMatchObject({ sdk: true, status: 429, retryAfter: 7 });
    expect(limited?.message).toContain('Slow down.');
    backend.script({ kind: 'midstreamError', text: 'One two three four five six seven.', after: 1 });
    expect(await fail()).toMatchObject({ sdk: true, type: OVERLOADED[dialect] });
    backend.script({ kind: 'cut', text: 'One two three four five six seven.', after: 1, reset: true });
    expect(await fail()).toBeDefined();
  });
});

const STRICTNESS = tableOf('fakeOptions');

const CHOICE: Record<FakeDialectName, string> = {
  messages: 'tool_choice',
  responses: 'tool_choice',
  generateContent: 'toolConfig',
  chatCompletions: 'tool_choice',
};

const BAD_KEY: Record<FakeDialectName, object> = {
  messages: { status: 401, type: 'authentication_error' },
  responses: { status: 401, code: 'invalid_api_key' },
  generateContent: { status: 400, type: 'INVALID_ARGUMENT' },
  chatCompletions: { status: 401, code: 'invalid_api_key' },
};

const OVERLOADED: Record<FakeDialectName, string> = {
  messages: 'overloaded_error',
  responses: 'server_error',
  generateContent: 'UNAVAILABLE',
  chatCompletions: 'server_error',
};
