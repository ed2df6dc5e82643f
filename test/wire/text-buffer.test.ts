import { expect, test } from '@jest/globals';
import { createPackedBuffer } from '../../translators/wire/packed-buffer.js';

/** Longer than what is held as it came. */
const LONG = 300_000;

test.each([
  ['single characters', (n: number) => 'abcdefghij'[n % 10] ?? '', LONG],
  ['words', (n: number) => `word ${n} `, LONG / 10],
  ['characters of four bytes', () => '😀', LONG / 2],
  ['halves of characters', (n: number) => '😀'[n % 2] ?? '', LONG],
  ['halves that stand alone', (n: number) => `${'x'.repeat(500)}${n % 3 === 0 ? '\ud83d' : ''}`, LONG / 500],
  ['marks of byte order', () => `\ufeff${'y'.repeat(5000)}`, LONG / 5000],
  ['long pieces', (n: number) => `${n}`.repeat(100_000), 5],
])('%s come back as they were', (_name, pieceAt, count) => {
  const pieces = createPackedBuffer();
  let whole = '';
  for (let n = 0; n < count; n += 1) {
    pieces.add(pieceAt(n));
    whole += pieceAt(n);
  }
  expect(pieces.length).toBe(whole.length);
  expect(pieces.read() === whole).toBe(true);
  pieces.add('more');
  expect(pieces.read() === `${whole}more`).toBe(true);
  expect(pieces.take() === `${whole}more`).toBe(true);
  expect([pieces.length, pieces.read()]).toEqual([0, '']);
});
