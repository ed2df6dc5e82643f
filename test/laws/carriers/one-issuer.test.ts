import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLosses, dialects } from '../../../translators/index.js';
import { CROSS_PAIRS, runsOfPair, TRIED } from '../../support/pairs.js';
import { lawTableOf } from '../dialects/index.js';
import { anyDeeds } from './deeds.js';
import { ISSUERS } from './issuers.js';
import { createBackend, faults, missing, runSession } from './session.js';
import { foldStream, streamOf } from './streams.js';

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

const HISTORY = lawTableOf('answerAsHistory');

test.each(TRIED)('a stream of %s that is read and written again in it says the same, state included', (dialect) => {
  fc.assert(
    fc.property(anyDeeds, (deeds) => {
      const { keeper, domain } = createBackend(dialect, 'home');
      const text = streamOf(dialect, ISSUERS[dialect](deeds, keeper, 's').body);
      const encoder = dialects[dialect].createStreamEncoder({ losses: createLosses(), now: 0, nonce: '' });
      let again = '';
      const decoder = dialects[dialect].createStreamDecoder({ domain, losses: createLosses() }, (event) => {
        again += encoder.encode(event);
      });
      decoder.push(text);
      decoder.end();
      const said = (stream: string) => HISTORY[dialect](foldStream(dialect, stream));
      expect(said(again)).toEqual(said(text));
    }),
    { numRuns: runsOfPair(60) },
  );
});
