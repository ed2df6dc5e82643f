import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHandler, type HandlerOptions, type HandlerRecord } from '../../src/handler/index.js';
import { BACKEND_KEY, GATEWAY_KEY, openFakes, openHandlerStage, type Stage, waysTo } from '../sdk/stage.js';
import { FAKE_DIALECTS as DIALECTS } from '../support/fake-backend/index.js';
import { framesQuoting, saying } from '../support/quoting.js';

/** The options of a test beside what a stage gives. */
type Changes = Partial<HandlerOptions>;

let stage: Stage;
beforeAll(async () => {
  stage = await openHandlerStage(await openFakes());
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

/** Where nothing listens. */
const NOWHERE = 'http://127.0.0.1:9';
const ORIGIN = 'http://handler.example';
const HELLO = { max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }] };

const made = (changes: Changes = {}): ((request: Request) => Promise<Response>) =>
  createHandler({ ...waysTo(stage), keys: [{ name: 'tests', key: GATEWAY_KEY }], ...changes });

/** A request of an SDK. */
function ask(path: string, body: unknown, init: RequestInit & { key?: string } = {}): Request {
  const { key = GATEWAY_KEY, headers, ...rest } = init;
  return new Request(`${ORIGIN}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...rest,
  });
}

const hello = (model: string, init: RequestInit & { key?: string } = {}): Request =>
  ask('/v1/messages', { ...HELLO, model }, init);

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Request =>
  new Request(`${ORIGIN}${path}`, { method, headers: { authorization: `Bearer ${GATEWAY_KEY}`, ...headers } });

const json = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

describe('files behind URLs', () => {
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const naming = (count: number): Request => {
    const urls = Array.from({ length: count }, (_, index) => `https://pictures.example/${index}.png`);
    const content = urls.map((url) => ({ type: 'image', source: { type: 'url', url } }));
    return ask('/v1/messages', { ...HELLO, model: 'via-generateContent', messages: [{ role: 'user', content }] });
  };

  test('are fetched a few at a time, and no more of them than the gateway fetches for one request', async () => {
    let open = 0;
    let most = 0;
    let asked = 0;
    const media = async (): Promise<Uint8Array> => {
      asked += 1;
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      return Buffer.from(PIXEL, 'base64');
    };
    expect((await made({ media })(naming(64))).status).toBe(200);
    expect([asked, most]).toEqual([64, 4]);
    const refused = await made({ media })(naming(65));
    expect([refused.status, JSON.stringify(await json(refused))]).toEqual([
      400,
      expect.stringContaining('more than 64 files'),
    ]);
    expect(asked).toBe(64);
  });
});

describe('keys', () => {
  test.each([
    ['authorization', `Bearer ${GATEWAY_KEY}`],
    ['x-api-key', GATEWAY_KEY],
    ['x-goog-api-key', GATEWAY_KEY],
    ['api-key', GATEWAY_KEY],
  ])('are taken in %s', async (name, value) => {
    const request = hello('via-messages', { headers: { authorization: '', [name]: value } });
    expect((await made()(request)).status).toBe(200);
  });

  test('are taken in the query, and from digests', async () => {
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(GATEWAY_KEY).digest('hex');
    const request = ask(`/v1/messages?key=${GATEWAY_KEY}`, { ...HELLO, model: 'via-messages' }, { key: 'no' });
    expect((await made({ keys: [{ name: 'tests', sha256 }] })(request)).status).toBe(200);
  });

  test.each(['', 'a-key-of-the-handleR', 'a-key-of-the-handler2'])('any other is refused: %p', async (key) => {
    const response = await made()(hello('via-messages', { key }));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await json(response)).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
    expect(stage.backends.messages.requests).toEqual([]);
  });

  test('may be bound to models: the one asked for, and each that the body names', async () => {
    const handler = made({ keys: [{ name: 'tests', key: GATEWAY_KEY, models: ['via-m*'] }] });
    expect((await handler(hello('via-messages'))).status).toBe(200);
    expect((await handler(hello('via-responses'))).status).toBe(403);
    const named = { ...HELLO, model: 'via-messages', fallbacks: [{ model: 'via-responses' }] };
    expect((await handler(ask('/v1/messages', named))).status).toBe(403);
    const listed = await json(await handler(get('/v1/models')));
    expect(JSON.stringify(listed)).not.toContain('via-responses');
    expect((await handler(get('/v1/models/via-responses'))).status).toBe(404);
  });
});

describe('targets', () => {
  const both = (first: object, second: object): Changes => ({
    models: { both: [first, second] as never },
  });

  test('the next is tried where one refuses in a way that it may mend', async () => {
    stage.backends.messages.script({ kind: 'error', status: 529, message: 'Overloaded.' });
    const records: HandlerRecord[] = [];
    const handler = made({
      ...both({ backend: 'via-messages', model: 'a' }, { backend: 'via-responses', model: 'gpt-5' }),
      onExchange: (record) => records.push(record),
    });
    const response = await handler(hello('both'));
    expect([response.status, response.headers.get('x-interlingua-backend')]).toEqual([200, 'via-responses']);
    await response.text();
    expect(records).toMatchObject([{ backend: 'via-responses', passed: 1, outcome: 'ok', status: 200 }]);
  });

  test('the next is tried where one cannot be reached, and the last refusal is told', async () => {
    const handler = made({
      backends: {
        ...waysTo(stage).backends,
        gone: { dialect: 'messages', baseUrl: NOWHERE },
      },
      models: {
        both: [{ backend: 'gone' }, { backend: 'via-messages' }],
        none: { backend: 'gone' },
      },
    });
    expect((await handler(hello('both'))).status).toBe(200);
    const response = await handler(hello('none'));
    expect(response.status).toBe(502);
    expect(await json(response)).toMatchObject({ error: { message: 'the backend cannot be reached' } });
  });

  test('a request that is at fault goes nowhere else', async () => {
    stage.backends.messages.script({ kind: 'error', status: 400, message: 'No such thing.' });
    const handler = made(both({ backend: 'via-messages', model: 'a' }, { backend: 'via-responses', model: 'gpt-5' }));
    expect((await handler(hello('both'))).status).toBe(400);
    expect(stage.backends.responses.requests).toEqual([]);
  });

  test('a time limit that no timer takes is none', async () => {
    const response = await made({ firstByteSeconds: 10_000_000 })(hello('via-messages'));
    expect(response.status).toBe(200);
  });

  test('those with weights are drawn in that proportion', async () => {
    const handler = made(
      both(
        { backend: 'via-messages', model: 'a', weight: 1 },
        { backend: 'via-responses', model: 'gpt-5', weight: 1e-9 },
      ),
    );
    for (let index = 0; index < 5; index += 1) await handler(hello('both'));
    expect([stage.backends.messages.requests.length, stage.backends.responses.requests.length]).toEqual([5, 0]);
  });

  test('patterns name models of backends by what their star stands for; an unknown name gets the nearest', async () => {
    const handler = made({ models: { 'mine/*': { backend: 'via-messages', model: 'claude-*' } } });
    await handler(hello('mine/haiku-4-5'));
    expect(stage.backends.messages.requests[0]?.body).toMatchObject({ model: 'claude-haiku-4-5' });
    const response = await made()(hello('via-mesages'));
    expect(response.status).toBe(404);
    expect(JSON.stringify(await json(response))).toContain('did you mean via-messages?');
  });

  test('without models, every name goes to the only backend', async () => {
    const { backends } = waysTo(stage);
    const handler = made({ backends: { only: backends['via-messages'] as never }, models: undefined });
    await handler(hello('claude-haiku-4-5'));
    expect(stage.backends.messages.requests[0]?.body).toMatchObject({ model: 'claude-haiku-4-5' });
  });
});

describe('what is answered beside conversations', () => {
  test.each([
    ['/v1/models', {}, { object: 'list' }],
    ['/v1/models', { 'anthropic-version': '2023-06-01' }, { has_more: false }],
    ['/v1beta/models', {}, {}],
  ])('a list of models at %s in the shape of the client', async (path, headers, shape) => {
    const response = await made()(get(path, headers));
    const body = await json(response);
    expect([response.status, body]).toMatchObject([200, shape]);
    expect(JSON.stringify(body)).toMatch(/via-messages.*via-responses/);
  });

  test('tokens are counted by the backend, or estimated', async () => {
    const handler = made();
    const counted = await handler(ask('/v1/messages/count_tokens', { ...HELLO, model: 'via-messages' }));
    expect(counted.headers.get('x-interlingua-estimate')).toBeNull();
    const estimated = await handler(ask('/v1/messages/count_tokens', { ...HELLO, model: 'via-chatCompletions' }));
    expect(estimated.headers.get('x-interlingua-estimate')).toBe('true');
    expect((await json(estimated)).input_tokens).toBeGreaterThan(2);
  });

  test.each(['/', '/healthz'])('%s needs no key', async (path) => {
    const response = await made()(new Request(`${ORIGIN}${path}`));
    expect([response.status, await json(response)]).toEqual([200, { status: 'ok' }]);
    const head = await made()(new Request(`${ORIGIN}${path}`, { method: 'HEAD' }));
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test.each([
    ['POST', '/v1/images/generations'],
    ['POST', '/v1/videos'],
    ['POST', '/v1/embeddings'],
  ])('%s %s is refused with the routes that there are', async (method, path) => {
    const response = await made()(get(path, {}, method));
    expect(response.status).toBe(404);
    expect(JSON.stringify(await json(response))).toContain('unknown route');
  });

  test('another method is refused with the one that the route takes', async () => {
    const response = await made()(get('/v1/messages'));
    expect([response.status, response.headers.get('allow'), JSON.stringify(await json(response))]).toEqual([
      ...[405, 'POST'],
      expect.stringContaining('takes POST, not GET'),
    ]);
    const several = await made()(get('/v1/responses/resp_1', {}, 'PUT'));
    expect([several.status, several.headers.get('allow')]).toEqual([405, 'GET, DELETE']);
  });

  test('it is mounted below a path', async () => {
    const handler = made({ basePath: '/api/llm' });
    expect((await handler(ask('/api/llm/v1/messages', { ...HELLO, model: 'via-responses' }))).status).toBe(200);
    expect((await handler(hello('via-responses'))).status).toBe(200);
    expect((await handler(ask('/api/llmv1/messages', {}))).status).toBe(404);
  });
});

describe('losses', () => {
  const lossy = { ...HELLO, model: 'via-responses', top_k: 5 };

  test('are told in headers and in the record', async () => {
    const records: HandlerRecord[] = [];
    const response = await made({ onExchange: (record) => records.push(record) })(ask('/v1/messages', lossy));
    expect(response.headers.get('x-interlingua-loss')).toContain('sampling.topK');
    expect(records[0]?.losses).toMatchObject([{ feature: 'sampling.topK', path: '/top_k' }]);
  });

  test.each([
    [{ losses: 'strict' } as Changes, {}],
    [{}, { 'x-interlingua-losses': 'strict' }],
  ])('are refused under strict: %j %j', async (changes, headers) => {
    const response = await made(changes)(ask('/v1/messages', lossy, { headers: headers as never }));
    expect(response.status).toBe(400);
    expect(JSON.stringify(await json(response))).toContain('top_k');
    expect(stage.backends.responses.requests).toEqual([]);
  });
});

describe('explain', () => {
  const explained = (headers: Record<string, string> = {}) => ({
    headers: { 'x-interlingua-explain': 'true', ...headers },
  });

  test('shows the call that would be made, without secrets, and makes none', async () => {
    const records: HandlerRecord[] = [];
    const body = { ...HELLO, model: 'via-responses', top_k: 5, stream: true };
    const handler = made({ onExchange: (record) => records.push(record) });
    const told = await json(await handler(ask('/v1/messages', body, explained())));
    expect(told).toMatchObject({
      target: 'via-responses',
      backend: 'via-responses',
      dialect: 'responses',
      method: 'POST',
      url: '/v1/responses',
      headers: { authorization: 'Bearer ***' },
      body: { model: 'gpt-5', stream: true },
      losses: [{ path: '/top_k' }],
      restrictions: [],
      endpoints: null,
      refusal: null,
    });
    expect(JSON.stringify(told)).not.toContain(BACKEND_KEY);
    expect(stage.backends.responses.requests).toEqual([]);
    expect(records).toMatchObject([{ explained: true, outcome: 'ok' }]);
  });

  test('shows why there would be none, and whole addresses to a key that may see them', async () => {
    const keys = [{ name: 'operator', key: GATEWAY_KEY, explain: 'full' as const }];
    const headers = explained({ 'x-interlingua-losses': 'strict' });
    const told = await json(
      await made({ keys })(ask('/v1/messages', { ...HELLO, model: 'via-responses', top_k: 5 }, headers)),
    );
    expect(told).toMatchObject({
      url: `${stage.backends.responses.url}/v1/responses`,
      body: null,
      refusal: { by: 'gateway', status: 400 },
    });
  });

  test('a misspelt wish is no call', async () => {
    const response = await made()(hello('via-messages', { headers: { 'x-interlingua-explain': 'yes' } }));
    expect([response.status, stage.backends.messages.requests]).toEqual([400, []]);
  });
});

describe('pages', () => {
  const PAGE = 'https://app.example';

  test('of named origins may call and read', async () => {
    const handler = made({ cors: [PAGE] });
    const preflight = await handler(
      new Request(`${ORIGIN}/v1/messages`, {
        method: 'OPTIONS',
        headers: {
          origin: PAGE,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-api-key',
        },
      }),
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-api-key');
    const response = await handler(hello('via-messages', { headers: { origin: PAGE } }));
    expect(response.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(response.headers.get('access-control-expose-headers')).toContain('x-interlingua-losses');
  });

  test('of others get no leave, and none at all where everybody may call', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const response = await made({ cors: [PAGE] })(hello('via-messages', { headers }));
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    const open = made({ keys: undefined, open: true });
    expect((await open(hello('via-messages', { headers }))).status).toBe(403);
    expect((await open(hello('via-messages', { headers: { 'sec-fetch-site': 'cross-site' } }))).status).toBe(403);
    expect((await open(hello('via-messages', { headers: { origin: ORIGIN } }))).status).toBe(200);
    expect((await open(hello('via-messages'))).status).toBe(200);
  });
});

describe('bodies', () => {
  const packed = (body: Uint8Array<ArrayBuffer>, encoding: string, changes: Changes = {}): Promise<Response> =>
    made(changes)(hello('', { body, headers: { 'content-encoding': encoding } }));
  const text = JSON.stringify({ ...HELLO, model: 'via-messages' });

  test('may be packed', async () => {
    expect((await packed(new Uint8Array(gzipSync(text)), 'gzip')).status).toBe(200);
  });

  test.each([
    ['no gzip', () => packed(new Uint8Array([1, 2, 3]), 'gzip'), 400],
    ['another encoding', () => packed(new Uint8Array([1]), 'br'), 415],
    ['too much once unpacked', () => packed(new Uint8Array(gzipSync(text)), 'gzip', { maxBodyBytes: 50 }), 413],
    ['too much', () => made({ maxBodyBytes: 50 })(hello('via-messages')), 413],
    ['no UTF-8', () => made()(hello('', { body: new Uint8Array([0x22, 0xff, 0x22]) })), 400],
    ['no JSON', () => made()(hello('', { body: '{' })), 400],
    ['nothing', () => made()(hello('', { body: '' })), 400],
    ['another type', () => made()(hello('via-messages', { headers: { 'content-type': 'image/png' } })), 415],
    ['too deep', () => made()(hello('', { body: `${'['.repeat(200)}${']'.repeat(200)}` })), 400],
  ])('%s is refused in the client’s dialect', async (_name, work, status) => {
    const response = await (work as () => Promise<Response>)();
    expect(response.status).toBe(status);
    expect(await json(response)).toMatchObject({ type: 'error', error: { message: expect.any(String) } });
    expect(stage.backends.messages.requests).toEqual([]);
  });
});

describe('the end of an exchange', () => {
  test('is told once, with what the answer cost in tokens', async () => {
    stage.backends.messages.script({ kind: 'text', text: 'Hi.', usage: { input: 12, output: 3 } });
    const records: HandlerRecord[] = [];
    const handler = made({ onExchange: (record) => records.push(record) });
    const response = await handler(ask('/v1/responses', { model: 'via-messages', input: 'Hello', stream: true }));
    expect(records).toEqual([]);
    await response.text();
    expect(records).toMatchObject([
      {
        key: 'tests',
        client: 'responses',
        path: '/v1/responses',
        model: 'via-messages',
        backend: 'via-messages',
        dialect: 'messages',
        target: 'claude-sonnet-4-5',
        stream: true,
        status: 200,
        outcome: 'ok',
        inputTokens: 12,
        outputTokens: 3,
        finish: 'end_turn',
        passed: 0,
      },
    ]);
  });

  test.each([
    ['relayed', '/v1/messages', HELLO],
    ['translated', '/v1/responses', { input: 'Hello' }],
  ])('a %s stream that breaks off has its reason', async (_how, path, body) => {
    stage.backends.messages.script({ kind: 'cut', text: 'one two three four five six' });
    const records: HandlerRecord[] = [];
    const handler = made({ onExchange: (record) => records.push(record) });
    const response = await handler(ask(path, { ...body, model: 'via-messages', stream: true }));
    await response.text().catch(() => undefined);
    expect(records).toMatchObject([{ status: 200, outcome: 'upstream' }]);
  });

  test('who watches cannot spoil it, and a fault of an option is a 500 that is told', async () => {
    const records: HandlerRecord[] = [];
    const boom = new RangeError('boom');
    const handler = made({
      countTokens: () => {
        throw boom;
      },
      onExchange(record) {
        records.push(record);
        throw new Error('watcher');
      },
    });
    const response = await handler(ask('/v1/messages/count_tokens', { ...HELLO, model: 'via-chatCompletions' }));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('boom');
    expect(records).toMatchObject([{ outcome: 'internal', fault: boom }]);
  });

  test('a client that leaves takes its call along', async () => {
    stage.backends.messages.script({ kind: 'text', text: 'one two three four five six', delayMs: 200 } as never);
    const records: HandlerRecord[] = [];
    const handler = made({ onExchange: (record) => records.push(record) });
    const gone = new AbortController();
    const response = await handler(
      ask('/v1/responses', { model: 'via-messages', input: 'Hello', stream: true }, { signal: gone.signal }),
    );
    const reader = response.body?.getReader();
    await reader?.read();
    gone.abort(new Error('left'));
    await expect(reader?.read()).rejects.toThrow('left');
    expect(records).toMatchObject([{ outcome: 'client_closed' }]);
  });

  test('a client that left before is answered to nobody', async () => {
    const records: HandlerRecord[] = [];
    const request = hello('via-messages', { signal: AbortSignal.abort(new Error('left')) });
    const response = await made({ onExchange: (record) => records.push(record) })(request);
    expect([response.status, records]).toMatchObject([499, [{ outcome: 'client_closed', status: 499 }]]);
  });
});

/** What a client reads of an answer, and that it broke off where it did. */
async function readAll({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream() as never).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return text;
      text += value;
    }
  } catch {
    return `${text}broken off`;
  }
}

describe('what a client must not see', () => {
  test.each(['via-messages', 'via-responses'])('a refusal of %s that quotes the key', async (model) => {
    const backend = model === 'via-messages' ? stage.backends.messages : stage.backends.responses;
    const message = `bad key ${BACKEND_KEY} at ${backend.url}, which is ${new URL(backend.url).hostname}`;
    backend.script({ kind: 'error', status: 400, message });
    const response = await made()(hello(model));
    const body = await response.text();
    expect(response.status).toBe(400);
    expect(body).toContain('bad key');
    expect(body).not.toContain(BACKEND_KEY);
    expect(body).not.toContain(new URL(backend.url).hostname);
  });

  test.each([false, true])('the code of a translated error that quotes the key, stream: %s', async (stream) => {
    const error = { message: 'no', type: 'invalid_request_error', code: BACKEND_KEY };
    stage.backends.chatCompletions.script(
      stream
        ? {
            kind: 'raw',
            chunks: [`data: ${JSON.stringify({ error })}\n\n`],
            headers: { 'content-type': 'text/event-stream' },
          }
        : { kind: 'error', status: 400, ...error },
    );
    const response = await made()(ask('/v1/responses', { model: 'via-chatCompletions', input: 'Hello.', stream }));
    const body = await response.text();
    expect(body).not.toContain(BACKEND_KEY);
    expect(body).toContain('"code":"[redacted]"');
  });

  const WAYS = ['via-messages', 'via-responses'].flatMap((model) => [false, true].map((stream) => ({ model, stream })));

  test.each(WAYS)(
    'an answer that repeats the key does not pass: $model, stream: $stream',
    async ({ model, stream }) => {
      const backend = model === 'via-messages' ? stage.backends.messages : stage.backends.responses;
      backend.script({ kind: 'text', text: `You called me with ${BACKEND_KEY} in the header.` });
      const records: HandlerRecord[] = [];
      const handler = made({ onExchange: (record) => records.push(record) });
      const response = await handler(ask('/v1/messages', { ...HELLO, model, stream }));
      const read = await readAll(response);
      expect(read).not.toContain(BACKEND_KEY);
      expect(read).toContain('contains a secret');
      // What a translated stream begins with is known before its head leaves.
      expect(response.status).toBe(stream && model === 'via-messages' ? 200 : 502);
      expect(records).toMatchObject([{ outcome: 'upstream' }]);
    },
  );

  const PATHS_OF = { messages: '/v1/messages', responses: '/v1/responses' };
  const SPREAD = DIALECTS.flatMap((backend) =>
    (['messages', 'responses'] as const).flatMap((client) =>
      ([BACKEND_KEY.length - 1, 9, 5] as const).map((at) => ({ backend, client, at })),
    ),
  );

  test.each(SPREAD)(
    'a key that $backend spreads over events does not pass to a client of $client: cut at $at',
    async ({ backend, client, at }) => {
      const pieces = ['You called me with ', BACKEND_KEY.slice(0, at), BACKEND_KEY.slice(at), ' in the header.'];
      const chunks = framesQuoting(backend, saying('text', pieces)).flatMap((frame) => [frame, { pauseMs: 2 }]);
      stage.backends[backend].script({ kind: 'raw', chunks, headers: { 'content-type': 'text/event-stream' } });
      const records: HandlerRecord[] = [];
      const handler = made({ onExchange: (record) => records.push(record) });
      const asked = client === 'messages' ? HELLO : { input: 'Hello.' };
      const response = await handler(ask(PATHS_OF[client], { ...asked, model: `via-${backend}`, stream: true }));
      const read = await readAll(response);
      expect(read).toContain('You called me');
      expect(read).not.toContain(BACKEND_KEY.slice(0, 5));
      expect(read).not.toContain('in the header');
      // In words of the client's dialect, behind whole events.
      expect(read).toMatch(/\n\nevent: error\ndata: .*contains a secret/);
      expect(records).toMatchObject([{ outcome: 'upstream' }]);
    },
  );

  test('an error in a relayed stream says neither the key nor the host', async () => {
    const { url } = stage.backends.messages;
    const [start = ''] = framesQuoting('messages', saying('text', ['Hello']));
    const message = `bad key ${BACKEND_KEY.slice(0, 8)}...${BACKEND_KEY.slice(-8)} at ${url}`;
    const error = `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'api_error', message } })}\n\n`;
    const chunks = [start, error.slice(0, 60), { pauseMs: 2 }, error.slice(60)];
    stage.backends.messages.script({ kind: 'raw', chunks, headers: { 'content-type': 'text/event-stream' } });
    const read = await readAll(await made()(ask('/v1/messages', { ...HELLO, model: 'via-messages', stream: true })));
    expect(read).toContain(start);
    expect(read).toContain('bad key [redacted]...[redacted] at http://[redacted]');
    expect(read).not.toContain(new URL(url).host);
  });
});

test.each<[string, unknown]>([
  ['keys: are needed', { keys: undefined }],
  ['backends: must name a backend', { backends: {} }],
  ['models: is required', { models: undefined }],
  ['models.a.backend: is none of', { models: { a: { backend: 'b' } } }],
  ['models.a*b: `*` is only allowed at the end', { models: { 'a*b': { backend: 'via-messages' } } }],
  ['backends.x.baseUrl: must be a URL', { backends: { x: { dialect: 'messages' } } }],
  ['backends.x.preset: unknown preset; did you mean `openai`', { backends: { x: { preset: 'opena' } } }],
  ['backends.x.apiKey: must be', { backends: { x: { preset: 'openai', apiKey: 'a b' } } }],
  ['backends.x.timeouts: unknown option', { backends: { x: { preset: 'openai', timeouts: {} } } }],
  ['keys[0].key: must have 16', { keys: [{ name: 'a', key: 'short' }] }],
  ['keys[0].key: is a published example key', { keys: [{ name: 'a', key: 'your-api-key-here' }] }],
  ['keys[0].requestsPerMinute: unknown option', { keys: [{ name: 'a', key: GATEWAY_KEY, requestsPerMinute: 5 }] }],
  ['basePath: must begin', { basePath: 'api/' }],
  ['cors: must hold origins', { cors: ['app.example/'] }],
  ['losses: must be', { losses: 'some' }],
  ['store: must have the functions', { store: { get: () => null } }],
  ['storeDays: must be a whole number above 0', { storeDays: 0 }],
  ['firstByteSeconds: must be a whole number above 0', { firstByteSeconds: 1.5 }],
  ['firstByteSeconds: must be a whole number above 0', { firstByteSeconds: '60', store: new Map() }],
  ['unknownThing: unknown option', { unknownThing: 1 }],
  ['onExchange: must be a function', { onExchange: 1 }],
])('an option that cannot be meant is named: %s', (message, changes) => {
  const options = { ...waysTo(stage), keys: [{ name: 'tests', key: GATEWAY_KEY }], ...(changes as object) };
  expect(() => createHandler(options as HandlerOptions)).toThrow(message);
});
