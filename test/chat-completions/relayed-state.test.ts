import { expect, test } from '@jest/globals';
import { createLosses, dialects, type JsonObject, settleRelayed } from '../../translators/index.js';
import { encodeCarrier } from '../../translators/wire/carrier.js';

const own = (kind: 'reasoning' | 'signature', node: object, more: object = {}) => ({
  dialect: 'chatCompletions',
  domain: 'own',
  kind,
  payload: JSON.stringify(node),
  ...more,
});

test('what this very server issued comes home out of carriers of gateways that are no longer on the way', () => {
  const carrier = encodeCarrier('chatCompletions', 'own', [own('reasoning', { reasoning_content: 'Hm.' })]);
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1.0}' } };
  const entry = { type: 'reasoning.encrypted', id: 'c1', format: 'unknown', index: 0, data: carrier };
  const rest = [
    { role: 'tool', tool_call_id: 'c1', content: 'r' },
    { role: 'user', content: [{ type: 'text', text: 'q' }] },
  ];
  const body: JsonObject = {
    model: 'm',
    messages: [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'Well.', name: 'a', reasoning_details: [entry], tool_calls: [call] },
      ...rest,
    ],
  };
  const losses = createLosses();
  const members = settleRelayed('chatCompletions', body, JSON.stringify(body), {
    domain: 'own',
    foreign: () => false,
    target: dialects.chatCompletions.target('deepseek-chat'),
    losses,
  });
  expect(members.messages).toEqual([
    { role: 'system', content: 'S' },
    { role: 'user', content: 'q' },
    { role: 'assistant', content: 'Well.', name: 'a', reasoning_content: 'Hm.', tool_calls: [call] },
    ...rest,
  ]);
  expect(losses.list).toEqual([]);
});
