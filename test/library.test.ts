import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import {
  createStreamTranslator,
  decodeRequest,
  decodeResponse,
  detectDialect,
  dialectIds,
  dialects,
  encodeRequest,
  encodeResponse,
  type ProfileChoice,
  requirements,
  TranslationError,
  translateError,
  translateRequest,
  translateResponse,
  translateStream,
} from '../translators/index.js';
import { agentConversation } from './support/agent-conversation.js';
import { answerStream, FRAMES } from './support/answers.js';
import { tableOf } from './support/dialects/index.js';
import { CROSS_PAIRS } from './support/pairs.js';

const MODELS = tableOf('model');

const ASK = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };

const WITH_SCHEMA = tableOf('requestWithSchema');

/** A value and everything in it, frozen. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) frozen(child);
    Object.freeze(value);
  }
  return value;
}

describe('requests', () => {
  test.each(CROSS_PAIRS)('%s to %s: nothing that was given is changed', (from, to) => {
    const body = frozen(agentConversation(from, 3));
    const { value } = decodeRequest(from, body, { model: 'm' });
    expect(encodeRequest(to, frozen(value), { model: MODELS[to] }).value).toEqual(
      translateRequest({ from, to, body, model: MODELS[to] }).body,
    );
  });

  test.each(CROSS_PAIRS)('%s to %s: an ordinary agent loop passes strict', (from, to) => {
    const conversation = agentConversation(from, 3);
    expect(() => translateRequest({ from, to, body: conversation, model: MODELS[to], strict: true })).not.toThrow();
  });

  test('names the features that a messages service takes the body with only when asked', () => {
    const tools = [
      { type: 'mcp', server_label: 'w', server_url: 'https://mcp.example.org', require_approval: 'never' },
    ];
    const options = { from: 'responses', to: 'messages', model: MODELS.messages } as const;
    const { betas } = translateRequest({ ...options, body: { model: 'm', input: 'hi', tools } });
    expect(betas).toEqual(['mcp-client-2025-11-20']);
    expect(translateRequest({ ...options, body: { model: 'm', input: 'hi' } }).betas).toEqual([]);
    const { value } = decodeRequest('responses', { model: 'm', input: 'hi', tools });
    expect(encodeRequest('messages', value, { model: MODELS.messages }).betas).toEqual(betas);
    expect(encodeRequest('responses', value, { model: MODELS.responses }).betas).toEqual([]);
  });

  test('strict throws and names what would be lost; allowed features pass', () => {
    const options = { from: 'messages', to: 'responses', body: { ...ASK, top_k: 5 }, model: 'gpt-5' } as const;
    const thrown = thrownBy(() => translateRequest({ ...options, strict: true }));
    expect(thrown).toMatchObject({ kind: 'unsupported', path: '/top_k', dialect: 'messages' });
    expect(thrown.message).toContain('/top_k sampling.topK dropped');
    expect(thrown.losses).toEqual([expect.objectContaining({ path: '/top_k', kind: 'dropped' })]);
    expect(translateRequest({ ...options, strict: true, allow: ['sampling.*'] }).losses).toHaveLength(1);
  });

  test('a body that is not of the dialect: the path of the fault', () => {
    const body = { ...ASK, messages: [{ role: 'user', content: [{ type: 'text', text: 7 }] }] };
    const thrown = thrownBy(() => translateRequest({ from: 'messages', to: 'responses', body }));
    expect(thrown).toMatchObject({ kind: 'invalid_request', path: '/messages/0/content/0/text', dialect: 'messages' });
  });

  test('a part without anything in it is refused, as its service does', () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }, {}] }] };
    const thrown = thrownBy(() => translateRequest({ from: 'generateContent', to: 'messages', body, model: 'm' }));
    expect(thrown).toMatchObject({ kind: 'invalid_request', path: '/contents/0/parts/1' });
  });

  test.each(['messages', 'responses', 'chatCompletions'] as const)('no model in URL or body, towards %s', (to) => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
    const thrown = thrownBy(() => translateRequest({ from: 'generateContent', to, body }));
    expect(thrown).toMatchObject({ kind: 'invalid_request', path: '/$url/model' });
    expect(translateRequest({ from: 'generateContent', to: 'generateContent', body }).body).toEqual(body);
    expect(translateRequest({ from: 'generateContent', to, body: { ...body, model: 'models/m' } }).model).toBe('m');
  });

  test.each([
    ['prefil', { prefil: true }],
    ['thinking.control2', { thinking: { control2: 'none' } }],
    ['samplingDefaults.top_k', { samplingDefaults: { top_k: 4 } }],
  ])('a flag that no profile has is named, for it would change nothing: %s', (flag, given) => {
    const profile = given as ProfileChoice;
    const named = { kind: 'invalid_request', message: `a profile has no flag \`${flag}\`` };
    const options = { from: 'messages', to: 'responses', profile } as const;
    expect(thrownBy(() => translateRequest({ ...options, body: ASK }))).toMatchObject(named);
    expect(thrownBy(() => translateResponse({ ...options, body: {} }))).toMatchObject(named);
    expect(thrownBy(() => decodeResponse('messages', {}, { profile }))).toMatchObject(named);
  });

  test('so is one that no server has', () => {
    const profile = { server: { stopmax: 4 } } as ProfileChoice;
    const thrown = thrownBy(() => translateRequest({ from: 'messages', to: 'chatCompletions', body: ASK, profile }));
    expect(thrown).toMatchObject({ kind: 'invalid_request', message: 'a profile has no flag `server.stopmax`' });
  });

  test('model and streaming choice travel beside the body where they stand in the URL', () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
    const out = translateRequest({ from: 'generateContent', to: 'responses', body, model: 'gpt-5', stream: true });
    expect(out.body).toMatchObject({ model: 'gpt-5', stream: true });
    const back = translateRequest({ from: 'responses', to: 'generateContent', body: out.body });
    expect(back).toMatchObject({ model: 'gpt-5', stream: true });
    expect(back.body).not.toHaveProperty('model');
  });

  test.each(['messages', 'generateContent'] as const)('STA-01: an answer that nobody stored, towards %s', (to) => {
    const body = { model: 'm', input: 'hi', previous_response_id: 'resp_x' };
    const thrown = thrownBy(() => translateRequest({ from: 'responses', to, body, model: MODELS[to] }));
    expect(thrown).toMatchObject({ kind: 'invalid_request', path: '/previous_response_id' });
    expect(thrown.code).toBe('previous_response_not_found');
  });

  test('what a host has to fetch is told, and used when it is given', () => {
    const url = 'https://example.org/a.png';
    const body = { ...ASK, messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }] };
    const { value } = decodeRequest('messages', body);
    const profile = dialects.generateContent.target('gemini-3-pro');
    expect(requirements(value, profile).media).toEqual([{ url, path: '/messages/0/content/0' }]);
    const media = new Map([[url, { mime: 'image/png', base64: 'iVBORw0KGgo=' }]]);
    const { value: encoded } = encodeRequest('generateContent', value, { model: 'gemini-3-pro', media });
    expect(JSON.stringify(encoded)).toContain('"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="');
    const thrown = thrownBy(() => encodeRequest('generateContent', value, { model: 'gemini-3-pro' }));
    expect(thrown).toMatchObject({ kind: 'unsupported', path: '/messages/0/content/0' });
  });
});

describe('Zod schemas in the place of JSON Schema', () => {
  const four = z.object({ city: z.string(), days: z.number().optional() });
  const three = z3.object({ city: z3.string(), days: z3.number().optional() });

  test.each([
    ['zod 4', four],
    ['zod 3', three],
  ])('%s: tools and the answer, from every dialect', (_name, schema) => {
    for (const from of dialectIds) {
      const { value } = decodeRequest(from, WITH_SCHEMA[from](schema), { model: 'm' });
      const expected = {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'number' } },
        required: ['city'],
      };
      expect(value.tools[0]).toMatchObject({ name: 'f', schema: expected });
      expect(value.output).toMatchObject({ kind: 'schema', schema: expected });
    }
  });
});

describe('answers, streams and errors', () => {
  test('an answer goes through the model in two steps or one', () => {
    const body = {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
      responseId: 'r',
      modelVersion: 'g',
    };
    const { value } = decodeResponse('generateContent', body);
    expect(encodeResponse('messages', value).value).toEqual(
      translateResponse({ from: 'generateContent', to: 'messages', body, now: 0 }).body,
    );
  });

  test('a pull stream gives what the push translator gives', async () => {
    const bytes = new TextEncoder().encode(answerStream('messages', 5).join(''));
    const options = { from: 'messages', to: 'responses', now: 1 } as const;
    const translator = createStreamTranslator(options);
    const pushed = translator.push(bytes) + translator.end();
    const source = new Blob([bytes]).stream() as ReadableStream<Uint8Array>;
    expect(await new Response(translateStream(source, options)).text()).toBe(pushed);
    expect(pushed).toContain('event: response.completed');
  });

  test.each(dialectIds)('%s to itself: the same bytes, and an error when the last word is missing', (dialect) => {
    const [first = '', ...rest] = FRAMES[dialect]('The answer.');
    const stream = [first, ...rest].join('');
    const whole = createStreamTranslator({ from: dialect, to: dialect });
    expect(whole.push(stream) + whole.end()).toBe(stream);
    const cut = createStreamTranslator({ from: dialect, to: dialect });
    expect(cut.push(first)).toBe(first);
    expect(cut.end()).toContain('"error"');
  });

  test('an error keeps its meaning and gets the shape of the client', () => {
    const body = {
      error: { message: 'slow down', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
    };
    const out = translateError({
      from: 'responses',
      to: 'messages',
      status: 429,
      body,
      headers: { 'retry-after': '7' },
    });
    expect(out.status).toBe(429);
    expect(out.headers['retry-after']).toBe('7');
    expect(out.body).toMatchObject({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } });
  });
});

test('the dialect of a body is recognised', () => {
  for (const dialect of dialectIds) expect(detectDialect(agentConversation(dialect, 1))).toBe(dialect);
  expect(detectDialect({ hello: 1 })).toBeUndefined();
  expect(detectDialect(null)).toBeUndefined();
});

function thrownBy(work: () => unknown): TranslationError {
  try {
    work();
  } catch (error) {
    if (error instanceof TranslationError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
