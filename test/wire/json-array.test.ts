import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createJsonArrayCutter, type JsonArrayCutterOptions } from '../../translators/wire/json-array.js';
import { hasPlainKeys } from '../support/plain-keys.js';

function cut(chunks: Iterable<string | Uint8Array>, options?: JsonArrayCutterOptions) {
  const elements: string[] = [];
  const cutter = createJsonArrayCutter((text) => elements.push(text), options);
  for (const chunk of chunks) cutter.push(chunk);
  cutter.end();
  return { elements, rest: cutter.rest, closed: cutter.closed };
}

function bytewise(text: string): Uint8Array[] {
  return [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte));
}

describe('createJsonArrayCutter', () => {
  test.each<[string, string, string[]]>([
    ['compact', '[{"a":1},{"b":[{}]}]', ['{"a":1}', '{"b":[{}]}']],
    ['pretty-printed', '[{\n  "a": 1\n}\n,\r\n{\n  "b": 2\n}\n]\n', ['{\n  "a": 1\n}', '{\n  "b": 2\n}']],
    [
      'brackets and quotes in strings',
      '[{"a":"]}\\"{[\\\\"},{"b":"\\\\\\""}]',
      ['{"a":"]}\\"{[\\\\"}', '{"b":"\\\\\\""}'],
    ],
    ['empty', ' [ ] ', []],
    ['a lone object', ' {"error":{"code":400}}\n', ['{"error":{"code":400}}']],
    ['objects one after the other', '{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
    ['BOM and characters of many bytes', '\uFEFF[{"a":"ä👍\u2028"}]', ['{"a":"ä👍\u2028"}']],
    ['text after the closing bracket', '[{}]<html>', ['{}']],
  ])('%s', (_, text, elements) => {
    expect(cut([text])).toEqual({ elements, rest: '', closed: true });
    expect(cut([...text])).toEqual({ elements, rest: '', closed: true });
    expect(cut(bytewise(text))).toEqual({ elements, rest: '', closed: true });
  });

  test('an element is reported by the push that completes it', () => {
    const elements: string[] = [];
    const cutter = createJsonArrayCutter((text) => elements.push(text));
    cutter.push('[{"a":1');
    expect([elements, cutter.rest]).toEqual([[], '{"a":1']);
    cutter.push('}');
    expect([elements, cutter.rest, cutter.closed]).toEqual([['{"a":1}'], '', false]);
    cutter.push(']');
    expect(cutter.closed).toBe(true);
  });

  test('a cut stream keeps the unfinished element and is not closed', () => {
    expect(cut(['[{"a":1},{"b":"}'])).toEqual({ elements: ['{"a":1}'], rest: '{"b":"}', closed: false });
    expect(cut(['[{"a":1},'])).toEqual({ elements: ['{"a":1}'], rest: '', closed: false });
    expect(cut([''])).toEqual({ elements: [], rest: '', closed: false });
  });

  test.each(['<html>', '["a"]', '[1]', '[[{}]]', '{}]', 'null'])('%s is no array of objects', (text) => {
    expect(() => cut([text])).toThrow(expect.objectContaining({ reason: 'bad_json' }));
    expect(() => cut([...text])).toThrow(expect.objectContaining({ reason: 'bad_json' }));
  });

  test('an element beyond the limit is refused, many small ones are not', () => {
    expect(cut([`[${'{"a":1},'.repeat(50)}{}]`], { maxBytes: 10 }).elements).toHaveLength(51);
    const long = `[{"a":"${'x'.repeat(20)}"}]`;
    expect(() => cut([long], { maxBytes: 20 })).toThrow(expect.objectContaining({ reason: 'too_large' }));
    expect(() => cut([...long], { maxBytes: 20 })).toThrow(expect.objectContaining({ reason: 'too_large' }));
  });

  test('any array, printed and cut anyhow, comes back', () => {
    const element = fc.dictionary(fc.string(), fc.jsonValue()).filter(hasPlainKeys);
    const indent = fc.constantFrom(0, 1, 2);
    fc.assert(
      fc.property(fc.array(element, { maxLength: 6 }), indent, fc.array(fc.nat(500)), (list, space, at) => {
        const raw = new TextEncoder().encode(JSON.stringify(list, null, space));
        const cuts = [...new Set(at.map((n) => n % (raw.length + 1)))].sort((a, b) => a - b);
        const chunks = [0, ...cuts].map((from, i) => raw.subarray(from, cuts[i] ?? raw.length));
        const { elements, rest, closed } = cut(chunks);
        expect(elements.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(list)));
        expect([rest, closed]).toEqual(['', true]);
      }),
      { numRuns: 500 },
    );
  });
});
