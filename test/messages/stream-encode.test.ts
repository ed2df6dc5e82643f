import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from '@jest/globals';
import type { Citation, Part } from '../../translators/canonical/content.js';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { CanonicalResponse } from '../../translators/canonical/response.js';
import type { StateEntry } from '../../translators/canonical/state.js';
import { messages } from '../../translators/messages/index.js';
import { decodeCarrier } from '../../translators/wire/carrier.js';
import { eventsOf, foldMessage, foreignRequest, foreignResponse, framesIn, view, write } from './support.js';

const STATE: StateEntry = { dialect: 'generateContent', domain: 'g', kind: 'signature', payload: 'SIG', on: 'call' };
const THOUGHT: StateEntry = { dialect: 'generateContent', domain: 'g', kind: 'reasoning', payload: '{}' };
const START: StreamEvent = { type: 'start', id: 'up', model: 'gemini' };
const END: StreamEvent[] = [
  { type: 'finish', finish: { kind: 'end', raw: 'STOP', dialect: 'generateContent' } },
  { type: 'end' },
];
const TEXT: Part = { kind: 'text', text: '' };

function start(ix: number, part: Part): StreamEvent {
  return { type: 'part.start', ix, part };
}

function text(ix: number, value: string): StreamEvent {
  return { type: 'part.delta', ix, op: 'text', value };
}

function end(ix: number, part: Part): StreamEvent {
  return { type: 'part.end', ix, part };
}

function names(stream: string): string[] {
  return stream.split('\n').flatMap((line) => (line.startsWith('event: ') ? [line.slice(7)] : []));
}

describe('grammar', () => {
  test('every frame has both lines with equal names, and there is no [DONE]', () => {
    const stream = write(eventsOf(foreignResponse([{ kind: 'text', text: 'hé' }])));
    expect(names(stream)).toEqual(framesIn(stream).map(({ type }) => type));
    expect(stream).not.toContain('[DONE]');
    expect(names(stream)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  test('a part that stays empty makes no block, so that a call is the first [hard case STRM-03]', () => {
    const call: Part = { kind: 'call', callId: 'c', name: 'f', args: { text: '{"a":1}' } };
    const stream = write([START, start(0, TEXT), end(0, TEXT), start(1, call), end(1, call), ...END]);
    expect(framesIn(stream)[1]).toMatchObject({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', input: {} },
    });
    expect(framesIn(stream)[2]).toMatchObject({ delta: { type: 'input_json_delta', partial_json: '{"a":1}' } });
  });

  test('a call without arguments has one empty fragment [hard case CALL-08]', () => {
    for (const args of [{ text: '' }, { text: '{}' }, { value: {} }]) {
      const call: Part = { kind: 'call', callId: 'c', name: 'f', args };
      const deltas = framesIn(write([START, start(0, call), end(0, call), ...END])).filter(
        ({ type }) => type === 'content_block_delta',
      );
      expect(deltas).toEqual([
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
      ]);
    }
  });

  test('arguments stream as they come, and what only the end tells follows', () => {
    const head: Part = { kind: 'call', callId: 'c', name: 'f', args: { text: '' } };
    const delta = (value: string): StreamEvent => ({ type: 'part.delta', ix: 0, op: 'args', value });
    const stream = write([
      START,
      start(0, head),
      delta('{"a'),
      delta('":1'),
      end(0, { ...head, args: { text: '{"a":1}' } }),
      ...END,
    ]);
    const parts = framesIn(stream).flatMap(
      ({ delta: said }) => (said as { partial_json?: string })?.partial_json ?? [],
    );
    expect(parts).toEqual(['{"a', '":1', '}']);
  });

  test('interleaved parts follow one another in order', () => {
    const call = (callId: string): Part => ({ kind: 'call', callId, name: 'f', args: { text: '' } });
    const delta = (ix: number, value: string): StreamEvent => ({ type: 'part.delta', ix, op: 'args', value });
    const whole = (callId: string, json: string): Part => ({ kind: 'call', callId, name: 'f', args: { text: json } });
    const stream = write([
      START,
      start(0, call('a')),
      delta(0, '{"x"'),
      start(1, call('b')),
      delta(1, '{"y"'),
      start(2, call('c')),
      delta(0, ':1}'),
      delta(1, ':2}'),
      end(1, whole('b', '{"y":2}')),
      delta(2, '{"z":3}'),
      end(2, whole('c', '{"z":3}')),
      end(0, whole('a', '{"x":1}')),
      ...END,
    ]);
    expect(foldMessage(stream).content).toMatchObject([
      { id: 'a', input: { x: 1 } },
      { id: 'b', input: { y: 2 } },
      { id: 'c', input: { z: 3 } },
    ]);
  });
});

describe('the beginning', () => {
  test('waits for the first content, and tells counts that are known by then', () => {
    const encoder = messages.createStreamEncoder(view());
    expect(encoder.encode({ ...START, usage: { input: 10, cacheRead: 4 } })).toBe('');
    expect(encoder.encode({ type: 'ping' })).toBe('');
    expect(encoder.encode(start(0, TEXT))).toContain('message_start');
    const [first] = framesIn(write([{ ...START, usage: { input: 10, cacheRead: 4 } }, start(0, TEXT)]));
    expect(first).toEqual({
      type: 'message_start',
      message: {
        id: expect.stringMatching(/^msg_il/),
        type: 'message',
        role: 'assistant',
        model: 'gemini',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        stop_details: null,
        container: null,
        diagnostics: null,
        usage: {
          input_tokens: 6,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 4,
          output_tokens: 1,
          output_tokens_details: null,
          server_tool_use: null,
          cache_creation: null,
          inference_geo: null,
          service_tier: null,
          speed: null,
        },
      },
    });
  });

  test('the tier is told where it is known by then, and never at the end', () => {
    const tiersOf = (known: string | undefined, ended: string) => {
      const context = view();
      const head: StreamEvent = { type: 'start', id: 'up', model: 'gemini', tier: known };
      const events = [head, start(0, TEXT), ...END.slice(0, -1), { type: 'end', tier: ended } as const];
      const frames = framesIn(write(events, context)) as { message?: { usage: object }; usage?: object }[];
      const losses = context.losses.list.filter(({ feature }) => feature === 'tier');
      const counts = [frames[0]?.message?.usage, frames.at(-2)?.usage];
      return { told: counts.map((usage) => Reflect.get(usage ?? {}, 'service_tier')), lost: losses.length };
    };
    expect(tiersOf('default', 'default')).toEqual({ told: ['standard', undefined], lost: 0 });
    expect(tiersOf(undefined, 'default')).toEqual({ told: [null, undefined], lost: 0 });
    expect(tiersOf(undefined, 'priority')).toEqual({ told: [null, undefined], lost: 1 });
    expect(tiersOf('priority', 'default')).toEqual({ told: ['priority', undefined], lost: 1 });
    expect(tiersOf('flex', 'flex')).toEqual({ told: [null, undefined], lost: 1 });
  });

  test('counts that come first are in it', () => {
    const stream = write([START, { type: 'usage', usage: { input: 77 } }]);
    expect(framesIn(stream)).toMatchObject([{ type: 'message_start', message: { usage: { input_tokens: 77 } } }]);
  });

  test('an estimate stands in, corrected at the end', () => {
    const losses = createLosses();
    const request = foreignRequest({
      source: 'messages',
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'x'.repeat(400) }] }],
    });
    const events = eventsOf(foreignResponse([{ kind: 'text', text: 'a' }], { usage: { input: 123, output: 4 } }));
    const stream = write(events, view({ losses, request }));
    expect(framesIn(stream)[0]).toMatchObject({ message: { usage: { input_tokens: 100 } } });
    expect(framesIn(stream).find(({ type }) => type === 'message_delta')).toMatchObject({
      delta: { usage: { input_tokens: 123, output_tokens: 4 } },
      usage: { input_tokens: 123, output_tokens: 4, cache_read_input_tokens: 0 },
    });
    expect(losses.list).toMatchObject([{ feature: 'usage.input', kind: 'invented' }]);
  });

  test('a heartbeat sends it; later ones are pings', () => {
    const encoder = messages.createStreamEncoder(view({ model: 'fast' }));
    expect(framesIn(encoder.heartbeat())).toMatchObject([{ type: 'message_start', message: { model: 'fast' } }]);
    expect(encoder.heartbeat()).toBe('event: ping\ndata: {"type": "ping"}\n\n');
    expect(encoder.encode(START)).toBe('');
    const rest = [start(0, TEXT), text(0, 'a'), end(0, { kind: 'text', text: 'a' }), ...END]
      .map((event) => encoder.encode(event))
      .join('');
    expect(rest).not.toContain('message_start');
    expect(rest).toContain('message_stop');
    expect(encoder.heartbeat()).toBe('');
  });
});

describe('thinking', () => {
  const call: Part = { kind: 'call', callId: 'c', name: 'f', args: { value: { a: 1 } }, state: [STATE] };
  const reasoning: Part = { kind: 'reasoning', text: ['one', 'two'], state: [THOUGHT] };
  const think = (ix: number, value: string, sub: number): StreamEvent => ({
    type: 'part.delta',
    ix,
    op: 'reasoning',
    value,
    sub,
  });

  test('stays open until the next part begins, whose state joins its carrier', () => {
    const events = [
      START,
      start(0, { kind: 'reasoning', text: [] }),
      think(0, 'one', 0),
      think(0, 'two', 1),
      end(0, reasoning),
    ];
    const before = write(events);
    expect(names(before)).not.toContain('content_block_stop');
    const message = foldMessage(write([...events, start(1, call), end(1, call), ...END]));
    const [block] = message.content as { signature: string }[];
    expect(block).toMatchObject({ type: 'thinking', thinking: 'one\n\ntwo' });
    expect(decodeCarrier(block?.signature ?? '')?.entries.map(({ payload }) => payload)).toEqual(['{}', 'SIG']);
  });

  test('has exactly one signature, right before its end', () => {
    const stream = write([
      START,
      start(0, { kind: 'reasoning', text: [] }),
      think(0, 'x', 0),
      end(0, reasoning),
      ...END,
    ]);
    const order = framesIn(stream).map(({ type, delta }) => (delta as { type?: string })?.type ?? type);
    expect(order.slice(1, 5)).toEqual([
      'content_block_start',
      'thinking_delta',
      'signature_delta',
      'content_block_stop',
    ]);
  });

  test('raw thinking is shown where there is no summary', () => {
    const raw: StreamEvent = { type: 'part.delta', ix: 0, op: 'raw', value: 'deep', sub: 0 };
    const part: Part = { kind: 'reasoning', text: [], raw: ['deep'] };
    const message = foldMessage(write([START, start(0, { kind: 'reasoning', text: [] }), raw, end(0, part), ...END]));
    expect(message.content).toMatchObject([{ type: 'thinking', thinking: 'deep' }]);
  });
});

describe('citations', () => {
  const citation: Citation = { source: 'web', url: 'u', title: 't', span: { start: 0, end: 2 } };
  const whole: Part = { kind: 'text', text: 'ab' };
  const cited: StreamEvent = { type: 'part.citation', ix: 0, citation };
  const placed = { type: 'web_search_result_location', url: 'u', title: 't', cited_text: 'ab', encrypted_index: '' };

  test('join the block of their text, also late', () => {
    const losses = createLosses();
    const stream = write([START, start(0, TEXT), text(0, 'ab'), end(0, whole), cited, ...END], view({ losses }));
    expect(foldMessage(stream).content).toEqual([{ type: 'text', text: 'ab', citations: [placed] }]);
    expect(losses.list.filter(({ feature }) => feature === 'part.citation')).toEqual([]);
  });

  test('are widened to the block, which is reported', () => {
    const losses = createLosses();
    const stream = write(
      [START, start(0, TEXT), text(0, 'ab'), cited, text(0, 'c'), end(0, { kind: 'text', text: 'abc' }), ...END],
      view({ losses }),
    );
    expect(foldMessage(stream).content).toEqual([{ type: 'text', text: 'abc', citations: [placed] }]);
    expect(losses.list.filter(({ feature }) => feature === 'part.citation')).toMatchObject([{ kind: 'approximated' }]);
    expect(stream).toMatch(
      /\n\n(: interlingua-loss \{.*\}\n)*: interlingua-loss \{.*"part\.citation".*\n(: .*\n)*\nevent: message_stop\n/,
    );
  });

  test('before any text wait for it; behind a closed block they are lost', () => {
    const losses = createLosses();
    const early = write([
      START,
      start(0, TEXT),
      { ...cited, citation: { source: 'web', url: 'u' } },
      text(0, 'ab'),
      end(0, whole),
      ...END,
    ]);
    expect(framesIn(early).map(({ delta }) => (delta as { type?: string })?.type)).toEqual([
      undefined,
      undefined,
      'citations_delta',
      'text_delta',
      undefined,
      undefined,
      undefined,
    ]);
    const next: Part = { kind: 'text', text: 'z' };
    write(
      [START, start(0, TEXT), text(0, 'ab'), end(0, whole), start(1, TEXT), text(1, 'z'), end(1, next), cited, ...END],
      view({ losses }),
    );
    expect(losses.list.filter(({ feature }) => feature === 'part.citation')).toMatchObject([{ kind: 'dropped' }]);
  });

  test('that only the end of the part tells are not forgotten', () => {
    const stream = write([START, start(0, TEXT), text(0, 'ab'), end(0, { ...whole, citations: [citation] }), ...END]);
    expect(foldMessage(stream).content).toEqual([{ type: 'text', text: 'ab', citations: [placed] }]);
  });
});

describe('failures', () => {
  test('are the service’s own frame, and nothing follows [hard case ERR-01]', () => {
    const encoder = messages.createStreamEncoder(view({ requestId: 'req_1' }));
    encoder.encode(START);
    encoder.encode(start(0, TEXT));
    encoder.encode(text(0, 'a'));
    const failed = encoder.encode({ type: 'error', error: { kind: 'overloaded', message: 'busy' } });
    const [told, ...frames] = failed.split(/(?<=\n\n)/);
    expect(told).toMatch(/^: interlingua-loss .*"usage.input".*\n\n$/);
    expect(frames.join('')).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy","code":"overloaded","details":null},"request_id":"req_1"}\n\n',
    );
    expect(encoder.encode(text(0, 'b'))).toBe('');
    expect(encoder.heartbeat()).toBe('');
  });

  test('an end without a word here is one, and an end without a reason too [hard cases STOP-03, STOP-08]', () => {
    const malformed: StreamEvent = {
      type: 'finish',
      finish: { kind: 'malformed_call', raw: 'MALFORMED_FUNCTION_CALL', dialect: 'generateContent' },
    };
    for (const events of [
      [START, malformed, { type: 'end' }],
      [START, { type: 'end' }],
    ] as StreamEvent[][]) {
      const stream = write(events);
      expect(names(stream).at(-1)).toBe('error');
      expect(names(stream)).not.toContain('message_stop');
    }
  });
});

const ANSWERS: [string, CanonicalResponse][] = [
  ['text', foreignResponse([{ kind: 'text', text: 'Hello, wörld 🙂' }])],
  [
    'two texts',
    foreignResponse([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
    ]),
  ],
  [
    'a whole text that is cited',
    foreignResponse([
      { kind: 'text', text: 'ab', citations: [{ source: 'web', url: 'u', span: { start: 0, end: 2 } }] },
    ]),
  ],
  [
    'thinking, state and parallel calls',
    foreignResponse([
      { kind: 'reasoning', text: ['p', 'q'], state: [THOUGHT] },
      { kind: 'call', callId: 'a', name: 'f', args: { text: '{"a":1}' }, state: [STATE] },
      { kind: 'call', callId: '', name: 'g', args: { value: {} } },
    ]),
  ],
  [
    'state on text',
    foreignResponse([
      { kind: 'text', text: 'x', state: [STATE] },
      { kind: 'text', text: '', state: [STATE] },
    ]),
  ],
  [
    'thinking twice',
    foreignResponse([
      { kind: 'reasoning', text: ['a'], state: [THOUGHT] },
      { kind: 'reasoning', text: ['b'] },
      { kind: 'text', text: 'x' },
    ]),
  ],
  [
    'thinking that shows nothing',
    foreignResponse([
      { kind: 'reasoning', text: [], state: [THOUGHT] },
      { kind: 'text', text: 'x' },
    ]),
  ],
  [
    'thinking alone',
    foreignResponse([{ kind: 'reasoning', text: ['a'] }], {
      finish: { kind: 'max_tokens', raw: 'MAX_TOKENS', dialect: 'generateContent' },
    }),
  ],
  [
    'a refusal',
    foreignResponse([{ kind: 'refusal', text: 'no' }], { finish: { kind: 'refusal', raw: 'x', dialect: 'responses' } }),
  ],
  [
    'hosted pairs with state',
    foreignResponse([
      { kind: 'hostedCall', callId: 'h', family: 'webSearch', input: { query: 'q' } },
      {
        kind: 'hostedResult',
        callId: 'h',
        family: 'webSearch',
        output: { sources: [{ url: 'u', title: 't' }] },
        state: [{ ...THOUGHT, kind: 'hosted' }],
      },
      { kind: 'text', text: 'x' },
      { kind: 'hostedCall', callId: 'i', family: 'codeExec', input: { code: 'c' } },
      {
        kind: 'hostedResult',
        callId: 'i',
        family: 'codeExec',
        output: { stdout: 'o' },
        state: [{ ...THOUGHT, kind: 'hosted' }],
      },
      { kind: 'reasoning', text: ['r'], state: [THOUGHT] },
      { kind: 'text', text: 'y' },
    ]),
  ],
  [
    'media and parts without a form',
    foreignResponse([
      { kind: 'media', class: 'image', mime: 'image/png', data: { from: 'base64', base64: 'AA==' }, state: [STATE] },
      { kind: 'media', class: 'audio', mime: 'audio/wav', data: { from: 'base64', base64: 'AA==' } },
      { kind: 'opaque', dialect: 'generateContent', type: 'x', raw: {} },
      { kind: 'text', text: 'x' },
    ]),
  ],
  ['nothing', foreignResponse([], { finish: { kind: 'prompt_blocked', raw: 'SAFETY', dialect: 'generateContent' } })],
];

describe('what a client folds from a stream is the whole answer (translation.md 6.7)', () => {
  for (const trailingState of ['drop', 'emit'] as const) {
    test.each(ANSWERS)(`%s (${trailingState})`, (_name, response) => {
      const streamed = foldMessage(write(eventsOf(response), view({ trailingState })));
      expect(streamed).toEqual(messages.encodeResponse(response, view({ trailingState })));
    });
  }

  test.each(ANSWERS)('%s, to a client that is shown no thinking', (_name, response) => {
    const request = foreignRequest({ source: 'messages' });
    const streamed = foldMessage(write(eventsOf(response), view({ request })));
    expect(streamed).toEqual(messages.encodeResponse(response, view({ request })));
    expect(JSON.stringify(streamed)).not.toContain('"thinking"');
  });
});

describe('the official client', () => {
  function client(stream: string): Anthropic {
    const fetch = async (): Promise<Response> =>
      new Response(stream, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    return new Anthropic({ apiKey: 'k', fetch, maxRetries: 0 });
  }
  const ask = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'q' }] };

  test.each(ANSWERS)('accumulates %s', async (_name, response) => {
    const message = await client(write(eventsOf(response)))
      .messages.stream(ask)
      .finalMessage();
    const { content, stop_reason } = messages.encodeResponse(response, view());
    expect(JSON.parse(JSON.stringify(message.content))).toEqual(content);
    expect(message.stop_reason).toBe(stop_reason);
    expect(message.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
  });

  test('raises the error frame', async () => {
    const stream = write([
      START,
      start(0, TEXT),
      text(0, 'a'),
      { type: 'error', error: { kind: 'overloaded', message: 'busy' } },
    ]);
    await expect(client(stream).messages.stream(ask).finalMessage()).rejects.toThrow(/busy/);
  });
});
