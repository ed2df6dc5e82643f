import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createFetch, type FetchCall, type FetchOptions } from '../../src/fetch/index.js';
import { roughCount } from '../../src/protocol/rough-count.js';
import { countTokens } from '../../src/protocol/vocabulary.js';
import { objectOf, objectsOf, stringOf } from '../../src/simulator/rules/index.js';
import type { Loss } from '../../translators/index.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { ASK, messageOf, STREAM } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { type FetchStage, NOWHERE, openFetchStage } from './stage.js';

let stage: FetchStage;
beforeAll(async () => {
  stage = await openFetchStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const MESSAGES = { model: 'any', max_tokens: 500, messages: [{ role: 'user', content: 'Hello' }] };
const CHAT = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] };
const post = (body: unknown, rest: RequestInit = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...rest,
});
const bodyOf = async (answer: Response) => objectOf(await answer.json());
const errorOf = async (answer: Response) => objectOf((await bodyOf(answer)).error);
/** What a body says, until its end or until it breaks. */
const readAll = async ({ body }: Response): Promise<string> => {
  let text = '';
  try {
    for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) text += piece;
  } catch {}
  return text;
};
const at = (path: string): string => `${NOWHERE}${path}`;

describe('paths', () => {
  test.each([
    ['/v1/messages', 'message'],
    ['/messages?beta=true', 'message'],
    ['//v1//messages/', 'message'],
  ])('%s is a conversation of messages', async (path, type) => {
    const answer = await stage.fetchTo('chatCompletions')(at(path), post(MESSAGES));
    expect([answer.status, (await bodyOf(answer)).type]).toEqual([200, type]);
  });

  test.each([
    '/v1/chat/completions',
    '/chat/completions',
    '/openai/v1/chat/completions',
    '/api/v1/chat/completions',
    '/v1beta/openai/chat/completions',
    '/openai/deployments/any/chat/completions?api-version=2024-10-21',
  ])('%s is one of chat completions', async (path) => {
    const answer = await stage.fetchTo('messages')(at(path), post(CHAT));
    expect([answer.status, (await bodyOf(answer)).object]).toEqual([200, 'chat.completion']);
    expect(stage.backends.messages.requests[0]?.path).toBe('/v1/messages');
  });

  test.each([
    '/v1beta/models/any:generateContent',
    '/v1/models/any:generateContent',
    '/v1beta1/projects/p/locations/l/publishers/google/models/any:generateContent',
  ])('%s is one of generateContent', async (path) => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
    const answer = await stage.fetchTo('responses')(at(path), post(body));
    expect([answer.status, Object.keys(await bodyOf(answer))]).toEqual([200, expect.arrayContaining(['candidates'])]);
  });

  test('a Request, a URL and every form of a body are taken', async () => {
    const ask = stage.fetchTo('messages');
    const bytes = new TextEncoder().encode(JSON.stringify(CHAT));
    const inputs: [string | URL | Request, RequestInit?][] = [
      [new Request(at('/v1/chat/completions'), post(CHAT))],
      [new URL(at('/v1/chat/completions')), post(CHAT)],
      [at('/v1/chat/completions'), { method: 'POST', body: bytes }],
      [at('/v1/chat/completions'), { method: 'post', body: new Blob([bytes]).stream() }],
    ];
    for (const [input, init] of inputs) expect((await ask(input, init)).status).toBe(200);
  });

  test.each([
    ['/v1/embeddings', {}, 'error.type'],
    ['/v1/messages/batches', {}, 'type'],
    ['/v1beta/files', {}, 'error.status'],
    ['/', {}, 'error.type'],
    ['/somewhere', { 'anthropic-version': '2023-06-01' }, 'type'],
  ])('%s is answered 404 in the dialect of the client, and never sent', async (path, headers, mark) => {
    const sent: unknown[] = [];
    const ask = stage.fetchTo('messages', { fetch: async (input) => sent.push(input) as never });
    const answer = await ask(at(path), post({ model: 'm' }, { headers }));
    expect([answer.status, sent]).toEqual([404, []]);
    expect(await answer.json()).toHaveProperty(mark);
  });

  test('a method that a path does not take is answered 405', async () => {
    expect((await stage.fetchTo('messages')(at('/v1/messages'))).status).toBe(405);
  });
});

describe('what is told of an answer', () => {
  test('its headers are those of the gateway', async () => {
    const body = { ...MESSAGES, top_k: 5, thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 4000 };
    const { status, headers } = await stage.fetchTo('responses')(at('/v1/messages'), post(body));
    expect(status).toBe(200);
    expect(headers.get('x-interlingua-dialect')).toBe('responses');
    expect(headers.get('x-interlingua-model')).toBe('gpt-5');
    expect(headers.get('x-interlingua-losses')).toMatch(/^2;minor=\d+$/);
    expect(headers.get('x-interlingua-loss')).toContain('sampling.topK;kind=dropped;path="/top_k"');
    expect(headers.get('request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(headers.get('content-type')).toBe('application/json');
  });

  test.each([{ stream: false }, { stream: true }])('onLosses is called once, when it is complete: %j', async (way) => {
    const told: [readonly Loss[], FetchCall][] = [];
    const ask = stage.fetchTo('responses', { onLosses: (losses, call) => told.push([losses, call]) });
    const answer = await ask(at('/v1/messages'), post({ ...MESSAGES, top_k: 5, ...way }));
    if (way.stream) expect(told).toEqual([]);
    await answer.text();
    expect(told).toHaveLength(1);
    const [[losses, call] = []] = told;
    expect(losses?.map(({ feature }) => feature)).toContain('sampling.topK');
    expect(call).toEqual({ from: 'messages', to: 'responses', model: 'gpt-5', status: 200, ...way });
  });

  test('it is called for refusals too', async () => {
    const told: number[] = [];
    const onLosses: FetchOptions['onLosses'] = (_losses, { status }) => told.push(status);
    stage.backends.messages.script({ kind: 'error', status: 400, message: 'No.' });
    for (const losses of ['report', 'strict'] as const)
      await stage.fetchTo('messages', { losses, onLosses })(at('/v1/chat/completions'), post({ ...CHAT, seed: 7 }));
    expect(told).toEqual([400, 400]);
  });

  test('strict refuses before anything is sent, and the header of a request wins', async () => {
    const ask = stage.fetchTo('messages', { losses: 'strict' });
    const refused = await ask(at('/v1/chat/completions'), post({ ...CHAT, seed: 7 }));
    expect([refused.status, (await errorOf(refused)).message]).toEqual([400, expect.stringContaining('/seed')]);
    expect(refused.headers.get('x-interlingua-losses')).toMatch(/^1;/);
    expect(stage.backends.messages.requests).toEqual([]);
    for (const value of ['report', 'strict;allow="sampling.*"']) {
      const headers = { 'x-interlingua-losses': value };
      expect((await ask(at('/v1/chat/completions'), post({ ...CHAT, seed: 7 }, { headers }))).status).toBe(200);
    }
    const allowing = stage.fetchTo('messages', { losses: { policy: 'strict', allow: ['sampling.*'] } });
    expect((await allowing(at('/v1/chat/completions'), post({ ...CHAT, seed: 7 }))).status).toBe(200);
  });

  test.each([
    ['messages', '/v1/chat/completions', 429],
    ['responses', '/v1/messages', 529],
    ['messages', '/v1/messages', 429],
  ] as const)('a refusal of a %s backend keeps its delay', async (backend, path, status) => {
    stage.backends[backend].script({
      kind: 'error',
      status: status === 529 ? 503 : status,
      retryAfter: 7,
      message: 'Slow.',
    });
    const answer = await stage.fetchTo(backend)(at(path), post(path.endsWith('messages') ? MESSAGES : CHAT));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '7']);
    expect(answer.headers.get('x-interlingua-dialect')).toBe(backend);
  });

  test('a refused key is told as it is', async () => {
    const ask = stage.fetchTo('messages', { apiKey: 'wrong' });
    const answer = await ask(at('/v1/chat/completions'), post(CHAT));
    expect([answer.status, (await errorOf(answer)).code]).toEqual([401, 'invalid_api_key']);
  });

  test('of an error body no more is read than its first megabyte', async () => {
    let read = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        read += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const ask = stage.fetchTo('messages', { fetch: async () => new Response(endless, { status: 400 }) });
    const answer = await ask(at('/v1/chat/completions'), post(CHAT));
    expect([answer.status, cancelled]).toEqual([400, true]);
    expect(read).toBeLessThan(2_000_000);
  });

  describe('of an answer no more is read than the options let', () => {
    const limit = 200_000;
    /** A backend that never ends, with what was read of it. */
    const endlessly = (head: string, type: string) => {
      const seen = { bytes: 0, cancelled: false };
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
          pull: (controller) => {
            // Held against a reader without a bound, which would go on for ever.
            if (seen.bytes > 50 * limit) return controller.close();
            seen.bytes += 65_536;
            controller.enqueue(new Uint8Array(65_536).fill(97));
          },
          cancel: () => {
            seen.cancelled = true;
          },
        },
        { highWaterMark: 0 },
      );
      const answer = () => new Response(body, { headers: { 'content-type': type } });
      return { seen, options: { maxAnswerBytes: limit, fetch: async () => answer() } };
    };
    /** That of a backend's failure; 502 is none of generateContent. */
    const statusOf = (client: FakeDialectName): number => (client === 'generateContent' ? 503 : 502);
    const clients = FAKE_DIALECTS.flatMap((client) => FAKE_DIALECTS.map((backend) => [client, backend] as const));

    test.each(clients)('whole, %s by %s', async (client, backend) => {
      const { seen, options } = endlessly('{"x":"', 'application/json');
      const { path, body } = ASK[client]('any');
      const answer = await stage.fetchTo(backend, options)(at(path), post(body));
      expect([answer.status, messageOf(client, await answer.json())]).toEqual([
        statusOf(client),
        'the backend sent an answer that is too large',
      ]);
      expect(seen).toEqual({ bytes: expect.any(Number), cancelled: true });
      expect(seen.bytes).toBeLessThan(2 * limit);
    });

    test.each(clients)('in one event of a stream, %s by %s', async (client, backend) => {
      const { seen, options } = endlessly('data: {"x":"', 'text/event-stream');
      const { path, body } = STREAM[client]('any');
      const answer = await stage.fetchTo(backend, options)(at(path), post(body));
      // Of a relayed stream the error stands behind what was passed on, and the connection may break.
      expect(await readAll(answer)).toMatch(/the backend sent a|longer than 200000/);
      expect(answer.status).toBe(client === backend ? 200 : statusOf(client));
      expect(seen).toEqual({ bytes: expect.any(Number), cancelled: true });
      expect(seen.bytes).toBeLessThan(2 * limit);
    });

    test('lists and counts too', async () => {
      for (const [path, init] of [
        ['/v1/models', {}],
        ['/v1/models/any', {}],
        ['/v1/messages/count_tokens', post(MESSAGES)],
      ] as const) {
        const { seen, options } = endlessly('{"x":"', 'application/json');
        const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
        const answer = await stage.fetchTo('messages', options)(at(path), { ...init, headers });
        expect([answer.status, seen.cancelled]).toEqual([502, true]);
        messageOf('messages', await answer.json());
      }
    });

    test.each([0, 1.5, -1, '9', Number.NaN])('%p is no such option', (value) => {
      expect(() => stage.fetchTo('messages', { maxAnswerBytes: value as number })).toThrow(
        'createFetch: maxAnswerBytes: must be a whole number above 0',
      );
    });
  });

  test('where nothing listens the answer is a 502', async () => {
    const answer = await createFetch({ to: 'messages', baseUrl: NOWHERE })(at('/v1/chat/completions'), post(CHAT));
    expect([answer.status, (await errorOf(answer)).message]).toEqual([502, 'the backend cannot be reached']);
  });

  test.each([
    ['{', 'valid JSON'],
    ['', 'empty'],
    ['[]', 'JSON object'],
    ['{"messages":[]}', 'a model is required'],
    [`${'['.repeat(200)}`, 'levels deep'],
  ])('the body %j is refused', async (body, word) => {
    const answer = await stage.fetchTo('messages')(at('/v1/chat/completions'), post(body));
    expect([answer.status, (await errorOf(answer)).message]).toEqual([400, expect.stringContaining(word)]);
  });

  test('no state is kept', async () => {
    const body = { model: 'any', input: 'Go on.', previous_response_id: 'resp_1' };
    const answer = await stage.fetchTo('messages')(at('/v1/responses'), post(body));
    expect([answer.status, (await errorOf(answer)).code]).toEqual([400, 'previous_response_not_found']);
  });
});

describe('the same dialect', () => {
  test('bytes pass, but for the name of the model and the credentials', async () => {
    const odd = '{ "model":"any",  "max_tokens": 5e2, "messages":[{"role":"user","content":"\\u0048i"}] }';
    const headers = {
      'x-api-key': 'unused',
      'anthropic-beta': 'some-beta',
      'anthropic-version': '2023-06-01',
      cookie: 'c=1',
    };
    const answer = await stage.fetchTo('messages')(at('/v1/messages?beta=true'), post(odd, { headers }));
    const [request] = stage.backends.messages.requests;
    expect(answer.status).toBe(200);
    expect(request?.raw).toBe(odd.replace('"any"', '"claude-sonnet-4-5"'));
    expect(request?.path).toBe('/v1/messages?beta=true');
    expect(request?.headers).toMatchObject({ 'x-api-key': 'a-key-of-the-backend', 'anthropic-beta': 'some-beta' });
    expect(request?.headers).not.toHaveProperty('cookie');
    expect(answer.headers.get('x-interlingua-losses')).toBe('0');
  });

  test('answers and streams come as they are', async () => {
    const body = '{"id":"msg_1", "type":"message","role":"assistant","content":[],"odd":1e0}';
    stage.backends.messages.script({
      kind: 'raw',
      status: 200,
      headers: { 'content-type': 'application/json' },
      chunks: [body],
    });
    expect(await (await stage.fetchTo('messages')(at('/v1/messages'), post(MESSAGES))).text()).toBe(body);
    stage.backends.messages.script({ kind: 'text', text: 'one two three' });
    const seen: string[] = [];
    const watching: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      seen.push(await answer.clone().text());
      return answer;
    };
    const ask = stage.fetchTo('messages', { fetch: watching });
    const answer = await ask(at('/v1/messages'), post({ ...MESSAGES, stream: true }));
    expect(await answer.text()).toBe(seen[0]);
  });
});

describe('an abort', () => {
  const hasName = { name: 'AbortError' };

  test('before the call, and with a signal of a Request', async () => {
    const ask = stage.fetchTo('messages');
    const signal = AbortSignal.abort();
    await expect(ask(at('/v1/chat/completions'), post(CHAT, { signal }))).rejects.toMatchObject(hasName);
    await expect(ask(new Request(at('/v1/chat/completions'), post(CHAT, { signal })))).rejects.toMatchObject(hasName);
    expect(stage.backends.messages.requests).toEqual([]);
  });

  test('while the backend thinks, whether its fetch follows or not', async () => {
    const never: typeof fetch = () => new Promise(() => {});
    stage.backends.messages.script({ kind: 'text', text: 'late', delayMs: 5000 });
    for (const options of [{}, { fetch: never }]) {
      const aborter = new AbortController();
      const asked = stage.fetchTo('messages', options)(
        at('/v1/chat/completions'),
        post(CHAT, { signal: aborter.signal }),
      );
      setTimeout(() => aborter.abort(), 50);
      await expect(asked).rejects.toMatchObject(hasName);
    }
  });

  test.each(['/v1/chat/completions', '/v1/messages'])('in a stream at %s', async (path) => {
    stage.backends.messages.script({ kind: 'text', text: 'one two three four five six seven', paceMs: 200 });
    const aborter = new AbortController();
    const told: unknown[] = [];
    const body = { ...(path.endsWith('messages') ? MESSAGES : CHAT), stream: true };
    const ask = stage.fetchTo('messages', { onLosses: (losses) => told.push(losses) });
    const { body: stream } = await ask(at(path), post(body, { signal: aborter.signal }));
    const reader = stream?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    const rest = (async () => {
      while (reader !== undefined && !(await reader.read()).done);
    })();
    aborter.abort();
    await expect(rest).rejects.toMatchObject(hasName);
    await until(() => stage.backends.messages.aborted > 0);
    expect([stage.backends.messages.aborted, told]).toEqual([1, []]);
  });
});

describe('back pressure', () => {
  test.each(['/v1/messages', '/v1/chat/completions'])('nothing is read ahead of a client at %s', async (path) => {
    const event = (text: string): string =>
      `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\n\n`;
    const begin = `event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n`;
    let pulled = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(new TextEncoder().encode(pulled === 1 ? begin : event(`word ${pulled} `)));
        },
      },
      { highWaterMark: 0 },
    );
    const endless: typeof fetch = async () =>
      new Response(source, { headers: { 'content-type': 'text/event-stream' } });
    const ask = stage.fetchTo('messages', { fetch: endless });
    const body = { ...(path.endsWith('messages') ? MESSAGES : CHAT), stream: true };
    const answer = await ask(at(path), post(body));
    const reader = answer.body?.getReader();
    for (let pieces = 0; pieces < 5; pieces += 1) await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(pulled).toBeLessThan(10);
    await reader?.cancel();
  });
});

test('it may stand in the place of the global fetch', async () => {
  const before = globalThis.fetch;
  globalThis.fetch = stage.fetchTo('messages');
  try {
    const answer = await fetch(at('/v1/chat/completions'), post(CHAT));
    expect([answer.status, stage.backends.messages.requests.length]).toEqual([200, 1]);
  } finally {
    globalThis.fetch = before;
  }
});

describe('counts and lists', () => {
  const COUNTS: Partial<Record<FakeDialectName, [path: string, body: unknown, key: string]>> = {
    messages: ['/v1/messages/count_tokens', { model: 'any', messages: MESSAGES.messages }, 'input_tokens'],
    responses: ['/v1/responses/input_tokens', { model: 'any', input: 'Hello' }, 'input_tokens'],
    generateContent: ['/v1beta/models/any:countTokens', { contents: [{ parts: [{ text: 'Hello' }] }] }, 'totalTokens'],
  };

  test.each(
    Object.keys(COUNTS).flatMap((client) =>
      FAKE_DIALECTS.map((backend) => [client as FakeDialectName, backend] as const),
    ),
  )('a %s client counts with a %s backend', async (client, backend) => {
    const [path, body, key] = COUNTS[client] ?? ['', {}, ''];
    const told: FetchCall[] = [];
    const answer = await stage.fetchTo(backend, { onLosses: (_losses, call) => told.push(call) })(at(path), post(body));
    expect(answer.status).toBe(200);
    expect((await bodyOf(answer))[key]).toBeGreaterThan(0);
    const estimated = backend === 'chatCompletions';
    expect(answer.headers.get('x-interlingua-estimate')).toBe(estimated ? 'true' : null);
    expect(told).toMatchObject([{ from: client, to: backend, status: 200, stream: false }]);
    expect(stage.backends[backend].requests).toHaveLength(estimated ? 0 : 1);
  });

  const LISTS = [
    ['/v1/models', {}, 'data'],
    ['/v1/models', { 'anthropic-version': '2023-06-01' }, 'has_more'],
    ['/v1beta/models', {}, 'models'],
    ['/v1/models', { 'x-goog-api-key': 'unused' }, 'models'],
  ] as const;

  test.each(LISTS.flatMap((list) => FAKE_DIALECTS.map((backend) => [...list, backend] as const)))(
    '%s with %j has the key %s, by the list of a %s backend',
    async (path, headers, key, backend) => {
      const ask = stage.fetchTo(backend, { model: { fast: 'any' } });
      const answer = await ask(at(path), { headers });
      const list = await bodyOf(answer);
      expect([answer.status, list]).toEqual([200, expect.objectContaining({ [key]: expect.anything() })]);
      expect(JSON.stringify(list)).toContain('fast');
      const ids = objectsOf(list.data ?? list.models).map(({ id, name }) => stringOf(id ?? name));
      expect(ids.length).toBeGreaterThan(1);
      const one = await ask(at(`${path}/${ids.at(-1)?.replace(/^models\//, '')}`), { headers });
      expect([one.status, (await bodyOf(one)).error]).toEqual([200, undefined]);
      // That fake knows every name.
      if (backend === 'generateContent') return;
      expect((await ask(at(`${path}/no-such-model`), { headers })).status).toBe(404);
    },
  );
});

describe('an estimate', () => {
  const body = { model: 'any', input: 'Hello there, and welcome.' };
  const estimated = async (options: Partial<FetchOptions>): Promise<number> => {
    const answer = await stage.fetchTo('chatCompletions', options)(at('/v1/responses/input_tokens'), post(body));
    expect(answer.headers.get('x-interlingua-estimate')).toBe('true');
    return ((await answer.json()) as { input_tokens: number }).input_tokens;
  };

  test('is made by the counter among the options, else roughly', async () => {
    const heard: string[] = [];
    const count = (text: string): number => {
      heard.push(text);
      return 1000;
    };
    expect(await estimated({ countTokens: count })).toBeGreaterThanOrEqual(1000);
    expect(heard.join('')).toContain('Hello there');
    const exact = await estimated({ countTokens });
    expect(Math.abs((await estimated({})) - exact)).toBeLessThanOrEqual(2);
  });

  test.each([
    ['prose', readFileSync('README.md', 'utf8')],
    ['code', readFileSync('src/fetch/options.ts', 'utf8')],
    ['JSON', readFileSync('page/translate/examples.json', 'utf8')],
    [
      'German',
      'Die Übersetzung zwischen den Schnittstellen verschiedener Anbieter ist verlustbehaftet, aber nachvollziehbar.',
    ],
    ['Chinese', '敏捷的棕色狐狸跳过了懒狗。在这个网关中，每个请求都会被翻译成目标方言，并且不会丢失任何内容。'],
    [
      'Russian',
      'Быстрая коричневая лиса прыгает через ленивую собаку. Перевод между диалектами сохраняет смысл запроса.',
    ],
    ['Arabic', 'الثعلب البني السريع يقفز فوق الكلب الكسول. تتم ترجمة كل طلب إلى اللهجة المستهدفة.'],
  ])('without a vocabulary is within a quarter of it: %s', (_name, text) => {
    const exact = countTokens(text);
    expect(roughCount(text)).toBeGreaterThan(exact * 0.75);
    expect(roughCount(text)).toBeLessThan(exact * 1.25);
  });
});

describe('media', () => {
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const url = 'https://pictures.example/one.png';
  const body = { ...CHAT, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] };

  test('is fetched by the function among the options, and by nothing else', async () => {
    const asked: string[] = [];
    const media = async (of: string): Promise<Uint8Array> => {
      asked.push(of);
      return Buffer.from(PIXEL, 'base64');
    };
    const answer = await stage.fetchTo('generateContent', { media })(at('/v1/chat/completions'), post(body));
    expect([answer.status, asked]).toEqual([200, [url]]);
    expect(stage.backends.generateContent.requests[0]?.raw).toContain(PIXEL);
  });

  test('that cannot be had is the fault of the request', async () => {
    const media = () => Promise.reject(new Error('gone'));
    const answer = await stage.fetchTo('generateContent', { media })(at('/v1/chat/completions'), post(body));
    expect([answer.status, (await errorOf(answer)).message]).toEqual([400, expect.stringContaining('cannot be had')]);
  });
});

describe('models', () => {
  test.each<[FetchOptions['model'], string]>([
    ['one', 'one'],
    [{ any: 'two', other: 'three' }, 'two'],
    [{ other: 'three' }, 'any'],
    [(model) => `${model}-x`, 'any-x'],
    [undefined, 'any'],
  ])('%j names %s', async (model, named) => {
    const answer = await stage.fetchTo('chatCompletions', { model })(at('/v1/messages'), post(MESSAGES));
    expect(answer.headers.get('x-interlingua-model')).toBe(named);
    expect(stage.backends.chatCompletions.requests[0]?.body).toMatchObject({ model: named });
    expect(await answer.json()).toMatchObject({ model: 'any' });
  });
});

describe('the limits of a model', () => {
  const limits = { contextWindow: 32_768, maxOutput: 300 };

  test('are shown in lists, in place of what the backend tells', async () => {
    const theirs = objectsOf((await bodyOf(await stage.fetchTo('messages')(at('/v1/models')))).data).at(-1);
    const limited = { ...limits, model: { mine: stringOf(theirs?.id) ?? '' } };
    for (const path of ['/v1/models', '/v1/models/mine']) {
      const read = async (headers: Record<string, string>) => {
        const body = await bodyOf(await stage.fetchTo('messages', limited)(at(path), { headers }));
        return Array.isArray(body.data) ? objectsOf(body.data).find(({ id }) => id === 'mine') : body;
      };
      expect(await read({ 'anthropic-version': '2023-06-01' })).toMatchObject({
        max_input_tokens: 32_768,
        max_tokens: 300,
      });
      expect(await read({})).toMatchObject({ context_length: 32_768, max_model_len: 32_768, max_output_tokens: 300 });
    }
  });

  test('bound the cap of what is translated', async () => {
    await stage.fetchTo('chatCompletions', limits)(at('/v1/messages'), post(MESSAGES));
    const [{ body = {} } = {}] = stage.backends.chatCompletions.requests;
    const { max_tokens, max_completion_tokens } = objectOf(body);
    expect(max_completion_tokens ?? max_tokens).toBe(300);
  });
});

describe('options that cannot be meant throw at once', () => {
  const GOOD = { to: 'messages', baseUrl: 'https://api.anthropic.com' } as const;

  test.each<[string, object]>([
    ['to', { ...GOOD, to: 'anthropic' }],
    ['to', { baseUrl: GOOD.baseUrl }],
    ['baseUrl', { to: 'messages' }],
    ['baseUrl', { ...GOOD, baseUrl: 'api.anthropic.com' }],
    ['baseUrl', { ...GOOD, baseUrl: 'ftp://api.anthropic.com' }],
    ['baseUrl', { ...GOOD, baseUrl: 'https://api.anthropic.com/v1/messages' }],
    ['apiKey', { ...GOOD, apiKey: '' }],
    ['apiKey', { ...GOOD, apiKey: 7 }],
    ['auth', { ...GOOD, auth: 'basic' }],
    ['headers', { ...GOOD, headers: { 'a b': 'c' } }],
    ['model', { ...GOOD, model: '' }],
    ['model', { ...GOOD, model: { a: 7 } }],
    ['model', { ...GOOD, model: 7 }],
    ['losses', { ...GOOD, losses: 'stric' }],
    ['losses', { ...GOOD, losses: { policy: 'strict', allow: ['sampling.topk'] } }],
    ['onLosses', { ...GOOD, onLosses: 'log' }],
    ['media', { ...GOOD, media: true }],
    ['countTokens', { ...GOOD, countTokens: 4 }],
    ['fetch', { ...GOOD, fetch: null }],
    ['contextWindow', { ...GOOD, contextWindow: 0 }],
    ['contextWindow', { ...GOOD, contextWindow: '32k' }],
    ['maxOutput', { ...GOOD, maxOutput: 1.5 }],
    ['maxOutput', { ...GOOD, contextWindow: 10, maxOutput: 11 }],
    ['apikey', { ...GOOD, apikey: 'x' }],
  ])('%s of %j', (option, options) => {
    expect(() => createFetch(options as FetchOptions)).toThrow(new RegExp(`^createFetch: ${option}: `));
  });

  test('the word of the gateway for a misspelt one is near', () => {
    expect(() => createFetch({ ...GOOD, apikey: 'x' } as FetchOptions)).toThrow('did you mean `apiKey`?');
  });
});
