import { describe, expect, test } from '@jest/globals';
import {
  type DialectId,
  dialectIds,
  TranslationError,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { WIRES } from '../support/answers.js';
import { leastOf, processorMs } from '../support/cost.js';
import { tableOf } from '../support/dialects/index.js';
import { call as calling, text } from '../support/wire/wire.js';

/** So many of something. */
function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

type Body = Record<string, unknown>;

const ASK = tableOf('smallRequest');
const use = (id: string, name = 'look') => ({ type: 'tool_use', id, name, input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'r' });
const call = (id: string, name = 'look') => ({ type: 'function_call', call_id: id, name, arguments: '{}' });
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'r' });
const functionCall = (name: string, id?: string) => ({
  functionCall: { name, args: {}, ...(id !== undefined && { id }) },
});
const functionResponse = (name: string, id?: string) => ({
  functionResponse: { name, response: { r: 1 }, ...(id !== undefined && { id }) },
});
const turn = (role: string, parts: unknown[]) => ({ role, parts });
const said = (role: string, content: unknown) => ({ role, content });
const PIXEL = 'iVBORw0KGgo=';

/** Requests with many of one thing, each from its client's dialect. */
const SHAPES: readonly { readonly from: DialectId; readonly name: string; readonly fields: (n: number) => Body }[] = [
  {
    from: 'messages',
    name: 'turns',
    fields: (n) => ({ messages: many(n, (i) => said(i % 2 === 0 ? 'user' : 'assistant', 'x')) }),
  },
  { from: 'messages', name: 'turns of one speaker', fields: (n) => ({ messages: many(n, () => said('user', 'x')) }) },
  {
    from: 'messages',
    name: 'texts',
    fields: (n) => ({
      messages: [
        said(
          'user',
          many(n, () => ({ type: 'text', text: 'x' })),
        ),
      ],
    }),
  },
  {
    from: 'messages',
    name: 'pictures',
    fields: (n) => ({
      messages: [
        said(
          'user',
          many(n, () => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } })),
        ),
      ],
    }),
  },
  { from: 'messages', name: 'system texts', fields: (n) => ({ system: many(n, () => ({ type: 'text', text: 'x' })) }) },
  {
    from: 'messages',
    name: 'parallel calls',
    fields: (n) => ({
      messages: [
        said('user', 'x'),
        said(
          'assistant',
          many(n, (i) => use(`t${i}`)),
        ),
        said(
          'user',
          many(n, (i) => result(`t${i}`)),
        ),
      ],
    }),
  },
  {
    from: 'messages',
    name: 'calls in turn',
    fields: (n) => ({
      messages: [
        said('user', 'x'),
        ...many(n, (i) => [said('assistant', [use(`t${i}`)]), said('user', [result(`t${i}`)])]).flat(),
      ],
    }),
  },
  {
    from: 'messages',
    name: 'calls of one id',
    fields: (n) => ({
      messages: [
        said('user', 'x'),
        said(
          'assistant',
          many(n, () => use('same')),
        ),
        said(
          'user',
          many(n, () => result('same')),
        ),
      ],
    }),
  },
  {
    from: 'messages',
    name: 'calls with illegal ids',
    fields: (n) => ({
      messages: [
        said('user', 'x'),
        said(
          'assistant',
          many(n, (i) => use(`t:${i} é`)),
        ),
        said(
          'user',
          many(n, (i) => result(`t:${i} é`)),
        ),
      ],
    }),
  },
  {
    from: 'messages',
    name: 'thoughts',
    fields: (n) => ({
      messages: [
        said('user', 'x'),
        said('assistant', [
          ...many(n, () => ({ type: 'thinking', thinking: 'x', signature: 's' })),
          { type: 'text', text: 'x' },
        ]),
        said('user', 'x'),
      ],
    }),
  },
  {
    from: 'messages',
    name: 'tools',
    fields: (n) => ({
      tools: many(Math.min(n, 500), (i) => ({ name: `t${i}`, input_schema: { type: 'object', properties: {} } })),
    }),
  },
  {
    from: 'messages',
    name: 'tools with long names',
    fields: (n) => ({
      tools: many(Math.min(n, 500), (i) => ({
        name: `${'n'.repeat(100)}${i}`,
        input_schema: { type: 'object', properties: {} },
      })),
    }),
  },
  { from: 'messages', name: 'stop strings', fields: (n) => ({ stop_sequences: many(n, (i) => `s${i}`) }) },
  {
    from: 'responses',
    name: 'items',
    fields: (n) => ({ input: many(n, (i) => said(i % 2 === 0 ? 'user' : 'assistant', 'x')) }),
  },
  {
    from: 'responses',
    name: 'instructions in between',
    fields: (n) => ({ input: many(n, (i) => said(i % 2 === 0 ? 'user' : 'developer', 'x')) }),
  },
  {
    from: 'responses',
    name: 'parallel calls',
    fields: (n) => ({
      input: [said('user', 'x'), ...many(n, (i) => call(`c${i}`)), ...many(n, (i) => output(`c${i}`))],
    }),
  },
  {
    from: 'responses',
    name: 'calls in turn',
    fields: (n) => ({ input: [said('user', 'x'), ...many(n, (i) => [call(`c${i}`), output(`c${i}`)]).flat()] }),
  },
  {
    from: 'responses',
    name: 'outputs out of order',
    fields: (n) => ({
      input: [said('user', 'x'), ...many(n, (i) => call(`c${i}`)), ...many(n, (i) => output(`c${n - 1 - i}`))],
    }),
  },
  {
    from: 'responses',
    name: 'late outputs',
    fields: (n) => ({
      input: [
        said('user', 'x'),
        ...many(n, (i) => call(`c${i}`)),
        said('user', 'y'),
        ...many(n, (i) => output(`c${i}`)),
      ],
    }),
  },
  {
    from: 'responses',
    name: 'reasoning',
    fields: (n) => ({
      input: [
        said('user', 'x'),
        ...many(n, (i) => [
          { type: 'reasoning', id: `rs_${i}`, summary: [{ type: 'summary_text', text: 'x' }] },
          said('assistant', 'x'),
        ]).flat(),
        said('user', 'x'),
      ],
    }),
  },
  {
    from: 'generateContent',
    name: 'turns',
    fields: (n) => ({ contents: many(n, (i) => turn(i % 2 === 0 ? 'user' : 'model', [{ text: 'x' }])) }),
  },
  {
    from: 'generateContent',
    name: 'texts',
    fields: (n) => ({
      contents: [
        turn(
          'user',
          many(n, () => ({ text: 'x' })),
        ),
      ],
    }),
  },
  {
    from: 'generateContent',
    name: 'calls in turn without ids',
    fields: (n) => ({
      contents: [
        turn('user', [{ text: 'x' }]),
        ...many(n, () => [turn('model', [functionCall('look')]), turn('user', [functionResponse('look')])]).flat(),
      ],
    }),
  },
  {
    from: 'generateContent',
    name: 'parallel calls without ids',
    fields: (n) => ({
      contents: [
        turn('user', [{ text: 'x' }]),
        turn(
          'model',
          many(n, () => functionCall('look')),
        ),
        turn(
          'user',
          many(n, () => functionResponse('look')),
        ),
      ],
    }),
  },
  {
    from: 'generateContent',
    name: 'parallel calls of many names',
    fields: (n) => ({
      contents: [
        turn('user', [{ text: 'x' }]),
        turn(
          'model',
          many(n, (i) => functionCall(`f${i}`)),
        ),
        turn(
          'user',
          many(n, (i) => functionResponse(`f${n - 1 - i}`)),
        ),
      ],
    }),
  },
  {
    from: 'generateContent',
    name: 'calls with ids, results without',
    fields: (n) => ({
      contents: [
        turn('user', [{ text: 'x' }]),
        ...many(n, (i) => [
          turn('model', [functionCall('look', `c${i}`)]),
          turn('user', [functionResponse('look')]),
        ]).flat(),
      ],
    }),
  },
  {
    from: 'generateContent',
    name: 'system texts',
    fields: (n) => ({ systemInstruction: { parts: many(n, () => ({ text: 'x' })) } }),
  },
  {
    from: 'generateContent',
    name: 'signed thoughts',
    fields: (n) => ({
      contents: [
        turn('user', [{ text: 'x' }]),
        turn(
          'model',
          many(n, () => ({ text: 'x', thought: true, thoughtSignature: 'AAAA' })),
        ),
        turn('user', [{ text: 'x' }]),
      ],
    }),
  },
];

const MODEL = tableOf('model');

/** What some work costs, in ms of processor time. A refusal costs like an answer. */
function costOf(work: () => unknown): Promise<number> {
  return processorMs(() => {
    try {
      work();
    } catch (thrown) {
      if (!(thrown instanceof TranslationError)) throw thrown;
    }
  });
}

/** Whether what is done `FEW` and `TIMES` as often costs in proportion. */
async function expectProportion(translate: (count: number) => Promise<number>): Promise<void> {
  await translate(100);
  const most = Math.max(await translate(FEW), FLOOR) * MOST;
  expect(await leastOf(most, () => translate(FEW * TIMES))).toBeLessThan(most);
}

const FEW = 200;
const TIMES = 8;
/** Work in proportion takes `TIMES` as long; work that grows with the square would take 64 times as long. */
const MOST = 4 * TIMES;
/** Less than this, in ms, is not measured: the whole of it would be lost in what else the machine does. */
const FLOOR = 12;

const CASES = SHAPES.flatMap((shape) => dialectIds.filter((to) => to !== shape.from).map((to) => ({ ...shape, to })));

describe('hardening.md row 56: eight times as many take about eight times as long', () => {
  test.each(CASES)('$name, $from to $to', ({ from, to, fields }) =>
    expectProportion((count) => {
      const body = { ...ASK[from], ...fields(count) };
      return costOf(() => translateRequest({ from, to, body, model: MODEL[to], stream: false }));
    }),
  );
});

/** Texts and calls in turn. */
const answerOf = (from: DialectId, n: number) =>
  WIRES[from].say(many(n, (i) => (i % 2 === 0 ? text('x') : calling(`c${i}`, 'look', '{}'))));

describe('hardening.md row 56: so do answers', () => {
  test.each(dialectIds.flatMap((from) => dialectIds.filter((to) => to !== from).map((to) => ({ from, to }))))(
    '$from to $to',
    ({ from, to }) =>
      expectProportion((count) => {
        const body = answerOf(from, count);
        return costOf(() => translateResponse({ from, to, body }));
      }),
  );
});
