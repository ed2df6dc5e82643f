import { expect, test } from '@jest/globals';
import { createStreamTranslator, createWatcher, dialects } from '../../translators/index.js';
import { createOpening } from '../../translators/wire/framing.js';

const EVENT =
  'data: {"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}],"modelVersion":"g","responseId":"r"}\r\n\r\n';

/** Pieces of a body with `lead` before it, as text and as bytes, whole and one by one. */
function cuts(lead: string, body: string): (string | Uint8Array)[][] {
  const bytes = new TextEncoder().encode(lead + body);
  return [[lead + body], [...(lead + body)], [bytes], Array.from(bytes, (byte) => Uint8Array.of(byte))];
}

test.each([
  ['a space', ' data: {"other": "field"}\n'],
  ['a tab on a later line', '\uFEFF\r\n\tdata: no JSON\n'],
])('%s before the first field name makes it another field', (_, lead) => {
  for (const chunks of cuts(lead, EVENT)) {
    const translator = createStreamTranslator({ from: 'generateContent', to: 'responses', now: 0, nonce: 'n' });
    const text = chunks.map((chunk) => translator.push(chunk)).join('') + translator.end();
    expect(text).toContain('event: response.completed');
    const watcher = createWatcher(dialects.generateContent);
    for (const chunk of chunks) watcher.push(chunk);
    watcher.end();
    expect(watcher.finished).toBe(true);
    expect(watcher.failure).toBeUndefined();
  }
});

test.each([
  ['an array', '\uFEFF \n [', true],
  ['a bare object', ' \n  {', false],
])('white space before %s is left out', (_, text, array) => {
  const opening = createOpening();
  const opened = [...text].map((chunk) => opening(chunk));
  expect(opened.slice(0, -1).every((one) => one === undefined)).toBe(true);
  expect(opened.at(-1)?.array).toBe(array);
  expect(opened.at(-1)?.pieces.join('').trim()).toBe(text.at(-1));
});
