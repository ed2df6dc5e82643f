import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as features from '../translators/canonical/feature-names.data.js';
import * as known from '../translators/hosts/known.data.js';
import { dialectIds } from '../translators/index.js';
import { bundleSizes, MOST, PROGRAMS, pathOf } from './support/bundle/programs.js';
import { PACKAGE_ROOT } from './support/package-root.js';

const KB = 1024;

/** The most that a bundle of one small function may take, in kB. */
const SMALL = 5;

describe('the size of a bundle for a page', () => {
  let sizes: readonly number[];

  beforeAll(async () => {
    sizes = await bundleSizes(PROGRAMS.map(([, , code]) => code));
  }, 300_000);

  test.each(PROGRAMS.map(([name, kind], index) => ({ name, kind, index })))(
    '$name, all in one file, is what the page says',
    ({ kind, index }) => {
      const most = (kind === undefined ? SMALL : MOST[kind]) * KB;
      expect(sizes[index]).toBeLessThanOrEqual(most);
      // What is stated has to be about so.
      if (kind !== undefined) expect(sizes[index]).toBeGreaterThan(most * 0.85);
    },
  );

  test.each(Object.entries(MOST))('docs/library.md states that of %s: %d kB', (kind, most) => {
    const page = readFileSync(join(PACKAGE_ROOT, 'docs/library.md'), 'utf8');
    expect(page).toMatch(new RegExp(`^\\| ${kind} \\| ${most} kB \\|$`, 'm'));
  });
});

test.each([
  ['hosts/known', known],
  ['canonical/feature-names', features],
])('what bundlers find of %s is what its module comes to', async (name, source) => {
  const written = readFileSync(join(PACKAGE_ROOT, `dist/translators/${name}.data.js`), 'utf8');
  const values: object = await import(`data:text/javascript,${encodeURIComponent(written)}`);
  // Members that are there without a value too: they hide others where rows are joined.
  expect({ ...values }).toStrictEqual({ ...source });
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
