import { expect, test } from '@jest/globals';
import { checkGenerate, checkMessages, checkResponses, type JsonObject } from '../../src/simulator/rules/index.js';
import { createSignedState } from '../../src/simulator/state.js';
import { leastOf, processorMs } from '../support/cost.js';

const state = createSignedState('growth');
const list = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

type Check = () => number;

const messages =
  (body: JsonObject): Check =>
  () =>
    checkMessages(body, { version: '2023-06-01', beta: true, generation: 'any', state }).length;
const responses =
  (body: JsonObject): Check =>
  () =>
    checkResponses(body, { context: [], issued: { reasoningOf: new Map(), stored: new Set() }, state }).length;
const generate =
  (body: JsonObject): Check =>
  () =>
    checkGenerate(body, { model: 'm', host: 'dev', gemini3: false, state, takesAll: true }).length;

const ask = [{ role: 'user', content: 'x' }];
const contents = [{ parts: [{ text: 'x' }] }];

/** For each list that a caller may fill, a body of a size, to be read by the rules. */
const KINDS: readonly [string, (count: number) => Check][] = [
  ['neighbours of one speaker', (n) => messages({ model: 'm', max_tokens: 9, messages: list(n, () => ask[0]) })],
  [
    'instructions in the conversation',
    (n) =>
      messages({ model: 'm', max_tokens: 9, messages: [...ask, ...list(n, () => ({ role: 'system', content: 'x' }))] }),
  ],
  [
    'definitions that lead to one another',
    (n) => {
      const $defs = Object.fromEntries(list(n, (i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]));
      const input_schema = { type: 'object', additionalProperties: false, $defs };
      return messages({ model: 'm', max_tokens: 9, messages: ask, tools: [{ name: 'f', strict: true, input_schema }] });
    },
  ],
  [
    'tools and the choice among them',
    (n) => {
      const tools = list(n, (i) => ({ type: 'function', name: `f${i}` }));
      return responses({ model: 'm', input: 'x', tools, tool_choice: { type: 'allowed_tools', mode: 'auto', tools } });
    },
  ],
  [
    'calls and their outputs',
    (n) => {
      const input = list(n, (i) => [
        { type: 'function_call', call_id: `c${i}`, name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: `c${i}`, output: '' },
      ]).flat();
      return responses({ model: 'm', input });
    },
  ],
  [
    'properties of a strict tool',
    (n) => {
      const properties = Object.fromEntries(list(n, (i) => [`p${i}`, { type: 'string' }]));
      const parameters = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
      return responses({ model: 'm', input: 'x', tools: [{ type: 'function', name: 'f', strict: true, parameters }] });
    },
  ],
  ['turns of one speaker', (n) => generate({ contents: list(n, () => contents[0]) })],
  [
    'calls of one turn',
    (n) => {
      const calls = list(n, (i) => ({ functionCall: { name: 'f', id: `c${i}` } }));
      const results = list(n, (i) => ({ functionResponse: { name: 'f', id: `c${i}`, response: {} } }));
      return generate({ contents: [...contents, { role: 'model', parts: calls }, { role: 'user', parts: results }] });
    },
  ],
  ['unknown fields', (n) => generate({ contents, ...Object.fromEntries(list(n, (i) => [`f${i}`, 1])) })],
];

test.each(KINDS)('%s cost no more than their number', async (_about, make) => {
  const cost = (count: number, enough: number): Promise<number> => {
    const check = make(count);
    return leastOf(enough, () => processorMs(check), 6);
  };
  await cost(1000, 0);
  // Eight times as many: a square would cost 64 times as much.
  const most = 40 * Math.max(await cost(2000, 0), 2);
  expect(await cost(16_000, most)).toBeLessThan(most);
});
