import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DialectId, dialectIds } from '../../../translators/index.js';
import { PAIRS, runsOfPair } from '../../support/pairs.js';
import { deeds } from '../carriers/deeds.js';
import { createBackend, runSession } from '../carriers/session.js';
import { has } from '../dialects/index.js';
import { unmarked } from './exceptions.js';
import { apartFromStreaming, difference, type Sent, takeApart } from './grown.js';

const asksForThinking = (id: DialectId): boolean => has(id, 'thinkingInLoops');

const ways = fc.array(fc.constantFrom(...dialectIds), { maxLength: 1 });
const steps = fc.array(fc.record({ deeds, stream: fc.boolean() }), { minLength: 2, maxLength: 10 });

/**
 * A request without what may be said for one call: how it is answered, and that thinking is off where a tool loop does
 * not begin with it, which gateways behind translate on (translation.md 2.12, 4.5).
 */
function lasting(whole: Sent, wayHasThinking: boolean): Sent {
  const { rest, ...sent } = apartFromStreaming(unmarked(whole));
  if (!wayHasThinking) return { ...sent, rest };
  const { thinking: _thinking, reasoning: _reasoning, generationConfig, ...other } = rest;
  const { thinkingConfig: _config, ...config } = Object(generationConfig) as Record<string, unknown>;
  return { ...sent, rest: { ...other, config } };
}

describe('an agent session that grows step by step', () => {
  test.each(PAIRS)('%s to %s: every request begins with the one before', (client, dialect) => {
    fc.assert(
      fc.property(ways, steps, (dialects, drawn) => {
        const backend = createBackend(dialect, 'home');
        const through = dialects.map((to: DialectId) => ({ to, domain: `gateway_${to}`, others: new Set<string>() }));
        let before: Sent | undefined;
        runSession(
          client,
          drawn.map((step) => ({ ...step, backend, through })),
          ({ sent }) => {
            const now = lasting(takeApart(dialect, sent), [...dialects, dialect].some(asksForThinking));
            if (before !== undefined) expect(difference(before, now)).toBeUndefined();
            before = now;
          },
        );
      }),
      { numRuns: runsOfPair(10) },
    );
  });
});
