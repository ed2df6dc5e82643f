import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { documents } from '../../schema/arbitraries.js';
import { createDice } from '../../schema/instances.js';
import { runs, SHORT } from '../../support/runs.js';
import { DIRECTIONS, differences, pairOf, valuesFor } from './compare.js';
import { PROJECTIONS } from './projections.js';

type Seen = Record<'accepted' | 'refused' | 'claimed' | 'shown' | 'silent', number>;

/** What was seen on all ways together: in the short run one way has few schemas. */
const all: Seen = { accepted: 0, refused: 0, claimed: 0, shown: 0, silent: 0 };

/** The law cannot hold by saying both of everything, nor by values that all schemas refuse. */
function expectBoth({ accepted, refused, claimed, shown, silent }: Seen): void {
  expect(Math.min(accepted, refused)).toBeGreaterThan((accepted + refused) / 10);
  expect(silent).toBeGreaterThan(claimed / 10);
  expect(shown).toBeGreaterThan(Math.floor(claimed / 8) - 3);
}

describe.each(PROJECTIONS)('$name', (projection) => {
  test('accepts and refuses what the source does, but for what its losses say', () => {
    const seen: Seen = { accepted: 0, refused: 0, claimed: 0, shown: 0, silent: 0 };
    fc.assert(
      fc.property(documents, fc.integer(), (source, seed) => {
        const copy = structuredClone(source.schema);
        const pair = pairOf(projection, source);
        expect(source.schema).toEqual(copy);
        const found = differences(pair, valuesFor(source, pair, createDice(seed), 12));
        seen.accepted += found.accepted;
        seen.refused += found.refused;
        for (const direction of DIRECTIONS) {
          const claimed = pair.projected.claims[direction].length > 0;
          seen[claimed ? 'claimed' : 'silent'] += 1;
          if (found[direction] === undefined) continue;
          if (claimed) seen.shown += 1;
          else {
            throw new Error(
              `one side only accepts ${JSON.stringify(found[direction])}, and no loss says ${direction}: draft ` +
                `${source.draft} ${JSON.stringify(source.schema)} became ${JSON.stringify(pair.projected.sent)}; ` +
                JSON.stringify(pair.projected.losses),
            );
          }
        }
      }),
      { numRuns: runs(60) },
    );
    for (const key of Object.keys(all) as (keyof Seen)[]) all[key] += seen[key];
    if (!SHORT) expectBoth(seen);
  });

  test('is the same each time', () => {
    fc.assert(
      fc.property(documents, (source) => {
        const [first, second] = [pairOf(projection, source), pairOf(projection, structuredClone(source))];
        expect(JSON.stringify(second.projected)).toBe(JSON.stringify(first.projected));
      }),
      { numRuns: runs(10) },
    );
  });
});

test('and neither losses nor refusals are said of everything', () => expectBoth(all));
