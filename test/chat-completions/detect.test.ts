import { expect, test } from '@jest/globals';
import { type DialectId, detectDialect } from '../../translators/index.js';

const user = { role: 'user', content: 'Hello' };
const called = { role: 'assistant', content: null, tool_calls: [] };
const used = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] };

/** translation.md 8, `detectDialect`. */
test.each<[DialectId, string, object]>([
  ['generateContent', 'its own key', { contents: [], messages: [called] }],
  ['responses', 'its own key', { input: 'x', messages: [called] }],
  ['chatCompletions', 'nothing, and no cap', { messages: [user] }],
  ['messages', 'nothing but the cap', { messages: [user], max_tokens: 5 }],
  ['chatCompletions', 'a role', { messages: [user, { role: 'tool', content: 'x' }], max_tokens: 5 }],
  [
    'chatCompletions',
    'a system message in front',
    { messages: [{ role: 'system', content: 'x' }, user], max_tokens: 5 },
  ],
  ['messages', 'a system message later', { messages: [user, { role: 'system', content: 'x' }], max_tokens: 5 }],
  ['chatCompletions', 'calls', { messages: [user, called], max_tokens: 5 }],
  ['chatCompletions', 'a part', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }], max_tokens: 5 }],
  ['chatCompletions', 'a tool', { messages: [user], tools: [{ type: 'function', function: {} }], max_tokens: 5 }],
  ['chatCompletions', 'a choice', { messages: [user], tool_choice: 'auto', max_tokens: 5 }],
  ['chatCompletions', 'a key', { messages: [user], stream_options: {}, max_tokens: 5 }],
  ['messages', 'a part', { messages: [user, used] }],
  ['messages', 'a key', { messages: [user], system: 'x' }],
  ['messages', 'a tool', { messages: [user], tools: [{ name: 'f', input_schema: {} }] }],
  ['messages', 'a choice', { messages: [user], tool_choice: { type: 'any' } }],
  ['messages', 'keys of both, and the cap', { messages: [user], system: 'x', stop: 'y', max_tokens: 5 }],
  ['chatCompletions', 'keys of both, and no cap', { messages: [user], system: 'x', stop: 'y' }],
  ['messages', 'a message against keys', { messages: [user, used], stop: 'y' }],
  ['chatCompletions', 'a message against keys', { messages: [user, called], system: 'x', max_tokens: 5 }],
  ['chatCompletions', 'messages of both', { messages: [used, called], max_tokens: 5 }],
])('%s by %s', (dialect, _why, body) => {
  expect(detectDialect(body)).toBe(dialect);
});
