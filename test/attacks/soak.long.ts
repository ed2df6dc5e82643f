import { expect, test } from '@jest/globals';
import { setting } from '../support/load/figures.js';
import { boundOf, soak } from './support/soak.js';

const SECONDS = setting('ATTACK_SECONDS', 600);

/**
 * `ATTACK_LARGE=1` adds bodies that take a fifth of a second in one pass: they keep the bound only where others work at
 * them than the thread that serves everybody.
 */
const LARGE = process.env.ATTACK_LARGE === '1';

test(
  `one key attacks in every way for ${SECONDS} s, and another is served`,
  async () => {
    const outcome = await soak({ seconds: SECONDS, calmSeconds: 10, large: LARGE });
    expect(outcome.complaints).toEqual([]);
    expect(outcome.answered).toBeGreaterThan(SECONDS);
    expect(outcome.p99).toBeLessThan(boundOf(outcome));
    expect(outcome.rssMb).toBeLessThan(1536);
    expect(outcome.stderr).toBe('');
    expect(outcome.warnings).toEqual([]);
  },
  (SECONDS + 120) * 1000,
);
