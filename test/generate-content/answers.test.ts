import { describe, expect, test } from '@jest/globals';
import type { Part } from '../../translators/canonical/content.js';
import { TranslationError } from '../../translators/canonical/errors.js';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import type { CanonicalResponse, Finish, FinishKind } from '../../translators/canonical/response.js';
import type { StateEntry } from '../../translators/canonical/state.js';
import { generateContent } from '../../translators/generate-content/index.js';
import { decodeCarrier } from '../../translators/wire/carrier.js';
import { CORPUS_ABSENT } from '../support/corpus.js';
import { asStreamed, collect, eventsOf, joined } from './client.js';
import { decodeContext, fold, frames, readStream, recordings, responseContext, writeStream } from './support.js';

const finish = (kind: FinishKind, more: Partial<Finish> = {}): Finish => ({
  kind,
  raw: kind,
  dialect: 'messages',
  ...more,
});
const state = (kind: StateEntry['kind'], payload: string): StateEntry => ({
  dialect: 'messages',
  domain: 'm',
  kind,
  payload,
});
const answer = (parts: readonly Part[], more: Partial<CanonicalResponse> = {}): CanonicalResponse => ({
  source: 'messages',
  id: 'msg_1',
  model: 'backend-model',
  parts,
  finish: finish('end'),
  ...more,
});

const thinking: Part = {
  kind: 'reasoning',
  text: ['first', 'second'],
  state: [state('reasoning', '{"type":"thinking","signature":"S"}')],
};
const text: Part = { kind: 'text', text: 'Grüße, 世界!' };
const call: Part = { kind: 'call', callId: 'toolu_1', name: 'f', args: { text: '{"a":1}' } };

const ANSWERS: Record<string, CanonicalResponse> = {
  'plain text': answer([text]),
  'thinking before text': answer([thinking, text]),
  'thinking without state': answer([{ kind: 'reasoning', text: ['hm'] }, text]),
  'full text of thinking': answer([{ kind: 'reasoning', text: [], raw: ['all of it'] }, text]),
  'thinking and calls': answer([thinking, text, call, { ...call, callId: 'toolu_2', args: { text: '' } }], {
    finish: finish('tool_use'),
  }),
  'state at the end': answer([text, { kind: 'reasoning', text: [], state: [state('reasoning', '{}')] }]),
  'redacted state before a call': answer(
    [
      { kind: 'reasoning', text: [], redacted: true, state: [state('reasoning', '{"type":"redacted_thinking"}')] },
      call,
    ],
    { finish: finish('tool_use') },
  ),
  'two states for one part': answer([
    thinking,
    { kind: 'reasoning', text: [], state: [state('reasoning', '{"n":2}')] },
    text,
  ]),
  'a run of code': answer([
    thinking,
    { kind: 'hostedCall', callId: 'x', family: 'codeExec', input: { code: 'print(1)' } },
    {
      kind: 'hostedResult',
      callId: 'x',
      family: 'codeExec',
      output: { stdout: '1', exitCode: 0 },
      state: [state('hosted', '[]')],
    },
    text,
  ]),
  'a search with sources': answer([
    { kind: 'hostedCall', callId: 's', family: 'webSearch', input: { action: 'search', query: 'q' } },
    {
      kind: 'hostedResult',
      callId: 's',
      family: 'webSearch',
      output: { sources: [{ url: 'https://a.example', title: 'A' }, { url: 'https://b.example' }] },
    },
    { ...text, citations: [{ source: 'web', url: 'https://a.example', title: 'A', span: { start: 7, end: 9 } }] },
    { kind: 'text', text: ' More.', citations: [{ source: 'doc', title: 'D', citedText: 'c' }] },
  ]),
  'a fetch': answer([
    { kind: 'hostedCall', callId: 'u', family: 'urlFetch', input: { url: 'https://a.example' } },
    { kind: 'hostedResult', callId: 'u', family: 'urlFetch', output: { url: 'https://a.example' }, isError: true },
    text,
  ]),
  'a picture': answer([{ kind: 'media', class: 'image', mime: 'image/png', data: { from: 'base64', base64: 'aGk=' } }]),
  'a picture made by a tool': answer([
    { kind: 'hostedCall', callId: 'i', family: 'imageGen', input: {} },
    { kind: 'hostedResult', callId: 'i', family: 'imageGen', output: { base64: 'aGk=', mime: 'image/webp' } },
  ]),
  'a refusal': answer([{ kind: 'refusal', text: 'I cannot.' }], { finish: finish('refusal', { detail: 'why' }) }),
  nothing: answer([]),
  counts: answer([text], {
    usage: { input: 100, cacheRead: 50, cacheWrite: 30, output: 7, reasoning: 2, toolInput: 10 },
  }),
  'log probabilities': answer([
    { ...text, logprobs: [{ token: 'Gr', logprob: -0.1, top: [{ token: 'Gr', logprob: -0.1 }] }] } as Part,
  ]),
  'a cut call': answer([text, { ...call, truncated: true }], { finish: finish('max_tokens') }),
  'a blocked prompt': answer([], { finish: finish('prompt_blocked') }),
  'free text': answer([{ kind: 'call', callId: 'c', name: 'patch', args: { value: {} }, freeform: '*** Begin' }], {
    finish: finish('tool_use'),
  }),
};

describe('answers of other services', () => {
  test.each(Object.entries(ANSWERS))('%s: what streams is what stands', (_name, response) => {
    const whole = generateContent.encodeResponse(response, responseContext()) as JsonObject;
    const folded = collect(frames(writeStream(eventsOf(response))));
    const [candidate] = (whole.candidates ?? []) as JsonObject[];
    const parts = (candidate?.content as JsonObject | undefined)?.parts as JsonObject[] | undefined;
    const expected =
      candidate === undefined
        ? whole
        : {
            ...whole,
            candidates: [{ ...candidate, content: { role: 'model', parts: joined(asStreamed(parts ?? [])) } }],
          };
    expect(folded).toEqual(expected);
  });

  const parts = (name: string): JsonObject[] => {
    const body = generateContent.encodeResponse(ANSWERS[name] ?? answer([]), responseContext());
    const [candidate] = body.candidates as { content: { parts: JsonObject[] } }[];
    return candidate?.content.parts ?? [];
  };
  const carried = (part: JsonObject | undefined): unknown[] =>
    decodeCarrier(String(part?.thoughtSignature))?.entries ?? [];

  test('the state of thoughts rides on the next part that is no thought', () => {
    const [first, second, third, ...rest] = parts('thinking and calls');
    expect([first, second]).toEqual([
      { text: 'first', thought: true },
      { text: '\n\nsecond', thought: true },
    ]);
    expect(carried(third)).toEqual([state('reasoning', '{"type":"thinking","signature":"S"}')]);
    expect(rest).toEqual([
      { functionCall: { id: 'toolu_1', name: 'f', args: { a: 1 } } },
      { functionCall: { id: 'toolu_2', name: 'f', args: {} } },
    ]);
  });

  test('thoughts without state are marked, trailing state gets a part of its own, hosted state follows its pair', () => {
    expect(carried(parts('thinking without state')[1])).toMatchObject([{ kind: 'none', payload: '' }]);
    expect(parts('state at the end')).toMatchObject([
      text.kind === 'text' ? { text: text.text } : {},
      { text: '', thoughtSignature: expect.any(String) },
    ]);
    const [, , code, result, last] = parts('a run of code');
    expect(carried(code)).toMatchObject([{ kind: 'reasoning' }]);
    expect(result).toEqual({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } });
    expect(carried(last)).toMatchObject([{ kind: 'hosted' }]);
    expect(carried(parts('two states for one part')[2])).toHaveLength(2);
  });

  test('sources: one chunk per address, byte offsets into the whole text', () => {
    const [candidate] = generateContent.encodeResponse(
      ANSWERS['a search with sources'] ?? answer([]),
      responseContext(),
    ).candidates as JsonObject[];
    const whole = new TextEncoder().encode('Grüße, 世界! More.');
    const { groundingSupports, ...metadata } = (candidate?.groundingMetadata ?? {}) as {
      groundingSupports: { segment: { startIndex: number; endIndex: number; text: string } }[];
    };
    expect(metadata).toEqual({
      webSearchQueries: ['q'],
      groundingChunks: [
        { web: { uri: 'https://a.example', title: 'A' } },
        { retrievedContext: { title: 'D', text: 'c' } },
        { web: { uri: 'https://b.example' } },
      ],
    });
    for (const { segment } of groundingSupports) {
      expect(new TextDecoder().decode(whole.subarray(segment.startIndex, segment.endIndex))).toBe(segment.text);
    }
    expect(groundingSupports.map(({ segment }) => segment.text)).toEqual(['世界', ' More.']);
  });

  test('counts', () => {
    const losses = createLosses();
    const body = generateContent.encodeResponse(ANSWERS.counts ?? answer([]), responseContext({ losses }));
    expect(body.usageMetadata).toEqual({
      promptTokenCount: 90,
      cachedContentTokenCount: 50,
      candidatesTokenCount: 5,
      toolUsePromptTokenCount: 10,
      thoughtsTokenCount: 2,
      totalTokenCount: 107,
    });
    expect(losses.list).toMatchObject([{ feature: 'usage', kind: 'dropped' }]);
  });

  test.each<[FinishKind, string]>([
    ['end', 'STOP'],
    ['tool_use', 'STOP'],
    ['stop_sequence', 'STOP'],
    ['max_tokens', 'MAX_TOKENS'],
    ['context_window', 'MAX_TOKENS'],
    ['refusal', 'SAFETY'],
    ['filter', 'SAFETY'],
    ['pause', 'MAX_TOKENS'],
    ['malformed_call', 'OTHER'],
    ['compaction', 'OTHER'],
    ['other', 'OTHER'],
  ])('the end %s is told as %s', (kind, finishReason) => {
    const body = generateContent.encodeResponse(answer([text], { finish: finish(kind) }), responseContext());
    expect(body.candidates).toMatchObject([{ finishReason }]);
  });

  test('failures become errors', () => {
    const failed = answer([], { finish: finish('failed'), error: { kind: 'rate_limit', message: 'slow down' } });
    expect(() => generateContent.encodeResponse(failed, responseContext())).toThrow(TranslationError);
    const last = frames(writeStream(eventsOf(answer([text], { finish: finish('cancelled') })))).at(-1);
    expect(last).toEqual({ error: { code: 499, message: 'the answer was cancelled', status: 'CANCELLED' } });
  });

  test('the id cannot be guessed, the model is the one that was asked for', () => {
    const body = generateContent.encodeResponse(answer([text]), responseContext({ model: 'asked', nonce: 'n1' }));
    expect(body).toMatchObject({ modelVersion: 'asked', responseId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(generateContent.encodeResponse(answer([text]), responseContext({ nonce: 'n2' })).responseId).not.toBe(
      body.responseId,
    );
  });
});

describe('streams for clients', () => {
  test('every chunk is whole, the end is told once and last', () => {
    const written = writeStream(eventsOf(ANSWERS['thinking and calls'] ?? answer([])));
    expect(written.endsWith('\r\n\r\n')).toBe(true);
    const chunks = frames(written) as {
      candidates: { content: { parts: unknown[]; role: string }; finishReason?: string; index: number }[];
      responseId: string;
      modelVersion: string;
    }[];
    for (const chunk of chunks) {
      expect(chunk.candidates[0]?.content.role).toBe('model');
      expect(chunk.candidates[0]?.content.parts.length).toBeGreaterThan(0);
      expect(chunk).toMatchObject({ responseId: chunks[0]?.responseId, modelVersion: 'backend-model' });
    }
    expect(chunks.filter((chunk) => chunk.candidates[0]?.finishReason !== undefined)).toEqual([chunks.at(-1)]);
  });

  test('an array is one JSON document, failures included', () => {
    const whole = writeStream(eventsOf(ANSWERS['plain text'] ?? answer([])), { framing: 'array' });
    expect(JSON.parse(whole)).toHaveLength(3);
    const error: StreamEvent = { type: 'error', error: { kind: 'overloaded', message: 'full' } };
    const failure = { error: { code: 503, message: 'full', status: 'UNAVAILABLE' } };
    expect(JSON.parse(writeStream([error], { framing: 'array' }))).toEqual([failure]);
    const start: StreamEvent[] = eventsOf(ANSWERS['plain text'] ?? answer([])).slice(0, 4);
    expect(JSON.parse(writeStream([...start, error], { framing: 'array' })).at(-1)).toEqual(failure);
  });

  test('a failure in mid-stream is told in both ways, and nothing follows', () => {
    const events: StreamEvent[] = [
      ...eventsOf(answer([text])).slice(0, 3),
      { type: 'error', error: { kind: 'rate_limit', message: 'm' } },
      { type: 'finish', finish: finish('end') },
      { type: 'end' },
    ];
    const json = '{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}';
    expect(writeStream(events).endsWith(`data: ${json}\r\n\r\n${json}\r\n`)).toBe(true);
  });

  test('no character that some readers take for the end of a line stands in a chunk', () => {
    const said = 'a\u2028b\u2029c';
    const error = { kind: 'invalid_request', message: said } as const;
    for (const framing of ['sse', 'array'] as const) {
      const written = writeStream(eventsOf(answer([{ kind: 'text', text: said }])), { framing });
      expect(written).not.toMatch(/[\u2028\u2029]/);
      const chunks = (framing === 'array' ? JSON.parse(written) : frames(written)) as unknown[];
      expect(JSON.stringify(chunks)).toMatch(/a\u2028.*b\u2029c/);
      expect(writeStream([{ type: 'error', error }], { framing })).not.toMatch(/[\u2028\u2029]/);
    }
    expect(generateContent.relayedEnd.failure(error, { kept: [], last: undefined, framing: 'sse' }, {})).not.toMatch(
      /[\u2028\u2029]/,
    );
  });

  test('parts that are open at once are written one after the other', () => {
    const events: StreamEvent[] = [
      { type: 'start', id: 'a', model: 'm' },
      { type: 'part.start', ix: 0, part: { kind: 'text', text: '' } },
      { type: 'part.delta', ix: 0, op: 'text', value: 'a' },
      { type: 'part.start', ix: 1, part: { kind: 'call', callId: 'c', name: 'f', args: { value: {} } } },
      { type: 'part.end', ix: 1, part: { kind: 'call', callId: 'c', name: 'f', args: { value: {} } } },
      { type: 'part.start', ix: 2, part: { kind: 'text', text: '' } },
      { type: 'part.delta', ix: 2, op: 'text', value: 'x' },
      { type: 'part.delta', ix: 0, op: 'text', value: 'b' },
      { type: 'part.end', ix: 0, part: { kind: 'text', text: 'ab' } },
      { type: 'part.delta', ix: 2, op: 'text', value: 'y' },
      { type: 'part.end', ix: 2, part: { kind: 'text', text: 'xy' } },
      { type: 'finish', finish: finish('tool_use') },
      { type: 'end' },
    ];
    const body = collect(frames(writeStream(events)));
    expect(body.candidates).toMatchObject([
      { content: { parts: [{ text: 'ab' }, { functionCall: { name: 'f' } }, { text: 'xy' }] } },
    ]);
  });

  test('sources that come after their text, and a heartbeat', () => {
    const encoder = generateContent.createStreamEncoder(responseContext());
    expect(encoder.heartbeat()).toBe('');
    const events = eventsOf(answer([text]));
    let out = '';
    for (const event of events.slice(0, -2)) out += encoder.encode(event);
    expect(frames(encoder.heartbeat())).toMatchObject([{ candidates: [{ content: { parts: [{ text: '' }] } }] }]);
    out += encoder.encode({
      type: 'part.citation',
      ix: 0,
      citation: { source: 'web', url: 'u', span: { start: 0, end: 2 } },
    });
    for (const event of events.slice(-2)) out += encoder.encode(event);
    expect(frames(out).at(-1)).toMatchObject({
      candidates: [{ groundingMetadata: { groundingSupports: [{ segment: { endIndex: 2, text: 'Gr' } }] } }],
    });
    expect(encoder.heartbeat()).toBe('');
  });
});

describe('answers of this service', () => {
  const body = (candidate: JsonObject, more: JsonObject = {}): JsonObject => ({
    candidates: [candidate],
    responseId: 'r',
    modelVersion: 'm',
    ...more,
  });
  const read = (candidate: JsonObject, more?: JsonObject): CanonicalResponse =>
    generateContent.decodeResponse(body(candidate, more), decodeContext);
  const failing = (value: unknown): TranslationError => {
    try {
      generateContent.decodeResponse(value, decodeContext);
    } catch (thrown) {
      if (thrown instanceof TranslationError) return thrown;
    }
    throw new Error('nothing was refused');
  };

  test.each<[string, JsonObject[], FinishKind]>([
    ['STOP', [{ text: 'a' }], 'end'],
    ['STOP', [{ functionCall: { name: 'f' } }], 'tool_use'],
    ['STOP', [{ functionCall: { name: 'f' } }, { functionResponse: { name: 'f', response: {} } }], 'end'],
    ['MAX_TOKENS', [{ functionCall: { name: 'f' } }], 'max_tokens'],
    ['SAFETY', [], 'filter'],
    ['MODEL_ARMOR', [], 'filter'],
    ['MALFORMED_FUNCTION_CALL', [{ thoughtSignature: 'UQ==' }], 'malformed_call'],
    ['UNEXPECTED_TOOL_CALL', [{ functionCall: { name: 'f' } }], 'malformed_call'],
    ['NO_IMAGE', [], 'no_image'],
    ['CONTINUATION', [{ text: 'a' }], 'pause'],
    ['SOMETHING_NEW', [{ text: 'a' }], 'other'],
    ['toString', [{ text: 'a' }], 'other'],
  ])('%s with %j ends as %s', (finishReason, parts, kind) => {
    expect(read({ content: { role: 'model', parts }, finishReason }).finish).toMatchObject({
      kind,
      raw: finishReason,
      dialect: 'generateContent',
    });
  });

  test.each([[undefined], [{}], [{ role: 'model' }]])('content may be %j', (content) => {
    expect(read({ finishReason: 'MAX_TOKENS', ...(content !== undefined && { content }) })).toMatchObject({
      parts: [],
      finish: { kind: 'max_tokens' },
    });
  });

  test('a blocked prompt is an answer; an answer without an end is none', () => {
    expect(
      generateContent.decodeResponse({ promptFeedback: { blockReason: 'SAFETY' } }, decodeContext).finish,
    ).toMatchObject({ kind: 'prompt_blocked', raw: 'SAFETY' });
    expect(failing({ candidates: [{ content: { parts: [{ text: 'a' }] } }] })).toMatchObject({
      kind: 'upstream',
      code: 'upstream_incomplete',
    });
    expect(failing({})).toMatchObject({ kind: 'upstream' });
    expect(failing('<html>')).toMatchObject({ kind: 'upstream' });
    expect(failing({ candidates: [{ content: { parts: [{ text: 1 }] }, finishReason: 'STOP' }] })).toMatchObject({
      kind: 'upstream',
    });
    expect(failing({ error: { code: 429, message: 'm', status: 'RESOURCE_EXHAUSTED' } })).toMatchObject({
      kind: 'rate_limit',
    });
  });

  test('signatures know their part: its kind and the hash of its words', () => {
    const { parts } = read({
      content: {
        parts: [
          { text: 'hm', thought: true, thoughtSignature: 'MA==' },
          { text: 'The answer is 4', thoughtSignature: 'MQ==' },
          { functionCall: { name: 'f' }, thoughtSignature: 'Mg==' },
          { inlineData: { mimeType: 'image/png', data: 'aGk=' }, thoughtSignature: 'Mw==' },
          { text: '', thoughtSignature: 'NA==' },
        ],
      },
      finishReason: 'STOP',
    });
    const common = { dialect: 'generateContent', domain: 'test' };
    expect(parts.map((part) => [part.kind, part.state])).toEqual([
      [
        'reasoning',
        [{ ...common, kind: 'reasoning', payload: '{"text":"hm","thought":true,"thoughtSignature":"MA=="}' }],
      ],
      [
        'text',
        [{ ...common, kind: 'signature', on: 'text', h: expect.stringMatching(/^[0-9a-f]{16}$/), payload: 'MQ==' }],
      ],
      [
        'call',
        [{ ...common, kind: 'signature', on: 'call', h: expect.stringMatching(/^[0-9a-f]{16}$/), payload: 'Mg==' }],
      ],
      ['media', [{ ...common, kind: 'signature', on: 'image', payload: 'Mw==' }]],
      ['text', [{ ...common, kind: 'signature', on: 'empty', payload: 'NA==' }]],
    ]);
  });

  test('the state of a hosted pair sits on its result', () => {
    const nodes = [
      { executableCode: { code: 'x', id: 'i' }, thoughtSignature: 'QQ==' },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', id: 'i' } },
    ];
    const { parts } = read({
      content: { parts: [nodes[0], { text: '' }, nodes[1], { toolCall: { id: 't', toolType: 'GOOGLE_MAPS' } }] },
      finishReason: 'STOP',
    });
    expect(parts.map((part) => part.state?.map((entry) => entry.payload))).toEqual([
      undefined,
      [JSON.stringify(nodes)],
      ['[{"toolCall":{"id":"t","toolType":"GOOGLE_MAPS"}}]'],
    ]);
  });

  test('counts: thoughts beside or inside the candidates, tool results as input', () => {
    const counts = (usageMetadata: JsonObject) => read({ finishReason: 'STOP' }, { usageMetadata }).usage;
    expect(
      counts({
        promptTokenCount: 20,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 7,
        toolUsePromptTokenCount: 3,
        cachedContentTokenCount: 4,
        totalTokenCount: 35,
      }),
    ).toMatchObject({ input: 23, toolInput: 3, cacheRead: 4, output: 12, reasoning: 7 });
    expect(
      counts({ promptTokenCount: 20, candidatesTokenCount: 12, thoughtsTokenCount: 7, totalTokenCount: 32 }),
    ).toMatchObject({ input: 20, output: 12, reasoning: 7 });
    expect(counts({ promptTokenCount: 6, totalTokenCount: 6 })).toMatchObject({ input: 6, output: 0 });
    expect(counts({ trafficType: 'ON_DEMAND' })).toBeUndefined();
  });

  test('sources: bytes to UTF-16, by part or by words where the offsets are off', () => {
    const words = 'Ein 😀 Satz. Zwei.';
    const bytes = (part: string): number => new TextEncoder().encode(words.slice(0, words.indexOf(part))).length;
    const segment = (part: string, shift = 0) => ({
      startIndex: bytes(part) + shift,
      endIndex: bytes(part) + shift + part.length,
      text: part,
    });
    const { parts } = read({
      content: { parts: [{ text: 'hm', thought: true }, { text: 'Ein 😀 ' }, { text: 'Satz. Zwei.' }] },
      finishReason: 'STOP',
      groundingMetadata: {
        webSearchQueries: ['', 'q'],
        groundingChunks: [{ web: { uri: 'u0', title: 't0' } }, { retrievedContext: { title: 'doc', text: 'c' } }],
        groundingSupports: [
          { segment: segment('Satz.'), groundingChunkIndices: [0, 1] },
          { segment: segment('Zwei.', 3), groundingChunkIndices: [0] },
          { segment: { endIndex: 4, text: 'nowhere' }, groundingChunkIndices: [0] },
        ],
      },
    });
    expect(parts.map((part) => part.kind)).toEqual(['reasoning', 'hostedCall', 'hostedResult', 'text', 'text']);
    expect(parts[1]).toMatchObject({ family: 'webSearch', input: { query: 'q', queries: ['q'] } });
    expect(parts[2]).toMatchObject({ output: { sources: [{ url: 'u0', title: 't0' }] } });
    expect(parts[4]).toMatchObject({
      citations: [
        { source: 'web', url: 'u0', span: { start: 0, end: 5 } },
        { source: 'file', filename: 'doc', citedText: 'c', span: { start: 0, end: 5 } },
        { source: 'web', span: { start: 6, end: 11 } },
        { source: 'web', url: 'u0' },
      ],
    });
  });

  test('pages that were read, and licences', () => {
    const { parts } = read({
      content: { parts: [{ text: 'quoted' }] },
      finishReason: 'STOP',
      urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'u', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_PAYWALL' }] },
      citationMetadata: { citationSources: [{ endIndex: 6, uri: 'l', license: 'mit' }] },
    });
    expect(parts).toMatchObject([
      { kind: 'hostedCall', family: 'urlFetch', input: { url: 'u' } },
      { kind: 'hostedResult', isError: true, errorCode: 'paywall' },
      { citations: [{ source: 'license', url: 'l', span: { start: 0, end: 6 } }] },
    ]);
  });

  test('log probabilities belong to the texts they fill', () => {
    const token = (word: string) => ({ token: word, logProbability: -1, tokenId: 1 });
    const { parts } = read({
      content: { parts: [{ text: 'ab' }, { text: 'cd' }] },
      finishReason: 'STOP',
      logprobsResult: {
        chosenCandidates: [token('a'), token('b'), token('cd')],
        topCandidates: [{ candidates: [token('a')] }],
      },
    });
    expect(
      parts.map((part) => (part.kind === 'text' ? part.logprobs?.map((entry) => entry.token) : undefined)),
    ).toEqual([['a', 'b'], ['cd']]);
  });

  test('telemetry is one key, duties are their own', () => {
    const { ext } = read(
      {
        finishReason: 'STOP',
        avgLogprobs: -1,
        safetyRatings: [],
        groundingMetadata: { searchEntryPoint: { renderedContent: 'x' } },
      },
      { usageMetadata: { promptTokenCount: 1, trafficType: 'ON_DEMAND' }, turnToken: 't' },
    );
    expect(ext?.generateContent).toEqual({
      searchEntryPoint: { renderedContent: 'x' },
      telemetry: { avgLogprobs: -1, safetyRatings: [], trafficType: 'ON_DEMAND', turnToken: 't' },
    });
  });
});

describe('streams of this service', () => {
  const chunk = (parts: JsonObject[], more: JsonObject = {}, top: JsonObject = {}): string =>
    `data: ${JSON.stringify({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }], responseId: 'r', modelVersion: 'm', ...top })}\r\n\r\n`;
  const stop = chunk([{ text: '' }], { finishReason: 'STOP' });
  const parts = (body: string) => fold(readStream(body)).parts;
  const types = (body: string) => readStream(body).map((event) => event.type);

  test('texts are joined while nothing changes; what is signed stands alone', () => {
    const body =
      chunk([{ text: 'h', thought: true }]) +
      chunk([{ text: 'm', thought: true }]) +
      chunk([{ text: 'a' }, { text: '' }]) +
      chunk([{ text: 'b' }]) +
      chunk([{ text: 'c', thoughtSignature: 'QQ==' }]) +
      chunk([{ text: 'd' }]) +
      stop;
    expect(parts(body)).toMatchObject([
      { kind: 'reasoning', text: ['hm'] },
      { text: 'ab' },
      { text: 'c', state: [{ payload: 'QQ==' }] },
      { text: 'd' },
    ]);
  });

  test('calls: whole, parallel, one id is one call, ids may be missing', () => {
    const body =
      chunk([{ functionCall: { name: 'f', args: { a: 1 }, id: 'x' }, thoughtSignature: 'QQ==' }]) +
      chunk([
        { functionCall: { name: 'f', args: { a: 2 }, id: 'x' } },
        { functionCall: { name: 'f' } },
        { functionCall: { name: 'f' } },
      ]) +
      stop;
    expect(parts(body)).toMatchObject([
      { callId: 'x', args: { value: { a: 2 } }, state: [{ payload: 'QQ==' }] },
      { callId: '', args: { value: {} } },
      { callId: '' },
    ]);
    expect(fold(readStream(body)).finish.kind).toBe('tool_use');
    expect(types(body)).toEqual([
      'start',
      'part.start',
      'part.delta',
      'part.end',
      'part.start',
      'part.end',
      'part.start',
      'part.end',
      'finish',
      'end',
    ]);
  });

  test('arguments that come piece by piece', () => {
    const piece = (jsonPath: string, value: JsonObject) =>
      chunk([{ functionCall: { partialArgs: [{ jsonPath, ...value }], willContinue: true } }]);
    const body =
      chunk([{ functionCall: { name: 'save', willContinue: true }, thoughtSignature: 'QQ==' }]) +
      piece('$.items[0].name', { stringValue: 'pe', willContinue: true }) +
      piece('$.items[0].name', { stringValue: 'ar' }) +
      piece('$.items[1].qty', { numberValue: 2 }) +
      piece("$['odd key'].ok", { boolValue: true }) +
      piece('$.none', { nullValue: 'NULL_VALUE' }) +
      piece('$.__proto__.polluted', { stringValue: 'x' }) +
      piece('$.far[99999999]', { numberValue: 1 }) +
      chunk([{ functionCall: {} }]) +
      chunk([{ functionCall: { name: 'next', willContinue: true } }]) +
      stop;
    const [first, second] = parts(body);
    expect(first).toMatchObject({ name: 'save', state: [{ payload: 'QQ==' }] });
    expect(JSON.stringify(first?.kind === 'call' ? first.args.value : undefined)).toBe(
      '{"items":[{"name":"pear"},{"qty":2}],"odd key":{"ok":true},"none":null,"__proto__":{"polluted":"x"},"far":[]}',
    );
    expect(({} as JsonObject).polluted).toBeUndefined();
    expect(second).toMatchObject({ name: 'next', args: { value: {} } });
  });

  test('the finish waits for what follows it, sources reach the open text', () => {
    const meta = {
      webSearchQueries: ['q'],
      groundingChunks: [{ web: { uri: 'u' } }],
      groundingSupports: [{ segment: { endIndex: 2, text: 'ab' }, groundingChunkIndices: [0] }],
    };
    const body =
      chunk([{ text: 'ab' }], { groundingMetadata: {} }) +
      chunk([{ text: '', thoughtSignature: 'QQ==' }], { finishReason: 'STOP' }) +
      chunk([], { groundingMetadata: meta });
    const events = readStream(body);
    expect(events.map((event) => event.type)).toEqual([
      'start',
      'part.start',
      'part.delta',
      'part.start',
      'part.end',
      'part.citation',
      'part.end',
      'part.start',
      'part.end',
      'part.start',
      'part.end',
      'finish',
      'end',
    ]);
    expect(fold(events).parts).toMatchObject([
      { text: 'ab', citations: [{ url: 'u', span: { start: 0, end: 2 } }] },
      { text: '', state: [{ on: 'empty' }] },
      { kind: 'hostedCall' },
      { kind: 'hostedResult' },
    ]);
  });

  test('a server tool that the service called itself is no call of the client', () => {
    const body =
      chunk([{ functionCall: { name: 's_get', args: { a: 1 } } }], { finishReason: 'STOP' }) +
      chunk([{ functionResponse: { name: 's_get', response: { result: 'ok' } } }]) +
      chunk([{ text: 'done' }], { finishReason: 'STOP' });
    expect(parts(body)).toMatchObject([
      { kind: 'hostedCall', family: 'mcp' },
      { kind: 'hostedResult', output: { text: 'ok' } },
      { text: 'done' },
    ]);
    expect(fold(readStream(body)).finish.kind).toBe('end');
  });

  test('code and its result, apart or together', () => {
    const code = { executableCode: { code: 'x' } };
    const done = { codeExecutionResult: { outcome: 'OUTCOME_OK' } };
    const ids = (body: string) =>
      parts(body).map((part) => ('callId' in part ? [part.callId, part.state?.length ?? 0] : part.kind));
    expect(ids(chunk([code, { text: '' }]) + chunk([done]) + stop)).toEqual([
      ['hosted_0', 0],
      ['hosted_0', 1],
    ]);
    expect(ids(chunk([code]) + chunk([{ text: 'a' }]) + stop)).toEqual([['hosted_0', 1], 'text']);
  });

  test.each([
    ['an event', `data: {"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}\r\n\r\n`],
    ['a bare object', '{\n  "error": {"code": 503, "message": "x", "status": "UNAVAILABLE"}\n}\n'],
  ])('a failure in mid-stream as %s', (_name, failure) => {
    const events = readStream(chunk([{ text: 'a' }]) + failure + stop);
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'overloaded', code: 'UNAVAILABLE' } });
    expect(readStream(chunk([{ text: 'a' }]) + failure + stop, 1)).toEqual(events);
  });

  test('an array of one failure, garbage, nothing, [DONE] alone', () => {
    expect(readStream('[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]')).toMatchObject([
      { type: 'error', error: { kind: 'rate_limit' } },
    ]);
    expect(readStream('data: {nope\r\n\r\n')).toMatchObject([{ type: 'error', error: { kind: 'upstream' } }]);
    expect(readStream('[1]')).toMatchObject([{ type: 'error', error: { kind: 'upstream' } }]);
    expect(readStream('')).toMatchObject([{ type: 'error', error: { kind: 'upstream', code: 'upstream_incomplete' } }]);
    expect(readStream('data: [DONE]\n\n')).toMatchObject([{ type: 'error', error: { code: 'upstream_incomplete' } }]);
    expect(fold(readStream(`${chunk([{ text: 'a' }], { finishReason: 'STOP' })}data: [DONE]\n\n`)).parts).toHaveLength(
      1,
    );
  });

  test('framing is told by the first character', () => {
    const body = JSON.stringify(
      [{ candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }] }],
      null,
      2,
    );
    expect(parts(`\n ${body}`)).toMatchObject([{ text: 'a' }]);
    expect(parts(`\ufeff${body}`)).toMatchObject([{ text: 'a' }]);
    expect(readStream(` \r\n${body}`, 1).at(-1)?.type).toBe('end');
  });

  test('an event beyond the limit is a failure', () => {
    const events: StreamEvent[] = [];
    const decoder = generateContent.createStreamDecoder(
      { losses: createLosses(), domain: 'd', maxEventBytes: 100 },
      (event) => events.push(event),
    );
    decoder.push(chunk([{ text: 'x'.repeat(200) }]));
    decoder.end();
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'upstream' } }]);
  });

  test('counts: the last snapshot, blocked prompts, more than one answer', () => {
    const counted =
      chunk(
        [{ text: 'a' }],
        {},
        { usageMetadata: { promptTokenCount: 46, candidatesTokenCount: 3, totalTokenCount: 49 } },
      ) +
      chunk(
        [],
        { finishReason: 'STOP' },
        {
          usageMetadata: {
            promptTokenCount: 147,
            candidatesTokenCount: 9,
            totalTokenCount: 156,
            serviceTier: 'standard',
          },
        },
      );
    expect(fold(readStream(counted))).toMatchObject({ usage: { input: 147, output: 9 }, tier: 'standard' });
    expect(fold(readStream('data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n')).finish).toMatchObject({
      kind: 'prompt_blocked',
    });
    const two = `data: ${JSON.stringify({
      candidates: [
        { content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' },
        { content: { parts: [{ text: 'b' }] }, finishReason: 'STOP', index: 1 },
      ],
    })}\n\n`;
    expect(parts(two)).toMatchObject([{ text: 'a' }]);
  });

  test('events say the last word only where there is one', () => {
    expect(generateContent.isTerminal('', '{"candidates":[{"finishReason":"STOP"}]}')).toBe(true);
    expect(generateContent.isTerminal('', '{"error":{}}')).toBe(true);
    expect(
      generateContent.isTerminal(
        '',
        JSON.stringify({ candidates: [{ content: { parts: [{ text: '"finishReason":"STOP"' }] } }] }),
      ),
    ).toBe(false);
  });
});

const recorded = recordings().filter(({ stream, status }) => stream !== undefined && status === 200);
(recorded.length > 0 ? describe : describe.skip)(
  `recorded streams through both codecs ${recorded.length > 0 ? '' : CORPUS_ABSENT}`,
  () => {
    test.each(recorded)('$name', ({ stream }) => {
      const events = readStream(stream ?? '');
      const strip = (parts: readonly Part[]) => parts.map(({ src: _src, ...part }) => part);
      const once = fold(events);
      const twice = fold(readStream(writeStream(events)));
      expect(twice.finish).toEqual(once.finish);
      expect(strip(twice.parts).filter((part) => part.kind === 'text')).toEqual(
        strip(once.parts).filter((part) => part.kind === 'text'),
      );
      expect(twice.parts.map((part) => [part.kind, part.state])).toEqual(
        once.parts.map((part) => [part.kind, part.state]),
      );
    });
  },
);
