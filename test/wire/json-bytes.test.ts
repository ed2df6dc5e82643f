import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asciiJson, parseJsonBytes } from '../../translators/index.js';
import { escapedJson } from '../../translators/wire/json-bytes.js';
import { growthOf, MOST_GROWTH } from '../support/growth.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A value or the error that its text gives. */
function parsed(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return String(error);
  }
}

const asDecoded = (bytes: Uint8Array) => parsed(() => JSON.parse(decoder.decode(bytes)));
/** As the function reads them, and as it does in engines that decode slowly. */
const asBytes = (bytes: Uint8Array) => {
  const own = parsed(() => parseJsonBytes(bytes));
  const escaped = escapedJson(bytes);
  if (escaped !== undefined) {
    const read = parsed(() => JSON.parse(escaped.text));
    // What is no JSON in that form is read from its text.
    if (typeof read === 'object') expect(read).toEqual(own);
  }
  return own;
};

const WORDS = 'plain words of a prompt, '.repeat(20);

describe('parseJsonBytes', () => {
  test('gives what JSON.parse gives of the text, whatever is in it and wherever', () => {
    const piece = fc.oneof(
      { weight: 5, arbitrary: fc.string({ minLength: 20, maxLength: 60 }) },
      fc.constantFrom(
        'é',
        'ß',
        '—',
        '€',
        '\u2028',
        '中文',
        '😀',
        '\ud83d',
        '\\',
        '"',
        '\\u00',
        '\ufeff',
        '\uffff',
        '\u{10ffff}',
      ),
    );
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    const value = fc.dictionary(text, fc.oneof(text, fc.double(), fc.array(text, { maxLength: 3 })), { maxKeys: 5 });
    fc.assert(
      fc.property(value, (one) => {
        const bytes = encoder.encode(JSON.stringify(one));
        expect(asBytes(bytes)).toEqual(asDecoded(bytes));
      }),
    );
  });

  test('and of bytes that are neither JSON nor UTF-8', () => {
    const piece = fc.oneof(
      fc
        .constantFrom('{"a":"', '"', '\\', '\\u', '\\u00', 'é', '—', '😀', '[', ']', '}', ':', ' ', '1')
        .map((text) => encoder.encode(text)),
      fc.uint8Array({ maxLength: 4 }),
    );
    const bytes = fc
      .array(piece, { maxLength: 12 })
      .map((pieces) => Uint8Array.from(pieces.flatMap((one) => [...one])));
    fc.assert(
      fc.property(bytes, (one) => expect(asBytes(one)).toEqual(asDecoded(one))),
      { numRuns: 500 },
    );
  });

  test.each([
    ['a byte order mark before it', [0xef, 0xbb, 0xbf, ...encoder.encode('{"a":"é"}')]],
    ['a backslash before a character', [...encoder.encode('{"a":"\\é"}')]],
    ['two backslashes before a character', [...encoder.encode('{"a":"\\\\é"}')]],
    ['a character outside strings', [...encoder.encode('{"a":1 }')]],
    ['too long a form', [0x22, 0xc0, 0xaf, 0x22]],
    ['too long a form of three bytes', [0x22, 0xe0, 0x80, 0x80, 0x22]],
    ['too long a form of four bytes', [0x22, 0xf0, 0x80, 0x80, 0x80, 0x22]],
    ['half a pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['beyond the last character', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['a lead that is none', [0x22, 0xff, 0x80, 0x80, 0x80, 0x22]],
    ['half a character at the end', [0x22, 0xe2, 0x80]],
    ['a tail alone', [0x22, 0x80, 0x22]],
  ])('%s', (_name, list) => {
    const bytes = Uint8Array.from(list);
    expect(asBytes(bytes)).toEqual(asDecoded(bytes));
  });

  test('reads nothing that another text left', () => {
    const texts = ['—'.padEnd(70_000, 'a'), '—b', '—'.padEnd(140_000, 'c'), 'é'];
    expect(texts.map((text) => parseJsonBytes(encoder.encode(JSON.stringify(text))))).toEqual(texts);
  });

  test('reads the part of a buffer that it is given', () => {
    const whole = encoder.encode('xxx["é"]yyy');
    expect(parseJsonBytes(whole.subarray(3, -3))).toEqual(['é']);
  });
});

describe('escapedJson', () => {
  test('is the text with escapes in place of characters, over blocks of any size', () => {
    for (const size of [1, 100, 65_520, 65_530, 65_536, 65_540, 300_000]) {
      const text = JSON.stringify({ a: `${'x'.repeat(size)}—é😀`, b: `${WORDS}€` });
      const found = escapedJson(encoder.encode(text));
      expect(found).toEqual({
        text: text.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
        length: text.length,
      });
    }
  });

  test.each([
    ['{"é":1}', false],
    ['{"a":1,"plain words — and more" \n\t:1}', false],
    ['{"a é":"b"}', false],
    ['{"a":"é","b":1}', true],
    ['["é", "—" ]', true],
    [String.raw`{"a":"é\":","b":"— \\"}`, true],
    [String.raw`{"a":"x","é\"":1}`, false],
  ])('is not made where a key is beyond ASCII: %s', (text, made) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(escapedJson(encoder.encode(text)) !== undefined).toBe(made);
  });

  test('is not made of ASCII, nor of text that has much beyond it', () => {
    expect(escapedJson(encoder.encode(JSON.stringify(WORDS)))).toBeUndefined();
    expect(escapedJson(encoder.encode(JSON.stringify(`${WORDS}${'中文'.repeat(100)}`)))).toBeUndefined();
    expect(escapedJson(encoder.encode(JSON.stringify(`${'中文'.repeat(8)}${WORDS}`)))).toBeDefined();
  });

  test('is linear in the text', () => {
    const growth = growthOf((n) => {
      const bytes = encoder.encode(JSON.stringify(`${WORDS}—`.repeat(n)));
      return () => escapedJson(bytes);
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });
});

test('escapes are made up to V8 12 alone', () => {
  const isOld = Number(process.versions.v8.split('.')[0]) <= 12;
  expect(asciiJson(encoder.encode('["—"]')) !== undefined).toBe(isOld);
});
