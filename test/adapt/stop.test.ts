import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createStopCut, cutResponse } from '../../translators/adapt/stop.js';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createFold } from '../../translators/canonical/fold.js';
import type { CanonicalResponse } from '../../translators/canonical/response.js';
import { translateRequest } from '../../translators/index.js';

const END = { kind: 'end', raw: 'stop', dialect: 'x' } as const;

function answer(text: string): CanonicalResponse {
  return { source: 'x', id: 'a', model: 'm', parts: [{ kind: 'text', text }], finish: END };
}

/** The events of a text answer in the given pieces, through the stop stage, folded again. */
function streamed(pieces: readonly string[], stops: readonly string[]): CanonicalResponse | undefined {
  const fold = createFold('x');
  const cut = createStopCut(stops, fold.sink);
  const events: StreamEvent[] = [
    { type: 'start', id: 'a', model: 'm' },
    { type: 'part.start', ix: 0, part: { kind: 'text', text: '' } },
    ...pieces.map((value): StreamEvent => ({ type: 'part.delta', ix: 0, op: 'text', value })),
    { type: 'part.end', ix: 0, part: { kind: 'text', text: pieces.join('') } },
    { type: 'finish', finish: END },
    { type: 'end' },
  ];
  for (const event of events) cut.sink(event);
  return fold.response;
}

describe('cutting at stop strings', () => {
  test('a stop string over a chunk border ends the answer before it and is named', () => {
    const response = streamed(['one E', 'N', 'D two'], ['END']);
    expect(response?.parts).toEqual([{ kind: 'text', text: 'one ' }]);
    expect(response?.finish).toMatchObject({ kind: 'stop_sequence', stopSequence: 'END' });
  });

  test('text that only began like a stop string is not lost', () => {
    expect(streamed(['one E', 'N'], ['END'])?.parts).toEqual([{ kind: 'text', text: 'one EN' }]);
  });

  test('reasoning and arguments are never cut', () => {
    const response: CanonicalResponse = {
      ...answer('fine'),
      parts: [
        { kind: 'reasoning', text: ['END'] },
        { kind: 'call', callId: 'c', name: 'f', args: { text: '{"a":"END"}' } },
      ],
    };
    expect(cutResponse(response, ['END'])).toBe(response);
  });

  test('a call that is not whole where the answer is cut ends as it is (translation.md 2.11)', () => {
    const fold = createFold('x');
    const cut = createStopCut(['END'], fold.sink);
    const call = { kind: 'call', callId: 'a', name: 'f', args: { value: {} } } as const;
    const events: StreamEvent[] = [
      { type: 'start', id: 'a', model: 'm' },
      { type: 'part.start', ix: 0, part: call },
      { type: 'part.delta', ix: 0, op: 'args', value: '{"a":' },
      { type: 'part.start', ix: 1, part: { kind: 'text', text: '' } },
      { type: 'part.delta', ix: 1, op: 'text', value: 'one END' },
      { type: 'part.end', ix: 0, part: { ...call, args: { text: '{"a":1}' } } },
    ];
    for (const event of events) cut.sink(event);
    expect(fold.response?.parts).toEqual([
      { ...call, args: { text: '{"a":' }, truncated: true },
      { kind: 'text', text: 'one ' },
    ]);
  });

  test('in pieces or whole, the same is left', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 });
    const stop = letters.filter((word) => word !== '');
    fc.assert(
      fc.property(fc.array(letters), fc.array(stop, { minLength: 1, maxLength: 3 }), (pieces, stops) => {
        const whole = cutResponse(answer(pieces.join('')), stops);
        const text = (response: CanonicalResponse | undefined) =>
          response?.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
        const parts = streamed(pieces, stops);
        expect(text(parts)).toBe(text(whole));
        expect(parts?.finish).toEqual(whole.finish);
      }),
    );
  });
});

// Whoever translates with `cutsStop` cuts: a gateway, or a caller of the library.
test.each(['responses', 'chatCompletions', 'generateContent'] as const)('a loss says what happens at %s', (to) => {
  const body = {
    model: 'm',
    max_tokens: 10,
    stop_sequences: ['1', '2', '3', '4', '5', '6'],
    messages: [{ role: 'user', content: 'q' }],
  };
  const { losses } = translateRequest({ from: 'messages', to, body, cutsStop: true });
  expect(losses.filter(({ feature }) => feature === 'stop')).toMatchObject([
    { path: '/stop_sequences', kind: 'approximated', detail: 'the answer is cut at the stop strings afterwards' },
  ]);
});
