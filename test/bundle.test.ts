import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type DialectId, dialectIds } from '../translators/index.js';

const run = promisify(execFile);

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const KB = 1024;

/** Sub-paths are in the letters of file names. */
const pathOf = (id: DialectId): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const PAIRS = dialectIds.flatMap((one, index) =>
  dialectIds.slice(index + 1).map((other): [DialectId, DialectId] => [one, other]),
);

/** A program that translates between two dialects by a function of `core`, made of what each dialect's sub-path has. */
function program([one, other]: [DialectId, DialectId], creator: string, suffix: string, uses: string): string {
  const names = [`${one}${suffix}`, `${other}${suffix}`];
  return `
    import { ${creator} } from 'interlingua/translators/core';
    import { ${names[0]} } from 'interlingua/translators/${pathOf(one)}';
    import { ${names[1]} } from 'interlingua/translators/${pathOf(other)}';
    export const { ${uses} } = ${creator}([${names.join(', ')}]);`;
}

/** Each program with the most that its bundle may take, in kB. */
const PROGRAMS: readonly [name: string, most: number, code: string][] = [
  ['explainLoss alone', 5, `export { explainLoss } from 'interlingua/translators';`],
  ['createSseCutter alone', 5, `export { createSseCutter } from 'interlingua/translators';`],
  ['createFetch', 290, `export { createFetch } from 'interlingua/fetch';`],
  ['the library whole', 305, `export * from 'interlingua/translators';`],
  ...PAIRS.map((pair): [string, number, string] => [
    `requests between ${pair.join(' and ')}`,
    114,
    program(pair, 'createRequestTranslators', 'Requests', 'translateRequest'),
  ]),
  ...PAIRS.map((pair): [string, number, string] => [
    `all between ${pair.join(' and ')}`,
    158,
    program(pair, 'createTranslators', '', 'translateRequest, translateResponse, translateStream'),
  ]),
];

describe('the size of a bundle for a page', () => {
  let sizes: readonly number[];

  beforeAll(async () => {
    const script = join(root, 'test/support/bundle/sizes.mjs');
    const { stdout } = await run(process.execPath, [script, JSON.stringify(PROGRAMS.map(([, , code]) => code))]);
    sizes = JSON.parse(stdout) as number[];
  }, 60_000);

  test.each(PROGRAMS.map(([name, most], index): [string, number, number] => [name, most, index]))(
    '%s: at most %d kB',
    (_name, most, index) => {
      expect(sizes[index]).toBeLessThanOrEqual(most * KB);
    },
  );
});

test('every sub-path of the package leads to a file that is built, with its types', () => {
  const { exports, sideEffects } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>;
    sideEffects: unknown;
  };
  expect(sideEffects).toBe(false);
  for (const target of Object.values(exports))
    for (const file of typeof target === 'string' ? [target] : Object.values(target))
      expect(readFileSync(join(root, file), 'utf8')).not.toBe('');
  for (const id of dialectIds) expect(exports).toHaveProperty([`./translators/${pathOf(id)}`]);
});
