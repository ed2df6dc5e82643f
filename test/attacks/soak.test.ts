import { expect, test } from '@jest/globals';
import { boundOf, soak } from './support/soak.js';

/** The short form of `soak.long.ts`. */
test('one key attacks in every way, and another is served', async () => {
  const outcome = await soak({ seconds: 5, calmSeconds: 2, large: false });
  expect(outcome.complaints).toEqual([]);
  expect(outcome.answered).toBeGreaterThan(30);
  // Of 100 requests one decides.
  expect(outcome.p99).toBeLessThan(2 * boundOf(outcome));
  expect(outcome.rssMb).toBeLessThan(1536);
  expect(outcome.stderr).toBe('');
  expect(outcome.warnings).toEqual([]);
}, 120_000);
