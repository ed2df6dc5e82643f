import { expect, test } from '@jest/globals';
import { translateRequest } from '../../translators/index.js';

test('an empty user text gives way to the instructions where the host makes a user turn of them', () => {
  const body = { model: 'm', instructions: 'Write a haiku.', input: [{ role: 'user', content: '' }] };
  const sent = (to: 'messages' | 'generateContent') =>
    translateRequest({ from: 'responses', to, body, seedUser: true }).body;
  expect(sent('messages').messages).toEqual([{ role: 'user', content: 'Write a haiku.' }]);
  expect(sent('generateContent').contents).toEqual([{ role: 'user', parts: [{ text: '' }] }]);
});
