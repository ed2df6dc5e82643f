import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createStringField } from '../../translators/wire/string-field.js';

/** The text in pieces that are cut at these places. */
function read(json: string, cuts: readonly number[]): string {
  const field = createStringField('input');
  const places = [0, ...cuts.map((cut) => cut % (json.length + 1)), json.length].sort((a, b) => a - b);
  return places.slice(1).reduce((text, end, index) => text + field.push(json.slice(places[index], end)), '');
}

test('the text of the member is read whole, wherever its JSON is cut', () => {
  const json = fc
    .tuple(fc.string({ unit: 'binary' }), fc.constantFrom(undefined, 2))
    .map(([input, space]) => ({ input, json: JSON.stringify({ input }, undefined, space) }));
  fc.assert(
    fc.property(json, fc.array(fc.nat(), { maxLength: 8 }), (given, cuts) => {
      expect(read(given.json, cuts)).toBe(given.input);
    }),
  );
});

test.each([
  ['escapes of every kind', String.raw`{"input":"\u00e4\n\"\\\/\ud83d\ude00"}`, 'ä\n"\\/😀'],
  ['another member', '{"text":"a"}', ''],
  ['a longer name', '{"inputs":"a"}', ''],
  ['no string', '{"input":1}', ''],
  ['no object', '"input"', ''],
  ['what comes behind it', '{"input":"a","b":"c"}', 'a'],
])('%s', (_name, json, text) => expect(read(json, [3, 9, 11])).toBe(text));
