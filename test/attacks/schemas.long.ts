import { describe, expect, it } from '@jest/globals';
import { dialectIds, translateRequest } from '../../translators/index.js';
import { costOf } from '../support/cost.js';
import { SHORT } from '../support/runs.js';
import { times } from './growth/grown.js';
import { requestWithTools, SHAPES } from './support/schemas.js';

/** Schemas that name each other until nothing could hold them expanded (attacks.md finding 2). */

/** What one request may cost, see {@link costOf}; without a budget it would never end. */
const MOST = 1200;

const PAIRS = dialectIds.flatMap((from) =>
  dialectIds
    .filter((to) => to !== from)
    .flatMap((to) => [true, false].map((strict) => ({ from, to, strict }) as const)),
);

const CASES = Object.entries(SHAPES).flatMap(([name, shape]) =>
  [[30, 10, 1] as const, [8, 4, 100] as const].map((size) => ({ name, shape, size })),
);

/** Of the pairs every fifth in the short run, from another one on in each case. */
function pairsOf(index: number): typeof PAIRS {
  return SHORT ? PAIRS.filter((_, pair) => pair % 5 === index % 5) : PAIRS;
}

describe('Schemas that multiply when they are expanded cost one request no more than its budget', () => {
  CASES.forEach(({ name, shape, size: [levels, width, tools] }, index) => {
    it(`${name}: ${levels} levels, ${width} wide, ${tools} tools`, async () => {
      for (const { from, to, strict } of pairsOf(index)) {
        const body = requestWithTools(
          from,
          times(tools, () => shape(levels, width)),
          strict,
        );
        let sent: unknown;
        const translate = (): void => {
          sent = translateRequest({ from, to, body, model: 'm' }).body;
        };
        expect(await costOf(translate, MOST)).toBeLessThan(MOST);
        expect(JSON.stringify(sent).length).toBeLessThan(10_000_000);
      }
    });
  });
});
