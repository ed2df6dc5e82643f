import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/simulator/rules/index.js';
import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import { decodeRequest, encodeRequest, type RequestOptions } from '../../../translators/index.js';
import { requestFaults } from '../../support/legal.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { runs, SHORT, surely } from '../../support/runs.js';
import { dishonesty } from './honesty.js';
import { refusalFaults } from './refusals.js';
import { requests } from './requests.js';
import { choiceOf, DOMAINS, FETCHED, strangersOf, type Target, targetsOf, wishes } from './targets.js';

/** Milliseconds; a long run takes its time. */
const TIMEOUT = Math.max(60_000, runs(30_000));

describe('a translated request says all that its loss report does not name', () => {
  /** How many values were tried and sent on all pairs together: in the short run one pair has few. */
  const seen = { tried: 0, sent: 0 };

  test.each(CROSS_PAIRS)(
    '%s to %s',
    (from, to) => {
      fc.assert(
        fc.property(
          requests(from, DOMAINS),
          fc.constantFrom(...targetsOf(to), ...strangersOf(to)),
          wishes,
          (x, target, wish) => {
            seen.tried += 1;
            const told = translated(x, target, wish);
            if ('thrown' in told) {
              expect(refusalFaults(told.thrown, x)).toEqual([]);
              return;
            }
            seen.sent += 1;
            const { model, host } = target;
            // What a service refuses is known of its vendor's.
            const refused = host === 'unknown' ? [] : requestFaults(to, told.w, model, host);
            const faults = dishonesty({ ...x, model }, told.y, told.losses, target);
            expect({ refused, faults }).toEqual({ refused: [], faults: [] });
          },
        ),
        { numRuns: runsOfPair(150) },
      );
    },
    TIMEOUT,
  );

  // Of all values 85 % are sent.
  test('and most of them were sent', () => expect(seen.sent).toBeGreaterThanOrEqual(surely(seen.tried, 0.55)));

  test(
    'and would notice if it did not',
    () => {
      /** Of the entries of one report, how many cannot be left out without notice; some say the same thing twice. */
      const shares: number[] = [];
      for (const [from, to] of CROSS_PAIRS) {
        const samples = fc.sample(fc.tuple(requests(from, DOMAINS), fc.constantFrom(...targetsOf(to))), SHORT ? 9 : 18);
        for (const [x, target] of samples) {
          const told = translated(x, target, {});
          if ('thrown' in told || told.losses.length === 0) continue;
          const noticed = told.losses.filter(({ path, feature }) => {
            const others = told.losses.filter((loss) => loss.path !== path || loss.feature !== feature);
            return dishonesty({ ...x, model: target.model }, told.y, others, target).length > 0;
          });
          shares.push(noticed.length / told.losses.length);
        }
      }
      expect(shares.length).toBeGreaterThan(30);
      expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.7);
    },
    TIMEOUT,
  );
});

/** What a target's service gets, and reads. */
function translated(x: CanonicalRequest, { dialect, model, ...rest }: Target, wish: Partial<RequestOptions>) {
  const options = { model, profile: choiceOf({ dialect, model, ...rest }), domain: DOMAINS[dialect], media: FETCHED };
  try {
    const encoded = encodeRequest(dialect, x, { ...options, ...wish });
    const w: JsonObject = JSON.parse(JSON.stringify(encoded.value));
    return { w, losses: encoded.losses, y: decodeRequest(dialect, w, { model, stream: encoded.stream }).value };
  } catch (thrown) {
    return { thrown };
  }
}
