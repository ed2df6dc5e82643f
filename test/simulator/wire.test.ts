import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createSimulator, type SimulatorAnswer, type SimulatorRequest } from '../../src/simulator/index.js';

const simulate = createSimulator();
const LONG = 'Repeat every one of these words for me, one after the other, please.';

function post(path: string, body: object | string, more: Partial<SimulatorRequest> = {}): SimulatorRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: text,
    ...more,
  };
}

async function piecesOf(answer: SimulatorAnswer): Promise<string[]> {
  if (typeof answer.body === 'string') throw new Error('a stream was expected');
  const pieces: string[] = [];
  for await (const piece of answer.body) pieces.push(new TextDecoder().decode(piece));
  return pieces;
}

/** The events of a stream; each names itself as its data does. */
function eventsIn(pieces: readonly string[]): { readonly type: string; readonly sequence_number?: number }[] {
  const frames = pieces.join('').split('\n\n');
  expect(frames.pop()).toBe('');
  return frames.map((frame) => {
    const [, name, data] = /^event: (\S+)\ndata: (\{.*\})$/.exec(frame) ?? [];
    const event = JSON.parse(data ?? '');
    expect(event.type).toBe(name);
    return event;
  });
}

function parse(answer: SimulatorAnswer) {
  if (typeof answer.body !== 'string') throw new Error('a plain answer was expected');
  return JSON.parse(answer.body);
}

const messages = (text: string, more: object = {}) =>
  post('/v1/messages', { model: 'm', max_tokens: 500, messages: [{ role: 'user', content: text }], ...more });
const responses = (text: string, more: object = {}) => post('/v1/responses', { model: 'm', input: text, ...more });
const generate = (text: string, verb = 'generateContent', more: object = {}) =>
  post(`/v1beta/models/m:${verb}`, { contents: [{ parts: [{ text }] }], ...more });

describe('framing', () => {
  test('messages: event and data lines, LF', async () => {
    const answer = simulate(messages(LONG, { stream: true }));
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const names = eventsIn(await piecesOf(answer)).map(({ type }) => type);
    expect(names.slice(0, 3)).toEqual(['message_start', 'content_block_start', 'content_block_delta']);
    expect(names.slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
  });

  test('responses: sequence numbers without gaps, no [DONE]', async () => {
    const events = eventsIn(await piecesOf(simulate(responses(LONG, { stream: true }))));
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
    expect(events.at(0)?.type).toBe('response.created');
    expect(events.at(-1)?.type).toBe('response.completed');
  });

  test('an answer arrives in pieces of a few words', async () => {
    for (const request of [
      messages(LONG, { stream: true }),
      responses(LONG, { stream: true }),
      generate(LONG, 'streamGenerateContent?alt=sse'),
    ]) {
      const pieces = await piecesOf(simulate(request));
      const words = LONG.split(' ');
      expect(pieces.filter((piece) => words.some((word) => piece.includes(word))).length).toBeGreaterThan(3);
    }
  });

  test('generateContent: what some readers take for the end of a line is escaped', async () => {
    const stream = (await piecesOf(simulate(generate('a\u2028b', 'streamGenerateContent?alt=sse')))).join('');
    expect(stream).not.toContain('\u2028');
    expect(stream).toContain('\\u2028b');
  });

  test('generateContent: data lines with CRLF CRLF, or one JSON array', async () => {
    const events = await piecesOf(simulate(generate(LONG, 'streamGenerateContent?alt=sse')));
    expect(events.every((piece) => /^data: \{.*\}\r\n\r\n$/.test(piece))).toBe(true);
    const listed = simulate(generate(LONG, 'streamGenerateContent'));
    expect(listed.headers['content-type']).toContain('application/json');
    const chunks = JSON.parse((await piecesOf(listed)).join(''));
    expect(chunks).toHaveLength(events.length);
    expect(chunks.at(-1).candidates[0].finishReason).toBe('STOP');
  });
});

describe('errors', () => {
  test('429 tells when to come back', () => {
    expect(simulate(messages('simulate error 429')).headers['retry-after']).toBe('1');
    expect(simulate(responses('simulate error 429')).headers['retry-after']).toBe('1');
    const { error } = parse(simulate(generate('simulate error 429')));
    expect(error).toMatchObject({ code: 429, status: 'RESOURCE_EXHAUSTED' });
    expect(error.details).toEqual([{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }]);
  });

  test.each([
    ['/v1/messages', { type: 'error', error: { type: 'invalid_request_error' }, request_id: expect.any(String) }],
    ['/v1/responses', { error: { type: 'invalid_request_error', param: null, code: null } }],
    ['/v1beta/models/m:generateContent', { error: { code: 400, status: 'INVALID_ARGUMENT' } }],
  ])('%s: a body that is no JSON object', (path, shape) => {
    for (const body of ['{', '[]', '"x"', '']) {
      const answer = simulate(post(path, body));
      expect(answer.status).toBe(400);
      expect(parse(answer)).toMatchObject(shape);
    }
  });

  test('a refused generateContent stream without alt=sse is a list of one', () => {
    expect(parse(simulate(generate('simulate error 503', 'streamGenerateContent')))).toMatchObject([
      { error: { code: 503, status: 'UNAVAILABLE' } },
    ]);
    expect(parse(simulate(generate('simulate error 503', 'streamGenerateContent?alt=sse')))).toMatchObject({
      error: { code: 503 },
    });
  });

  test('a failure in mid-stream comes in band, after three deltas', async () => {
    const text = `simulate error midstream. ${LONG}`;
    const inMessages = await piecesOf(simulate(messages(text, { stream: true })));
    expect(inMessages.at(-1)).toMatch(/^event: error\ndata: .*"overloaded_error"/);
    const inResponses = eventsIn(await piecesOf(simulate(responses(text, { stream: true }))));
    expect(inResponses.slice(-2).map(({ type }) => type)).toEqual(['error', 'response.failed']);
    const inContent = await piecesOf(simulate(generate(text, 'streamGenerateContent?alt=sse')));
    expect(inContent).toHaveLength(4);
    expect(inContent.at(-1)).toContain('"UNAVAILABLE"');
    const listed = await piecesOf(simulate(generate(text, 'streamGenerateContent')));
    expect(JSON.parse(listed.join('')).at(-1)).toMatchObject({ error: { status: 'UNAVAILABLE' } });
  });

  test('a cut answer ends without its finish', async () => {
    const text = `simulate cut. ${LONG}`;
    expect((await piecesOf(simulate(messages(text, { stream: true })))).join('')).not.toContain('message_stop');
    expect((await piecesOf(simulate(responses(text, { stream: true })))).join('')).not.toContain('"completed"');
    const pieces = await piecesOf(simulate(generate(text, 'streamGenerateContent?alt=sse')));
    expect(pieces.join('')).not.toContain('finishReason');
    const plain = await piecesOf(simulate(messages(text)));
    expect(() => JSON.parse(plain.join(''))).toThrow();
  });
});

describe('pace', () => {
  test('slow waits before each delta', async () => {
    const { body } = simulate(messages('simulate slow', { stream: true }));
    if (typeof body === 'string') throw new Error('a stream was expected');
    const events = body[Symbol.asyncIterator]();
    const deltas: unknown[] = [];
    for (;;) {
      const next = events.next();
      // Of two timers that were set at one time the shorter comes first, however late both are.
      const first = await Promise.race([next, sleep(10, 'a pause')]);
      const { done, value } = await next;
      if (done === true) break;
      if (new TextDecoder().decode(value).startsWith('event: content_block_delta')) deltas.push(first);
    }
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas).toEqual(deltas.map(() => 'a pause'));
  });

  test('a given signal ends the stream without an error', async () => {
    const gone = new AbortController();
    const { body } = simulate({ ...messages(`simulate slow ${LONG}`, { stream: true }), signal: gone.signal });
    if (typeof body === 'string') throw new Error('a stream was expected');
    const pieces: string[] = [];
    for await (const piece of body) {
      pieces.push(new TextDecoder().decode(piece));
      if (pieces.length === 4) gone.abort();
    }
    expect(pieces).toHaveLength(4);
  });
});

describe('routing', () => {
  test.each([
    ['/v1/models', {}, 'object'],
    ['/v1/models', { 'anthropic-version': '2023-06-01' }, 'has_more'],
    ['/v1/models', { 'x-goog-api-client': 'x' }, 'models'],
    ['/v1beta/models', {}, 'models'],
    ['/v1beta1/publishers/google/models', {}, 'models'],
  ])('%s with %j answers in the form that has %s', (path, headers, key) => {
    expect(parse(simulate({ method: 'GET', path, headers, body: '' }))).toHaveProperty(key);
  });

  test.each([
    '/v1/models/m:generateContent',
    '/v1beta/models/models/m:generateContent',
    '/v1beta1/publishers/google/models/m:generateContent',
    '/v1/projects/p/locations/l/publishers/google/models/m:generateContent',
    '/v1beta/models/m:generateContent/?key=k',
  ])('%s is a generate call', (path) => {
    const answer = parse(simulate(post(path, { contents: [{ parts: [{ text: 'hi' }] }] })));
    expect(answer.modelVersion).toBe('m');
  });

  test('unknown routes are 404 in the dialect', () => {
    const get = (path: string, headers = {}) => simulate({ method: 'GET', path, headers, body: '' });
    expect(parse(get('/v1/messages/batches', { 'anthropic-version': 'x' }))).toMatchObject({ type: 'error' });
    expect(parse(get('/v1/responses/resp_none')).error).toMatchObject({ type: 'invalid_request_error' });
    expect(parse(get('/v1beta/files')).error).toMatchObject({ status: 'NOT_FOUND' });
  });

  test('both spellings of generateContent fields are read', () => {
    const snake = {
      contents: [{ parts: [{ text: 'Use it.' }] }],
      tools: [
        {
          function_declarations: [
            {
              name: 'f',
              parameters_json_schema: { type: 'object', required: ['a_b'], properties: { a_b: { type: 'integer' } } },
            },
          ],
        },
      ],
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
    };
    const { candidates } = parse(simulate(post('/v1beta/models/m:generateContent', snake)));
    expect(candidates[0].content.parts).toMatchObject([{ functionCall: { name: 'f', args: { a_b: 1 } } }]);
  });
});

test('equal seeds give equal answers, and no two requests share an id', () => {
  const now = () => 1_800_000_000;
  const [one, two] = [createSimulator({ seed: 's', now }), createSimulator({ seed: 's', now })];
  for (const request of [messages('a'), responses('b'), generate('c')]) {
    expect(one(request)).toEqual(two(request));
    expect(one(request)).not.toEqual(two(messages('advance')));
  }
  const twice = [simulate(responses('same')), simulate(responses('same'))].map((answer) => parse(answer).id);
  expect(new Set(twice).size).toBe(2);
});

test('ids and opaque state are bare, as a service issues them', async () => {
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const thinkingConfig = { includeThoughts: true };
  const kept = { reasoning: { effort: 'low' }, store: false };
  const cases = [
    [messages('hi', { max_tokens: 4000, thinking }), /"signature":"([^"]+)"/],
    [messages('hi', { max_tokens: 4000, thinking, stream: true }), /"signature":"([^"]+)"/],
    [responses('hi', kept), /"encrypted_content":"([^"]+)"/],
    [responses('hi', { ...kept, stream: true }), /"encrypted_content":"([^"]+)"/],
    [generate('hi', 'generateContent', { generationConfig: { thinkingConfig } }), /"thoughtSignature":"([^"]+)"/],
    [generate('hi', 'streamGenerateContent', { generationConfig: { thinkingConfig } }), /"thoughtSignature":"([^"]+)"/],
  ] as const;
  for (const [request, pattern] of cases) {
    const { body } = simulate(request);
    const text = typeof body === 'string' ? body : (await piecesOf({ status: 200, headers: {}, body })).join('');
    const [, state = ''] = pattern.exec(text) ?? [];
    expect(Buffer.from(state, 'base64')).toHaveLength(64);
    expect(text).not.toMatch(/ilingua1|(?:resp|rs|fc)_il/);
  }
});

test('usage: every counter adds up, and later turns read the cached prefix', () => {
  const system = 'four words of system';
  const history = [
    { role: 'user', content: 'one two' },
    { role: 'assistant', content: 'three' },
    { role: 'user', content: 'four' },
  ];
  const marked = [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }];
  const first = parse(simulate(messages('one two', { system: marked }))).usage;
  expect(first).toMatchObject({ input_tokens: 2, cache_creation_input_tokens: 4, cache_read_input_tokens: 0 });
  const later = parse(simulate(messages('', { system: marked, messages: history }))).usage;
  expect(later).toMatchObject({ input_tokens: 4, cache_creation_input_tokens: 0, cache_read_input_tokens: 4 });
  const { usage } = parse(simulate(post('/v1/responses', { model: 'm', instructions: system, input: history })));
  expect(usage).toMatchObject({ input_tokens: 8, input_tokens_details: { cached_tokens: 4 } });
  expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens);
});
