import { describe, expect, test } from '@jest/globals';
import { freshBytes, MARK } from './fresh.js';
import { benchTranslation, type Library } from './translation.js';

const ONCE = { short: false, rounds: 1, warm: 1, roundMs: 0 };

describe('what the benches measure', () => {
  test('no row hands the same object to two calls', () => {
    const seen = new Set<unknown>();
    const twice: unknown[] = [];
    const take = (value: unknown): void => {
      if (seen.has(value)) twice.push(value);
      seen.add(value);
    };
    const library: Library = {
      parseJsonBytes: (bytes) => {
        take(bytes);
        return {};
      },
      translateRequest: (options) => {
        take(options.body);
        return { body: {}, model: '', stream: true, path: '', betas: [], losses: [] };
      },
      createStreamTranslator: () => ({
        push(chunk) {
          take(chunk);
          return 'x'.repeat(chunk.length);
        },
        end: () => '',
        losses: [],
      }),
    };
    const rows = benchTranslation(ONCE, library);
    expect(rows.length).toBeGreaterThan(36);
    expect(seen.size).toBeGreaterThan(rows.length);
    expect(twice).toEqual([]);
  });

  test('each copy of a body has a number of its own wherever it has a place for one', () => {
    const fresh = freshBytes(JSON.stringify({ first: MARK, last: `ü ${MARK}` }));
    const texts = [fresh(), fresh()].map((bytes) => new TextDecoder().decode(bytes));
    expect(texts.map((text) => JSON.parse(text))).toEqual([
      { first: '000000000001', last: 'ü 000000000001' },
      { first: '000000000002', last: 'ü 000000000002' },
    ]);
  });

  test('a body without a place for a number is a mistake', () => {
    expect(() => freshBytes('{}')).toThrow('the body has no place for a number');
  });
});
