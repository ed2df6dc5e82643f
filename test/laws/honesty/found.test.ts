import { expect, test } from '@jest/globals';
import type { Part } from '../../../translators/canonical/content.js';
import type { CanonicalRequest, Turn } from '../../../translators/canonical/request.js';
import { type DialectId, decodeRequest, encodeRequest } from '../../../translators/index.js';
import { encodeCarrier } from '../../../translators/wire/carrier.js';
import { requestFaults } from '../../support/legal.js';
import { dishonesty } from './honesty.js';
import { placed } from './place.js';
import { choiceOf, DOMAINS, type Target } from './targets.js';

const user = (...parts: readonly Part[]): Turn => ({ role: 'user', parts });
const assistant = (...parts: readonly Part[]): Turn => ({ role: 'assistant', parts });
const text = (words: string): Part => ({ kind: 'text', text: words });
const call = (callId: string): Part => ({ kind: 'call', callId, name: 'f', args: { value: {} } });
const result = (callId: string, ...parts: readonly Part[]): Part => ({
  kind: 'result',
  callId,
  parts: parts as (Part & { kind: 'text' })[],
});
const mcp: readonly Part[] = [
  { kind: 'hostedCall', callId: 'h', family: 'mcp', input: { server: 's', name: 'n', arguments: '{}' } },
  { kind: 'hostedResult', callId: 'h', family: 'mcp', output: { text: 'found' } },
];
const heic: Part = {
  kind: 'media',
  class: 'image',
  mime: 'image/heic',
  data: { from: 'base64', base64: 'AAAAGGZ0eXBoZWljAAAAAA==' },
};

/** Values that random ones met once in some thousands: a conversation, from one dialect to a model of another. */
const FOUND: readonly (readonly [name: string, from: DialectId, to: Target, turns: readonly Turn[]])[] = [
  [
    'a thought behind a call of a server that is told as a call of its own',
    'messages',
    { dialect: 'chatCompletions', model: 'qwen3-32b', host: 'dev' },
    [
      user(text('go')),
      assistant(text('I ask.'), ...mcp),
      assistant({
        kind: 'reasoning',
        text: [],
        carrier: encodeCarrier('chatCompletions', DOMAINS.chatCompletions, [
          { dialect: 'chatCompletions', domain: 'd', kind: 'reasoning', payload: '{"reasoning_content":"hm"}' },
        ]),
      }),
      user(text('and?')),
    ],
  ],
  [
    'an empty text in front of a refusal, and a blank behind it',
    'responses',
    { dialect: 'chatCompletions', model: 'gpt-4.1', host: 'dev' },
    [user(text('go')), assistant(text(''), { kind: 'refusal', text: 'no' }, text(' ')), user(text('and?'))],
  ],
  [
    'texts around a call that was cut, which is left out',
    'responses',
    { dialect: 'chatCompletions', model: 'gpt-4.1', host: 'dev' },
    [
      user(text('go')),
      assistant(
        text('I look'),
        { kind: 'call', callId: 'c', name: 'f', truncated: true, args: { text: '' } },
        text(' again'),
      ),
      user(text('and?')),
    ],
  ],
  [
    'a refusal in the turn behind a call',
    'responses',
    { dialect: 'chatCompletions', model: 'gpt-4.1', host: 'dev' },
    [user(text('go')), assistant(call('c')), assistant({ kind: 'refusal', text: 'no' }), user(text('and?'))],
  ],
  [
    'texts in turns behind a call',
    'messages',
    { dialect: 'chatCompletions', model: 'gpt-4.1', host: 'dev' },
    [user(text('go')), assistant(call('c')), assistant(text('a')), assistant(text(' ')), user(text('and?'))],
  ],
  [
    'a blank in two results of calls of one id, of which a text comes before the second',
    'generateContent',
    { dialect: 'chatCompletions', model: 'qwen3-32b', host: 'dev' },
    [
      user(text('go')),
      assistant(call('same'), call('same')),
      user(result('same', { kind: 'opaque', dialect: 'generateContent', type: 'x', raw: {} }, text(' ')), text('wait')),
      user(result('same', text(' '))),
    ],
  ],
];

function sent(from: DialectId, { dialect, model, host }: Target, turns: readonly Turn[], more: object = {}) {
  const bare = { model: 'm', stream: false, source: from, instructions: [], turns, tools: [], ...more };
  const x = placed(bare as CanonicalRequest);
  const options = { model, profile: choiceOf({ dialect, model, host }), domain: DOMAINS[dialect], omitMedia: true };
  const { value, losses, stream } = encodeRequest(dialect, x, options);
  const body = JSON.parse(JSON.stringify(value));
  return { x: { ...x, model }, body, losses, y: decodeRequest(dialect, body, { model, stream }).value };
}

test.each(FOUND)('%s', (_name, from, to, turns) => {
  const { x, body, losses, y } = sent(from, to, turns);
  expect(requestFaults(to.dialect, body, to.model)).toEqual([]);
  expect(dishonesty(x, y, losses, to)).toEqual([]);
});

test('a picture that a target does not take is no display of its computer', () => {
  const wait: Part = {
    kind: 'call',
    callId: 'c',
    family: 'computer',
    name: 'wait_5_seconds',
    args: { value: { actions: [{ type: 'wait', seconds: 5 }], points: 'thousandths' } },
  };
  const tools = [{ kind: 'client', dialect: 'generateContent', family: 'computer', type: 'computerUse' }];
  const to: Target = { dialect: 'responses', model: 'gpt-5', host: 'dev' };
  const { body } = sent('generateContent', to, [user(text('go')), assistant(wait), user(result('c', heic))], { tools });
  expect(requestFaults('responses', body, to.model)).toEqual([]);
  expect(body.input.map(({ type }: { type: string }) => type)).toContain('function_call_output');
});
