import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DialectId, dialectIds } from '../../../translators/index.js';
import { PACKAGE_ROOT } from '../package-root.js';

const run = promisify(execFile);

/** Sub-paths are in the letters of file names. */
export const pathOf = (id: DialectId): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

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

/** Kinds of programs by the names that docs/library.md gives them, each with the most that a bundle may take, in kB. */
export const MOST = {
  'the requests of two dialects': 115,
  'all of two dialects': 162,
  'all of all dialects': 291,
  '`createFetch`': 280,
} as const;

/** Each program with its kind; the others are too small to be stated. */
export const PROGRAMS: readonly [name: string, kind: keyof typeof MOST | undefined, code: string][] = [
  ['explainLoss alone', undefined, `export { explainLoss } from 'interlingua/translators';`],
  ['createSseCutter alone', undefined, `export { createSseCutter } from 'interlingua/translators';`],
  ['createFetch', '`createFetch`', `export { createFetch } from 'interlingua/fetch';`],
  ['the library whole', 'all of all dialects', `export * from 'interlingua/translators';`],
  ...PAIRS.map((pair): (typeof PROGRAMS)[number] => [
    `requests between ${pair.join(' and ')}`,
    'the requests of two dialects',
    program(pair, 'createRequestTranslators', 'Requests', 'translateRequest'),
  ]),
  ...PAIRS.map((pair): (typeof PROGRAMS)[number] => [
    `all between ${pair.join(' and ')}`,
    'all of two dialects',
    program(pair, 'createTranslators', '', 'translateRequest, translateResponse, translateStream'),
  ]),
];

/** The size in bytes of the bundle of each program, minified and compressed. */
export async function bundleSizes(codes: readonly string[]): Promise<readonly number[]> {
  const script = join(PACKAGE_ROOT, 'test/support/bundle/sizes.mjs');
  const { stdout } = await run(process.execPath, [script, JSON.stringify(codes)]);
  return JSON.parse(stdout) as number[];
}
