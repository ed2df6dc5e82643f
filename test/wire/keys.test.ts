import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isBlank } from '../../translators/wire/blank.js';
import { Keys } from '../../translators/wire/keys.js';
import { joined } from '../../translators/wire/list.js';

test('keys cover a node that has no others and no mark, whatever nodes came before', () => {
  const known = ['a', 'b', 'c', 'cache_control'];
  const node = fc.dictionary(fc.constantFrom(...known, 'd', '__proto__'), fc.constant(0), { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(node, { maxLength: 12 }), (nodes) => {
      const keys = new Keys(known);
      for (const one of nodes) {
        const plain = Object.keys(one).every((key) => known.includes(key) && key !== 'cache_control');
        expect(keys.cover(one, ['cache_control'])).toBe(plain);
      }
    }),
  );
});

test('a text is blank where nothing is left of it when it is trimmed', () => {
  const blanks = fc.string({ unit: fc.constantFrom(' ', '\n', '\u00a0', '\ufeff', '\u2028', '\u0085', '\u007f', 'a') });
  fc.assert(
    fc.property(fc.oneof(blanks, fc.string({ unit: 'binary' })), (text) => {
      expect(isBlank(text)).toBe(text.trim() === '');
    }),
  );
});

test('two lists are joined in their order', () => {
  const list = fc.array(fc.option(fc.nat(), { nil: undefined }), { maxLength: 3 });
  fc.assert(
    fc.property(list, list, (first, second) => {
      expect(joined(first, second)).toEqual([...first, ...second]);
    }),
  );
});
