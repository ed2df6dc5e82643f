import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dialectIds } from '../translators/index.js';
import { bundleSizes, PROGRAMS, pathOf } from './support/bundle/programs.js';
import { PACKAGE_ROOT } from './support/package-root.js';

const KB = 1024;

describe('the size of a bundle for a page', () => {
  let sizes: readonly number[];

  beforeAll(async () => {
    sizes = await bundleSizes(PROGRAMS.map(([, , code]) => code));
  }, 300_000);

  test.each(PROGRAMS.map(([name, most], index): [string, number, number] => [name, most, index]))(
    '%s: at most %d kB',
    (_name, most, index) => {
      expect(sizes[index]).toBeLessThanOrEqual(most * KB);
    },
  );
});

test('every sub-path of the package leads to a file that is built, with its types', () => {
  const { exports, sideEffects } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>;
    sideEffects: unknown;
  };
  expect(sideEffects).toBe(false);
  for (const target of Object.values(exports))
    for (const file of typeof target === 'string' ? [target] : Object.values(target))
      expect(readFileSync(join(PACKAGE_ROOT, file), 'utf8')).not.toBe('');
  for (const id of dialectIds) expect(exports).toHaveProperty([`./translators/${pathOf(id)}`]);
});
