import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { patchText, readPatch } from '../../translators/adapt/client-tools/patches.js';
import {
  createStreamTranslator,
  type DialectId,
  type JsonObject,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { runs } from '../support/runs.js';
import { atVendor } from '../support/vendors.js';
import { ANSWERS, type Call, CLIENTS, streamOf, wholeOf } from './answers.js';
import { computerHistory } from './histories.js';

const point = fc.record({ x: fc.nat(1023), y: fc.nat(767) });
const action: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constant({ type: 'screenshot' }),
  fc.constant({ type: 'wait' }),
  fc.record({ type: fc.constant('type'), text: fc.string() }),
  fc.record({
    type: fc.constant('keypress'),
    keys: fc.array(fc.constantFrom('ctrl', 'a', 'enter', 'F5'), { minLength: 1 }),
  }),
  point.map((at) => ({ type: 'move', ...at })),
  fc
    .tuple(point, fc.constantFrom('left', 'right', 'wheel', 'back'))
    .map(([at, button]) => ({ type: 'click', button, ...at })),
  fc
    .tuple(point, fc.integer({ min: -900, max: 900 }))
    .map(([at, y]) => ({ type: 'scroll', scroll_x: 0, scroll_y: y, ...at })),
  fc.array(point, { minLength: 2, maxLength: 4 }).map((path) => ({ type: 'drag', path })),
);

/** A model that has the vendor's own tools: the newest of messages knows the computer as a set of tools alone. */
const modelOf = (dialect: string): string => (dialect === 'messages' ? 'claude-opus-5' : 'x');

const PAIRS: readonly (readonly [DialectId, DialectId])[] = [
  ['messages', 'responses'],
  ['messages', 'generateContent'],
  ['responses', 'messages'],
  ['responses', 'generateContent'],
  ['generateContent', 'messages'],
  ['generateContent', 'responses'],
];

/** An answer of a backend, as calls in its own words. */
function calls(backend: DialectId): fc.Arbitrary<readonly Call[]> {
  return fc.array(ANSWERS[backend], { minLength: 1, maxLength: 4 });
}

describe('answers with calls of built-in tools', () => {
  test.each(PAIRS)(
    '%s backend, %s client: the stream says what the whole answer says, however it is cut',
    (from, to) => {
      fc.assert(
        fc.property(calls(from), fc.nat(), (list, seed) => {
          const request = CLIENTS[to];
          const whole = translateResponse({ from, to, request, body: wholeOf(from, list), now: 1, nonce: 'n' });
          const bytes = new TextEncoder().encode(streamOf(from, list));
          const translator = createStreamTranslator({ from, to, request, now: 1, nonce: 'n', framing: 'array' });
          const at = seed % bytes.length;
          const text = translator.push(bytes.subarray(0, at)) + translator.push(bytes.subarray(at)) + translator.end();
          expect(callsIn(to, folded(to, text))).toEqual(callsIn(to, whole.body));
        }),
        { numRuns: runs(40) },
      );
    },
  );

  test.each(PAIRS)(
    '%s backend, %s client: what the client sends back is a request that says the same calls',
    (from, to) => {
      fc.assert(
        fc.property(calls(from), (list) => {
          const answer = translateResponse({
            from,
            to,
            request: CLIENTS[to],
            body: wholeOf(from, list),
            now: 1,
            nonce: 'n',
          });
          const body = answered(to, answer.body);
          const sent = translateRequest({ from: to, to: from, body, model: modelOf(from), profile: atVendor(from) });
          expect(idsIn(from, sent.body)).toEqual(list.map((_call, index) => `call_a${index}`));
        }),
        { numRuns: runs(40) },
      );
    },
  );
});

/** The first moves of a conversation of a client, one call each. */
const HISTORIES: Readonly<Record<'responses' | 'messages', (list: readonly Call[]) => JsonObject>> = {
  responses: (list) => ({ ...computerHistory.responses(...list.map(({ args }) => args)) }),
  messages: (list) => ({ ...computerHistory.messages(...list.map(({ args }) => args)) }),
};
const MOVES: Readonly<Record<'responses' | 'messages', fc.Arbitrary<Call>>> = {
  responses: action.map((args) => ({ name: 'computer', args })),
  messages: ANSWERS.messages.filter(({ name }) => name === 'computer'),
};

describe('histories of a computer', () => {
  test.each([
    ['responses', 'messages'],
    ['responses', 'generateContent'],
    ['messages', 'responses'],
    ['messages', 'generateContent'],
  ] as const)('%s to %s: what was said stays as it was when more is said', (from, to) => {
    fc.assert(
      fc.property(fc.array(MOVES[from], { minLength: 1, maxLength: 5 }), (moves) => {
        const sent = (count: number): unknown[] => {
          const body = HISTORIES[from](moves.slice(0, count));
          const { messages, contents, input } = translateRequest({
            from,
            to,
            body,
            model: 'x',
            profile: atVendor(to),
          }).body;
          return [messages ?? contents ?? input].flat();
        };
        const all = sent(moves.length);
        for (let count = 0; count < moves.length; count += 1) {
          const some = sent(count);
          expect(all.slice(0, some.length)).toEqual(some);
        }
      }),
      { numRuns: runs(25) },
    );
  });
});

describe('patches', () => {
  const line = fc
    .tuple(fc.constantFrom('+', '-', ' ', '@@ '), fc.string())
    .map(([mark, text]) => mark + text.replace(/[\r\n\u2028\u2029]/g, ''));
  const path = fc.stringMatching(/^[a-z][a-z/.]{0,8}[a-z]$/);
  const diff = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));
  const operation = fc.oneof(
    fc.record({ type: fc.constantFrom('create' as const, 'update' as const), path, diff }),
    fc.record({ type: fc.constant('delete' as const), path }),
  );

  test('operations written as one text are read as the same operations', () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), (operations) => {
        expect(readPatch(patchText(operations))).toEqual(operations);
      }),
      { numRuns: runs(100) },
    );
  });

  test.each([
    '',
    'hello',
    '*** Begin Patch\n*** End Patch',
    '*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch',
  ])('no patch: %j', (text) => {
    expect(readPatch(text)).toBeUndefined();
  });
});

/** The JSON that a client's library makes of a stream. */
function folded(to: DialectId, text: string): JsonObject {
  if (to === 'generateContent') {
    const chunks: JsonObject[] = JSON.parse(text);
    return { candidates: [{ content: { parts: chunks.flatMap((chunk) => partsOf(chunk)) } }] };
  }
  const events: JsonObject[] = text
    .split('\n')
    .flatMap((one) => (one.startsWith('data: ') ? [JSON.parse(one.slice(6))] : []));
  if (to === 'responses') return object(events.at(-1)?.response);
  const blocks: JsonObject[] = [];
  let json = '';
  for (const event of events) {
    if (event.type === 'content_block_start') {
      blocks.push({ ...object(event.content_block) });
      json = '';
    } else if (event.type === 'content_block_delta') json += String(object(event.delta).partial_json ?? '');
    else if (event.type === 'content_block_stop' && json !== '')
      blocks[blocks.length - 1] = { ...blocks.at(-1), input: JSON.parse(json) };
  }
  return { content: blocks };
}

function partsOf(body: JsonObject): JsonObject[] {
  const [candidate] = list(body.candidates);
  return list(object(candidate?.content).parts);
}

/** The calls of an answer, in the client's words. */
function callsIn(to: DialectId, body: JsonObject): unknown[] {
  if (to === 'messages') return list(body.content).filter(({ type }) => type === 'tool_use');
  if (to === 'responses') return list(body.output).filter(({ type }) => String(type).endsWith('_call'));
  return partsOf(body).flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
}

const SHOT = 'iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAIAAAA=';

/** The client's next request: the answer, and a result for every call in it. */
function answered(to: DialectId, body: JsonObject): JsonObject {
  const request = CLIENTS[to];
  const made = callsIn(to, body).map(object);
  if (to === 'messages') {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: SHOT } };
    const content = made.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: [picture] }));
    const turns = [
      { role: 'assistant', content: body.content },
      { role: 'user', content },
    ];
    return { ...request, messages: [...list(request.messages), ...turns] };
  }
  if (to === 'responses')
    return { ...request, input: [...list(request.input), ...list(body.output), ...made.map(outputOf)] };
  const parts = made.map(({ id, name }) => ({
    functionResponse: {
      id,
      name,
      response: { output: 'ok' },
      parts: [{ inlineData: { mimeType: 'image/png', data: SHOT } }],
    },
  }));
  const turns = [
    { role: 'model', parts: partsOf(body) },
    { role: 'user', parts },
  ];
  return { ...request, contents: [...list(request.contents), ...turns] };
}

function outputOf({ type, call_id }: JsonObject): JsonObject {
  switch (type) {
    case 'computer_call':
      return {
        type: 'computer_call_output',
        call_id,
        output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${SHOT}` },
      };
    case 'shell_call':
      return {
        type: 'shell_call_output',
        call_id,
        output: [{ stdout: 'x', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      };
    case 'apply_patch_call':
      return { type: 'apply_patch_call_output', call_id, status: 'completed', output: 'ok' };
    default:
      return { type: 'function_call_output', call_id, output: 'ok' };
  }
}

/** The ids of the calls that a backend reads in a request. */
function idsIn(from: DialectId, body: JsonObject): unknown[] {
  const ids: unknown[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    else if (typeof node === 'object' && node !== null) {
      const { type, id, call_id, functionCall, content, parts, role } = object(node);
      if (type === 'tool_use') ids.push(id);
      else if (String(type).endsWith('_call')) ids.push(call_id);
      else if (functionCall !== undefined) ids.push(object(functionCall).id);
      else if (role !== 'user') walk(content ?? parts);
    }
  };
  walk(from === 'responses' ? body.input : from === 'messages' ? body.messages : body.contents);
  return ids;
}

function object(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(object) : [];
}
