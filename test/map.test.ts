import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PACKAGE_ROOT } from './support/package-root.js';

function testsOf(...args: readonly string[]): string[] {
  const { status, stdout } = spawnSync(process.execPath, ['test/map.mjs', ...args], {
    cwd: PACKAGE_ROOT,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim().split('\n') : [];
}

test('the tests of a source file are those that import it, itself or through others, the nearest first', () => {
  const all = testsOf('--all', join(PACKAGE_ROOT, 'src/simulator/synthesis.ts'));
  expect(all[0]).toMatch(/^src\/simulator\/synthesis\.ts: \d+ of \d+ tests$/);
  expect(all[1]).toBe('   1  test/simulator/synthesis.test.ts');
  expect(all).toContainEqual(expect.stringMatching(/^ +[2-9] {2}test\/simulator\/simulator\.test\.ts$/));
  expect(all).not.toContainEqual(expect.stringContaining('test/map.test.ts'));
  expect(testsOf('src/simulator/unheard-of.ts')).toEqual([]);
});
