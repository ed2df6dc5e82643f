import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Turn } from '../../../translators/canonical/request.js';
import { type DialectId, dialectIds } from '../../../translators/index.js';
import { loadCases, parseJson } from '../../support/cases.js';
import { CORPUS_ABSENT, corpusPresent, isRecorded, recordedExchanges } from '../../support/corpus.js';
import { tableOf } from '../../support/dialects/index.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { enough, runs, share, surely } from '../../support/runs.js';
import { scenariosOf } from '../../support/scenarios.js';
import { requests } from './requests.js';
import { roundTrip, send } from './round-trip.js';
import { DOMAINS, type Target, targetsOf } from './targets.js';

/** Milliseconds; a long run takes its time. */
const TIMEOUT = Math.max(60_000, runs(30_000));

const NEWEST = tableOf('newestModel');

const targetOf = (dialect: DialectId): Target => ({ dialect, model: NEWEST[dialect], host: 'dev' });

/**
 * Whether a turn is white space alone. It goes on the way where a service refuses it, and makes one message of the answers
 * around it, whose borders a way back through chat completions cannot tell.
 */
function isBlank({ role, parts }: Turn): boolean {
  return role !== 'assistant' && parts.every((part) => part.kind === 'text' && part.text.trim() === '');
}

describe('a body that went through another dialect and back says all that neither loss report names', () => {
  /** How many generated bodies were tried and came back on all pairs together: in the short run one pair has few. */
  const seen = { tried: 0, returned: 0 };

  test.each(CROSS_PAIRS)(
    '%s through %s: generated',
    (home, via) => {
      const source = dialectIds.find((id) => id !== home) ?? home;
      fc.assert(
        fc.property(requests(source, DOMAINS), fc.constantFrom(...targetsOf(via)), (x, target) => {
          seen.tried += 1;
          fc.pre(!x.turns.some(isBlank));
          let body: unknown;
          try {
            body = JSON.parse(JSON.stringify(send(x, targetOf(home)).value));
          } catch {
            return;
          }
          const faults = roundTrip(body, targetOf(home), target);
          if (faults === undefined) return;
          seen.returned += 1;
          expect({ body: faults.length === 0 ? '' : body, faults }).toEqual({ body: '', faults: [] });
        }),
        { numRuns: runsOfPair(60) },
      );
    },
    TIMEOUT,
  );

  // Of all bodies 77 % do.
  test('and most of the generated ones came back', () =>
    expect(seen.returned).toBeGreaterThanOrEqual(surely(seen.tried, 0.5)));

  const cases = loadCases(join(import.meta.dirname, '..', '..', 'cases')).flatMap((file) =>
    scenariosOf(file).flatMap((scenario) =>
      scenario.kind === 'request' && scenario.after === undefined
        ? [{ name: file.name, dialect: scenario.client, body: parseJson(file, scenario.given) }]
        : [],
    ),
  );

  /** A dialect that no case is written in yet has none to try. */
  const written = CROSS_PAIRS.filter(([home]) => cases.some(({ dialect }) => dialect === home));

  test.each(written)('%s through %s: the cases', (home, via) => {
    const own = cases.filter(({ dialect }) => dialect === home);
    const found = share(own, dialectIds.indexOf(via)).map(({ name, body }) => ({
      name,
      faults: roundTrip(body, targetOf(home), targetOf(via)),
    }));
    expect(found.filter(({ faults = [] }) => faults.length > 0)).toEqual([]);
    expect(found.filter(({ faults }) => faults !== undefined).length).toBeGreaterThan(enough(found));
  });

  const recorded = corpusPresent ? test : test.skip;
  recorded.each(CROSS_PAIRS.filter(([home]) => isRecorded(home)))(
    `%s through %s: the recorded requests ${corpusPresent ? '' : CORPUS_ABSENT}`,
    (home, via) => {
      const sent = recordedExchanges(home).filter(
        ({ operation, status }) => status === 200 && ['create', 'generate', 'stream'].includes(operation),
      );
      const found = share(sent, dialectIds.indexOf(via)).map(({ name, request }) => ({
        name,
        faults: roundTrip(request, targetOf(home), targetOf(via)),
      }));
      expect(found.filter(({ faults = [] }) => faults.length > 0)).toEqual([]);
      expect(found.filter(({ faults }) => faults !== undefined).length).toBeGreaterThan(enough(found));
    },
  );
});
