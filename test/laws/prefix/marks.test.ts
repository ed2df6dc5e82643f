import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DialectId, dialectIds, TranslationError, translateRequest } from '../../../translators/index.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { deeds } from '../carriers/deeds.js';
import { createBackend, runSession } from '../carriers/session.js';
import { has } from '../dialects/index.js';
import { takeApart } from './grown.js';
import { faultOf, type Mark, marksOf, placeOf } from './marks.js';
import { scripts } from './moves.js';
import { bodyOf, HOME } from './wire.js';

const MARKED = CROSS_PAIRS.filter(([, to]) => has(to, 'cacheMarks'));

const ways = fc.array(fc.constantFrom(...dialectIds), { maxLength: 1 });
const steps = fc.array(fc.record({ deeds, stream: fc.boolean() }), { minLength: 3, maxLength: 10 });

function places(marks: readonly Mark[]): string[] {
  return marks.map(placeOf);
}

/** What is translated for the law; undefined where it is refused. */
function sentFor(body: object, from: DialectId, to: DialectId, profile: object) {
  try {
    return translateRequest({ from, to, body, domain: HOME, model: 'x', profile });
  } catch (error) {
    expect(error).toBeInstanceOf(TranslationError);
    return undefined;
  }
}

describe('marks that a client did not set', () => {
  test.each(MARKED)('%s to %s: are at most four, on blocks that may carry one, and told', (from, to) => {
    fc.assert(
      fc.property(scripts(10), fc.constantFrom(0, 1, 2, 4), (script, cacheMarks) => {
        const body = bodyOf(script, script.moves.length, from, to);
        const own = JSON.stringify(body).includes('"cache_control":');
        const sent = sentFor(body, from, to, { cacheMinimum: 1, cacheMarks });
        const plain = sentFor(body, from, to, { cacheMinimum: undefined, cacheMarks });
        if (sent === undefined || plain === undefined) return;
        const marks = marksOf(takeApart(to, sent.body));
        expect(marks.length).toBeLessThanOrEqual(cacheMarks);
        expect(marks.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
        const told = sent.losses.filter(({ feature }) => feature === 'cache.auto');
        expect(told).toHaveLength(!own && marks.length > 0 ? 1 : 0);
        if (told.length === 0) expect(sent.body).toEqual(plain.body);
      }),
      { numRuns: runsOfPair(60) },
    );
  });

  test.each(MARKED)('%s to %s: the former end of a request is the present end of the one before', (client, dialect) => {
    fc.assert(
      fc.property(ways, steps, (dialects, drawn) => {
        const backend = createBackend(dialect, 'home');
        const through = dialects.map((to: DialectId) => ({ to, domain: `gateway_${to}`, others: new Set<string>() }));
        let before: readonly Mark[] | undefined;
        runSession(
          client,
          drawn.map((step) => ({ ...step, backend, through })),
          ({ sent }) => {
            const now = marksOf(takeApart(dialect, sent));
            const end = before?.at(-1);
            if (end !== undefined) expect(places(now)).toContain(placeOf(end));
            if (before !== undefined) expect(now.length).toBeGreaterThanOrEqual(Math.max(1, before.length));
            before = now;
          },
        );
      }),
      { numRuns: runsOfPair(10) },
    );
  });
});
