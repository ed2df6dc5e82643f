import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DialectId, type ProfileChoice, TranslationError, translateRequest } from '../../../translators/index.js';
import { tableOf } from '../../support/dialects/index.js';
import { PAIRS, runsOfPair } from '../../support/pairs.js';
import { EXCEPTIONS, type Growth, REFUSALS } from './exceptions.js';
import { difference, type Sent, takeApart } from './grown.js';
import { scripts } from './moves.js';
import { bodyOf, HOME } from './wire.js';

const PROFILES = tableOf('profiles');

type Script = ReturnType<typeof scripts> extends fc.Arbitrary<infer T> ? T : never;

/** The request for the first `count` moves; undefined where it is refused for a reason that is known. */
function sentFor(
  script: Script,
  count: number,
  from: DialectId,
  to: DialectId,
  profile: ProfileChoice,
): Sent | undefined {
  const body = bodyOf(script, count, from, to);
  try {
    // However short, prompts are marked where they are marked at all.
    const marking = { ...(typeof profile === 'string' ? { model: profile } : profile), cacheMinimum: 1 };
    return takeApart(to, translateRequest({ from, to, body, profile: marking, domain: HOME, model: 'x' }).body);
  } catch (error) {
    const known = error instanceof TranslationError && REFUSALS.some(({ message }) => message.test(error.message));
    if (!known) throw error;
    return undefined;
  }
}

function check(shorter: Sent, longer: Sent, growth: Growth): void {
  if (difference(shorter, longer) === undefined) return;
  const applied = EXCEPTIONS.filter(({ applies }) => applies(shorter, longer, growth));
  let pair: readonly [Sent, Sent] = [shorter, longer];
  for (const { mend } of applied) pair = mend(...pair);
  expect({ applied: applied.map(({ name }) => name), found: difference(...pair) }).toMatchObject({ found: undefined });
}

describe('a conversation that grows', () => {
  test.each(PAIRS)('%s to %s: what was sent before is sent again, byte for byte', (from, to) => {
    fc.assert(
      fc.property(scripts(12), fc.constantFrom(...PROFILES[to]), (script, profile) => {
        let shorter: Sent | undefined;
        for (let count = 1; count <= script.moves.length; count += 1) {
          const longer = sentFor(script, count, from, to, profile);
          const added = script.moves[count - 1];
          if (shorter !== undefined && longer !== undefined && added !== undefined) {
            check(shorter, longer, { script, earlier: script.moves.slice(0, count - 1), added });
          }
          shorter = longer;
        }
      }),
      { numRuns: runsOfPair(150) },
    );
  });
});
