import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DialectId, dialectIds } from '../../../translators/index.js';
import { PACKAGE_ROOT } from '../package-root.js';

const run = promisify(execFile);

/** Sub-paths are in the letters of file names. */
export const pathOf = (id: DialectId): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const capital = (id: DialectId): string => id.replace(/^./, (letter) => letter.toUpperCase());

const PAIRS = dialectIds.flatMap((one, index) =>
  dialectIds.slice(index + 1).map((other): [DialectId, DialectId] => [one, other]),
);

/** The dialects of clients and of services that differ. */
const WAYS = dialectIds.flatMap((client) =>
  dialectIds.filter((backend) => backend !== client).map((backend): [DialectId, DialectId] => [client, backend]),
);

/** Functions of `core` by what makes them, and what a program takes of them. */
const MADE = {
  createTranslators: 'translateRequest, translateResponse, translateStream',
  createRequestTranslators: 'translateRequest',
} as const;

/** A program that translates between two dialects by functions of `core`, made of these exports of each dialect's sub-path. */
function program(
  creator: keyof typeof MADE,
  [one, other]: readonly [DialectId, DialectId],
  [first, second]: readonly [string, string],
  given: string,
): string {
  return `
    import { ${creator} } from 'interlingua/translators/core';
    import { ${first} } from 'interlingua/translators/${pathOf(one)}';
    import { ${second} } from 'interlingua/translators/${pathOf(other)}';
    export const { ${MADE[creator]} } = ${creator}(${given});`;
}

/** What translates from a client's dialect to a service's, and back. */
function oneWay(creator: keyof typeof MADE, way: readonly [DialectId, DialectId], suffix = ''): string {
  const [client, backend] = [`${way[0]}Client${suffix}`, `${way[1]}Backend${suffix}`];
  return program(creator, way, [client, backend], `{ clients: [${client}], backends: [${backend}] }`);
}

/** What translates between two dialects, whichever of them the client speaks. */
function bothWays(creator: keyof typeof MADE, pair: readonly [DialectId, DialectId], suffix = ''): string {
  const names = [`${pair[0]}${suffix}`, `${pair[1]}${suffix}`] as const;
  return program(creator, pair, names, `[${names.join(', ')}]`);
}

/** Kinds of programs by the names that docs/library.md gives them, each with the most that a bundle may take, in kB. */
export const MOST = {
  'requests of one dialect for services of another': 84,
  'one dialect for services of another, answers and streams too': 128,
  'requests of two dialects, both ways': 108,
  'two dialects whole, both ways': 158,
  'all dialects whole': 290,
  '`createFetch` of parts, for clients of one dialect': 146,
  '`createFetch`': 282,
  '`createHandler` of parts, for clients of one dialect': 155,
  '`createHandler`': 300,
} as const;

/** Each program with its kind; the others are too small to be stated. */
export const PROGRAMS: readonly [name: string, kind: keyof typeof MOST | undefined, code: string][] = [
  ['explainLoss alone', undefined, `export { explainLoss } from 'interlingua/translators';`],
  ['createSseCutter alone', undefined, `export { createSseCutter } from 'interlingua/translators';`],
  ['createFetch', '`createFetch`', `export { createFetch } from 'interlingua/fetch';`],
  ['createHandler', '`createHandler`', `export { createHandler } from 'interlingua/handler';`],
  ...WAYS.flatMap(([client, backend]): (typeof PROGRAMS)[number][] => {
    const [from, to] = [`from${capital(client)}`, `to${capital(backend)}`];
    const code = `
    import { createFetch } from 'interlingua/fetch/core';
    import { ${from} } from 'interlingua/fetch/${pathOf(client)}';
    import { ${to} } from 'interlingua/fetch/${pathOf(backend)}';
    export const make = (options) => createFetch({ ...options, from: [${from}], to: ${to} });`;
    const handler = code.replace('fetch/core', 'handler/core').replaceAll('createFetch', 'createHandler');
    return [
      [`createFetch of ${client} for ${backend}`, '`createFetch` of parts, for clients of one dialect', code],
      [
        `createHandler of ${client} for ${backend}`,
        '`createHandler` of parts, for clients of one dialect',
        handler.replace(`to: ${to}`, `to: [${to}]`),
      ],
    ];
  }),
  ['the library whole', 'all dialects whole', `export * from 'interlingua/translators';`],
  ...WAYS.map((way): (typeof PROGRAMS)[number] => [
    `requests of ${way.join(' for ')}`,
    'requests of one dialect for services of another',
    oneWay('createRequestTranslators', way, 'Requests'),
  ]),
  ...WAYS.map((way): (typeof PROGRAMS)[number] => [
    `${way.join(' for ')}`,
    'one dialect for services of another, answers and streams too',
    oneWay('createTranslators', way),
  ]),
  ...PAIRS.map((pair): (typeof PROGRAMS)[number] => [
    `requests between ${pair.join(' and ')}`,
    'requests of two dialects, both ways',
    bothWays('createRequestTranslators', pair, 'Requests'),
  ]),
  ...PAIRS.map((pair): (typeof PROGRAMS)[number] => [
    `all between ${pair.join(' and ')}`,
    'two dialects whole, both ways',
    bothWays('createTranslators', pair),
  ]),
];

/** The size in bytes of the bundle of each program, minified and compressed. */
export async function bundleSizes(codes: readonly string[]): Promise<readonly number[]> {
  const script = join(PACKAGE_ROOT, 'test/support/bundle/sizes.mjs');
  const { stdout } = await run(process.execPath, [script, JSON.stringify(codes)]);
  return JSON.parse(stdout) as number[];
}
