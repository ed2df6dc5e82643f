import { describe, expect, test } from '@jest/globals';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createLosses } from '../../translators/canonical/loss.js';
import { messages } from '../../translators/messages/index.js';
import { readStream } from './support.js';

type Frame = Record<string, unknown> & { readonly type: string };

const START: Frame = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [],
    usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1, service_tier: 'standard' },
  },
};
const STOP: Frame = { type: 'message_stop' };

function finish(stop_reason: string, usage: object = { output_tokens: 3 }): Frame[] {
  return [{ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }, STOP];
}

function block(index: number, content_block: object, ...deltas: object[]): Frame[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function sse(frames: readonly Frame[]): string {
  return frames.map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`).join('');
}

function read(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  const decoder = messages.createStreamDecoder({ losses: createLosses(), domain: 'd' }, (event) => events.push(event));
  decoder.push(text);
  decoder.end();
  return events;
}

const json = (partial_json: string) => ({ type: 'input_json_delta', partial_json });
const call = { type: 'tool_use', id: 'a', name: 'f', input: {} };

describe('parts', () => {
  test('a stream folds to what the whole answer decodes to', () => {
    const thought = { type: 'thinking', thinking: 'step', signature: 'S' };
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } };
    const result = {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: 'E', page_age: null }],
    };
    const citation = {
      type: 'web_search_result_location',
      url: 'u',
      title: 't',
      encrypted_index: 'I',
      cited_text: 'c',
    };
    const frames = [
      START,
      ...block(
        0,
        { ...thought, thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'st' },
        { type: 'thinking_delta', thinking: 'ep' },
        { type: 'signature_delta', signature: 'S' },
      ),
      ...block(1, { type: 'redacted_thinking', data: 'D' }),
      { type: 'ping' },
      ...block(2, { ...search, input: {} }, json(''), json('{"query"'), json(':"q"}')),
      ...block(3, result),
      ...block(
        4,
        { type: 'text', text: '', citations: [] },
        { type: 'citations_delta', citation },
        { type: 'text_delta', text: 'x' },
      ),
      ...block(5, call, json('')),
      ...finish('tool_use', { output_tokens: 3, server_tool_use: { web_search_requests: 1 } }),
    ];
    const whole = {
      ...(START.message as object),
      content: [
        thought,
        { type: 'redacted_thinking', data: 'D' },
        search,
        result,
        { type: 'text', text: 'x', citations: [citation] },
        call,
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 5,
        output_tokens: 3,
        service_tier: 'standard',
        server_tool_use: { web_search_requests: 1 },
      },
    };
    const folded = readStream(sse(frames)).response;
    const decoded = messages.decodeResponse(whole, { losses: createLosses(), domain: 'd' });
    expect(folded?.parts.map(({ src: _src, ...part }) => part)).toMatchObject(
      decoded.parts.map(({ src: _src, ext: _ext, ...part }) => part),
    );
    expect(folded).toMatchObject({ id: 'msg_1', model: 'claude', finish: decoded.finish, tier: 'standard' });
    expect(folded?.usage).toMatchObject({ input: 15, cacheRead: 5, output: 3, hosted: { webSearch: 1 } });
  });

  test('empty fragments are no content [hard case STRM-10]', () => {
    const events = read(sse([START, ...block(0, call, json(''), json('{}')), ...finish('tool_use')]));
    expect(events.filter(({ type }) => type === 'part.delta')).toEqual([
      { type: 'part.delta', ix: 0, op: 'args', value: '{}' },
    ]);
  });

  test('input at the start counts when no fragment comes [hard case CALL-08]', () => {
    const { response } = readStream(sse([START, ...block(0, { ...call, input: { a: 1 } }), ...finish('tool_use')]));
    expect(response?.parts).toMatchObject([{ args: { value: { a: 1 } } }]);
    expect(readStream(sse([START, ...block(0, call), ...finish('tool_use')])).response?.parts).toMatchObject([
      { args: { value: {} } },
    ]);
  });

  test('arguments keep their text, also when it is no object [hard case CALL-14]', () => {
    const broken = readStream(
      sse([
        START,
        ...block(0, call, json('{"a":')),
        ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'x' }),
        ...finish('end_turn'),
      ]),
    );
    expect(broken.response?.parts[0]).toMatchObject({ args: { text: '{"a":' } });
    const big = readStream(sse([START, ...block(0, call, json('{"n":9007199254740993}')), ...finish('tool_use')]));
    expect(big.response?.parts[0]).toMatchObject({ args: { text: '{"n":9007199254740993}' } });
  });

  test('a call is cut only when it is last and the limit was hit [hard case STOP-06]', () => {
    const frames = [
      START,
      ...block(0, call, json('{}')),
      ...block(1, { ...call, id: 'b' }, json('{"a')),
      ...finish('max_tokens'),
    ];
    const { response } = readStream(sse(frames));
    expect(response?.parts.map((part) => part.kind === 'call' && part.truncated)).toEqual([undefined, true]);
    expect(response?.finish.kind).toBe('max_tokens');
  });

  test('hosted calls without result carry their own state', () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const { response } = readStream(
      sse([START, ...block(0, search, json('{"query":"q"}')), ...block(1, call, json('')), ...finish('tool_use')]),
    );
    expect(JSON.parse(response?.parts[0]?.state?.[0]?.payload ?? '')).toEqual([{ ...search, input: { query: 'q' } }]);
  });

  test('parallel hosted calls are paired by id', () => {
    const search = (id: string) => ({ type: 'server_tool_use', id, name: 'web_search', input: {} });
    const result = (id: string) => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] });
    const frames = [
      START,
      ...block(0, search('srvtoolu_1')),
      ...block(1, search('srvtoolu_2')),
      ...block(2, result('srvtoolu_1')),
      ...block(3, result('srvtoolu_2')),
      ...finish('end_turn'),
    ];
    const events = read(sse(frames));
    expect(events.flatMap((event) => (event.type === 'part.end' ? [event.ix] : []))).toEqual([0, 2, 1, 3]);
    expect(readStream(sse(frames)).response?.parts.map(({ state }) => state?.length)).toEqual([
      undefined,
      undefined,
      1,
      1,
    ]);
  });
});

describe('usage', () => {
  test('replaces and never adds; what is not repeated stays [hard case USE-04]', () => {
    const { response } = readStream(
      sse([START, ...finish('end_turn', { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 3 })]),
    );
    expect(response?.usage).toMatchObject({ input: 15, cacheRead: 5, output: 3 });
    expect(readStream(sse([START, ...finish('end_turn')])).response?.usage).toMatchObject({ input: 15, output: 3 });
  });

  test('the placeholder at the start is no count', () => {
    expect(read(sse([START]))[0]).toMatchObject({ type: 'start', usage: { input: 15 } });
    expect(read(sse([START]))[0]).not.toHaveProperty('usage.output');
  });
});

describe('spellings of the base specification [M §7]', () => {
  const bare = [
    { type: 'message_start', message: { id: 'm', model: 'x', role: 'assistant', type: 'message' } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
    { type: 'content_block_delta', index: 0, delta: { text: 'hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', usage: { input_tokens: 4, output_tokens: 2 } } },
    STOP,
  ];

  test('untyped deltas, and counts inside the delta', () => {
    const { response } = readStream(sse(bare));
    expect(response).toMatchObject({
      parts: [{ kind: 'text', text: 'hi' }],
      usage: { input: 4, output: 2 },
      finish: { kind: 'end' },
    });
  });

  test('data lines alone, and [DONE]', () => {
    const text = `${bare.map((frame) => `data:${JSON.stringify(frame)}\n\n`).join('')}data: [DONE]\n\n`;
    expect(readStream(text).response).toMatchObject({ parts: [{ text: 'hi' }], finish: { kind: 'end' } });
  });

  test('deltas without a start, and blocks that are never closed', () => {
    const frames = [
      START,
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
      ...finish('end_turn'),
    ];
    expect(readStream(sse(frames)).response?.parts).toMatchObject([{ kind: 'text', text: 'a' }]);
  });

  test('unknown events and deltas are passed by', () => {
    const frames = [
      START,
      { type: 'later_event', x: 1 },
      ...block(0, { type: 'text', text: '' }, { type: 'later_delta' }, { type: 'text_delta', text: 'a' }),
      ...finish('end_turn'),
    ];
    const events = read(sse(frames));
    expect(events.filter(({ type }) => type === 'opaque')).toHaveLength(2);
    expect(events.at(-1)?.type).toBe('end');
  });
});

describe('exactly one truthful end', () => {
  const text = sse([START, ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'a' })]);

  test('without a reason it is a failure [hard case STOP-08]', () => {
    for (const stream of [
      '',
      text,
      text + sse([STOP]),
      text + sse([{ type: 'message_delta', delta: {}, usage: { output_tokens: 1 } }, STOP]),
    ]) {
      expect(read(stream).at(-1)).toMatchObject({
        type: 'error',
        error: { kind: 'upstream', code: 'upstream_incomplete' },
      });
    }
  });

  test('with a reason and without the last event it is an end', () => {
    expect(read(text + sse(finish('end_turn').slice(0, 1))).at(-1)).toMatchObject({ type: 'end' });
  });

  test('an error event ends it, wherever it stands', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    for (const stream of [sse([error]), text + sse([error, ...finish('end_turn')])]) {
      const events = read(stream);
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'overloaded' } });
      expect(events.filter(({ type }) => type === 'error' || type === 'end')).toHaveLength(1);
    }
  });

  test.each([
    ['no JSON', 'event: ping\ndata: {"type"\n\n', 'upstream_bad_frame'],
    ['no object', 'data: 7\n\n', 'upstream_bad_frame'],
    [
      'a malformed block',
      sse([{ type: 'content_block_start', index: 0, content_block: { type: 'tool_use' } }]),
      'upstream_bad_body',
    ],
  ])('%s is a failure of the backend', (_name, frames, code) => {
    expect(read(text + frames).at(-1)).toMatchObject({ type: 'error', error: { kind: 'upstream', code } });
  });

  test('an event beyond the bound too', () => {
    const events: StreamEvent[] = [];
    const decoder = messages.createStreamDecoder({ losses: createLosses(), domain: 'd', maxEventBytes: 50 }, (event) =>
      events.push(event),
    );
    decoder.push(`data: ${'x'.repeat(100)}`);
    decoder.end();
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'upstream' } }]);
  });

  test('relayed streams are watched by the same words', () => {
    expect(messages.isTerminal('message_stop', '{}')).toBe(true);
    expect(messages.isTerminal('error', '{}')).toBe(true);
    expect(messages.isTerminal('message_delta', '{"type":"message_delta"}')).toBe(false);
    expect(messages.isTerminal('', '{"type": "message_stop"}')).toBe(true);
    expect(messages.isTerminal('', '[DONE]')).toBe(false);
  });
});
