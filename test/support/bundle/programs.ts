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

/** Each program with the most that its bundle may take, in kB. */
export const PROGRAMS: readonly [name: string, most: number, code: string][] = [
  ['explainLoss alone', 5, `export { explainLoss } from 'interlingua/translators';`],
  ['createSseCutter alone', 5, `export { createSseCutter } from 'interlingua/translators';`],
  ['the library whole', 305, `export * from 'interlingua/translators';`],
  ...PAIRS.map((pair): [string, number, string] => [
    `requests between ${pair.join(' and ')}`,
    110,
    program(pair, 'createRequestTranslators', 'Requests', 'translateRequest'),
  ]),
  ...PAIRS.map((pair): [string, number, string] => [
    `all between ${pair.join(' and ')}`,
    160,
    program(pair, 'createTranslators', '', 'translateRequest, translateResponse, translateStream'),
  ]),
];

/** The size in bytes of the bundle of each program, minified and compressed. */
export async function bundleSizes(codes: readonly string[]): Promise<readonly number[]> {
  const script = join(PACKAGE_ROOT, 'test/support/bundle/sizes.mjs');
  const { stdout } = await run(process.execPath, [script, JSON.stringify(codes)]);
  return JSON.parse(stdout) as number[];
}
