import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DialectId, dialectIds } from '../../../translators/index.js';
import { TRIED } from '../../support/pairs.js';
import { runs } from '../../support/runs.js';
import { anyDeeds } from './deeds.js';
import { type Backend, createBackend, type Done, faults, leaked, missing, runSession, type Step } from './session.js';

/** Two backends of every dialect but the client's own, whose state nobody can tell apart (translation.md 4.2.8). */
function backendsFor(client: DialectId): Backend[] {
  return dialectIds.flatMap((dialect) => [
    createBackend(dialect, `${dialect}_a`),
    ...(dialect === client ? [] : [createBackend(dialect, `${dialect}_b`)]),
  ]);
}

/** Steps of a session whose backend changes now and then, and comes back. */
const orders = fc.array(
  fc.record({
    at: fc.nat(dialectIds.length * 2 - 2),
    stay: fc.nat(2),
    stream: fc.boolean(),
    said: fc.array(anyDeeds, { minLength: 3, maxLength: 3 }),
  }),
  { minLength: 2, maxLength: 6 },
);

/** Dialects whose state the history holds and the asked backend must not get. */
function foreignTo({ backend }: Step, earlier: readonly Done[]): DialectId[] {
  const others = earlier.filter(({ step, issued }) => step.backend !== backend && issued.some(isStateful));
  return [...new Set(others.map(({ step }) => step.backend.dialect))];
}

const SERVED = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'];

/** What the service ran is settled as a whole, its signature with it, and is reported as `hosted.call`. */
function isStateful(node: Record<string, unknown>): boolean {
  if (SERVED.some((key) => key in node)) return false;
  return ['signature', 'data', 'encrypted_content', 'thoughtSignature'].some((key) => typeof node[key] === 'string');
}

describe('a session that moves between backends', () => {
  test.each(TRIED)('a client of %s: state stays with its issuer and is there again on return', (client) => {
    fc.assert(
      fc.property(orders, (drawn) => {
        const all = backendsFor(client);
        const steps = drawn.flatMap(({ at, stay, stream, said }) =>
          said.slice(0, stay + 1).map((one) => ({ backend: all[at] as Backend, through: [], stream, deeds: one })),
        );
        runSession(client, steps, (passage, step, earlier) => {
          expect(leaked(passage, step, earlier)).toEqual([]);
          expect(missing(passage, step, earlier)).toEqual([]);
          expect(faults(passage, step)).toEqual([]);
          const told = passage.losses.filter(
            ({ feature, kind }) => feature === 'reasoning.state' && kind === 'dropped',
          );
          for (const issuer of foreignTo(step, earlier)) {
            const detail = step.backend.dialect === client ? 'another backend issued it' : `issued by ${issuer}`;
            expect(told.map((loss) => loss.detail)).toContain(detail);
          }
        });
      }),
      { numRuns: runs(25) },
    );
  });
});
