import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { anyDeeds } from './deeds.js';
import { createBackend, faults, missing, runSession } from './session.js';

describe('state of a backend comes home through clients of another dialect', () => {
  test.each(CROSS_PAIRS)('a client of %s and a backend of %s', (client, backend) => {
    const steps = fc.array(fc.record({ deeds: anyDeeds, stream: fc.boolean() }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(steps, (drawn) => {
        const issuer = createBackend(backend, 'home');
        runSession(
          client,
          drawn.map((step) => ({ ...step, backend: issuer, through: [] })),
          (passage, step, earlier) => {
            expect(missing(passage, step, earlier)).toEqual([]);
            expect(faults(passage, step)).toEqual([]);
          },
        );
      }),
      { numRuns: runsOfPair(20) },
    );
  });
});
