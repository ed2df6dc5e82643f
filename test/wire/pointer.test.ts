import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { join, pointer } from '../../translators/wire/pointer.js';
import { read } from '../support/json-pointer.js';

describe('pointer', () => {
  test('the examples of RFC 6901', () => {
    const document = {
      foo: ['bar', 'baz'],
      '': 0,
      'a/b': 1,
      'c%d': 2,
      'e^f': 3,
      'g|h': 4,
      'i\\j': 5,
      'k"l': 6,
      ' ': 7,
      'm~n': 8,
    };
    expect(read(document, '')).toBe(document);
    expect(read(document, '/foo')).toEqual(['bar', 'baz']);
    expect(read(document, '/foo/0')).toBe('bar');
    for (const [key, value] of Object.entries(document)) {
      expect(read(document, pointer(key))).toEqual(value);
    }
    expect(pointer('a/b')).toBe('/a~1b');
    expect(pointer('m~n')).toBe('/m~0n');
    expect(pointer('~1')).toBe('/~01');
    expect(pointer('')).toBe('/');
    expect(pointer()).toBe('');
  });

  test('join', () => {
    expect(join('', 'messages')).toBe('/messages');
    expect(join('/messages', 3)).toBe('/messages/3');
    expect(join('/a', 'b/c~d')).toBe('/a/b~1c~0d');
  });

  test('what is not there is undefined', () => {
    for (const path of [
      '/b',
      '/a/1',
      '/a/-',
      '/a/00',
      '/a/length',
      '/a/0/x',
      '/s/0',
      '/s/length',
      '/n/x',
      '/toString',
      '/__proto__',
    ]) {
      expect(read({ a: [1], s: 'text', n: null }, path)).toBeUndefined();
    }
    expect(read(undefined, '/a')).toBeUndefined();
  });

  test('own keys of any name are found', () => {
    expect(read(JSON.parse('{"__proto__":{"a":1},"0":2}'), '/__proto__/a')).toBe(1);
    expect(read({ 0: 2 }, '/0')).toBe(2);
  });

  test('any path leads to its value', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('~', '/', '~1', '~0', '', '__proto__'))), (path) => {
        const root = path.reduceRight<unknown>((value, key) => Object.fromEntries([[key, value]]), 'leaf');
        expect(read(root, pointer(...path))).toBe('leaf');
        expect(path.reduce(join, '')).toBe(pointer(...path));
      }),
    );
  });
});
