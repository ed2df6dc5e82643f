import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { faultOfRuntime, OLDEST } from '../../../src/cli/runtime.js';
import { fits, samplePattern } from '../../../src/simulator/pattern.js';
import { synthesise } from '../../../src/simulator/synthesis.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** What is shipped, without its comments. */
const FILES = ['src', 'translators'].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/(^|\s)\/\/.*$/gm, '');
      return { name: relative(root, path), text };
    }),
);

/** Where a pattern stands in the shipped text: file, and the line. */
function places(pattern: RegExp): string[] {
  return FILES.flatMap(({ name, text }) =>
    text.split('\n').flatMap((line) => (pattern.test(line) ? [`${name}: ${line.trim()}`] : [])),
  );
}

test('the files that are looked at are those that are shipped', () => {
  expect(FILES.length).toBeGreaterThan(150);
});

test.each([
  [
    'runs text as code',
    /(?<!client\.)\beval\s*\(|new Function\b|(?<!\w)Function\s*\(\s*['"`]|node:vm|['"]vm['"]|setTimeout\s*\(\s*['"`]/,
  ],
  ['loads modules by a name that is data', /\b(?:import|require|load|loadPart)\s*\(\s*[^'\s)]/],
  ['reads headers by their distinct values', /headersDistinct|trailersDistinct/],
  [
    'asks which host the caller thinks it talks to',
    /\bheaders\.host\b|headers\[['"]host['"]\]|\.hostname\s*===|req(?:uest)?\.(?:host|protocol|subdomains)\b|x-forwarded-host/,
  ],
  ['lets a certificate pass that is none', /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/],
  [
    'merges objects of others deeply',
    /\bmerge(?:Deep|With)\s*\(|deepmerge|lodash|Object\.setPrototypeOf|__defineGetter__|\.__proto__\s*=/,
  ],
  ['makes chance for secrets of what can be foretold', /Math\.random\(\).*(?:id|key|token|secret|nonce)/i],
] as const)('nothing %s (hardening.md rows 13, 17, 60, 61)', (_name, pattern) => {
  expect(places(pattern)).toEqual([]);
});

test('nothing runs a program, but the store a script of its own that looks at a file, and `launch` what it is told to (hardening.md row 17)', () => {
  const running = places(/child_process|\bexecSync\b|\bexecFile\b|\bspawn(?:Sync)?\b/);
  expect(running).toEqual([
    "src/launch/run.ts: import { spawn } from 'node:child_process';",
    "src/launch/run.ts: const child = spawn(command, [...args, ...words], { stdio: 'inherit', env: { ...environment, ...env } });",
    "src/store/lmdb-file.ts: import { spawnSync } from 'node:child_process';",
    'src/store/lmdb-file.ts: const { status, signal } = spawnSync(process.execPath, [PROBE, path], {',
  ]);
});

test('processes are made only by the command that shares a port among several, and threads for large bodies', () => {
  expect(
    [...new Set(places(/node:cluster|node:worker_threads/).map((place) => place.replace(/:.*/, '')))].filter(
      (file) => !/^src\/(?:offload(?:\.ts|\/)|(?:workers|cli|limits|metrics)\/)/.test(file),
    ),
  ).toEqual([]);
});

/** Regular expressions that are built at run time, each with what is in them. */
const BUILT: Readonly<Record<string, string>> = {
  'src/ground/plain/redactor.ts': 'keys and hosts of the configuration, every sign of them escaped',
  'src/ground/plain/key-finder.ts': 'keys of the configuration, every sign of them escaped',
  'src/launch/beaten.ts': 'names of settings of coding agents, which are our own',
  'src/migrate/plain/called.ts': 'paths of our own, one for each dialect',
  'src/protocol/answer-headers.ts': 'patterns of our own, one for each dialect',
  'src/protocol/paths.ts': 'patterns of our own routes',
  'src/simulator/plan.ts': 'names of tools, which `\\w-` alone may make up',
  'src/simulator/pattern.ts': "a caller's pattern, after it was found to be quick",
  'translators/wire/carrier.ts': 'fixed words of our own',
};

test('regular expressions are built of nothing that a caller says (hardening.md row 58)', () => {
  const found = [...new Set(places(/new RegExp\b|\bRegExp\(/).map((place) => place.replace(/: .*/, '')))];
  expect(found.sort()).toEqual(Object.keys(BUILT).sort());
});

test.each([
  '^(a+)+$',
  '^(a|a)*$',
  '(x*){9}y',
  '^(?:x+x+)+y$',
  `${'a?'.repeat(30)}${'a'.repeat(30)}`,
  `${'x*'.repeat(12)}y`,
  `${'(a|a)'.repeat(40)}b`,
  `${'x{0,60}'.repeat(9)}y`,
  '('.repeat(100_000),
  '[z-a]',
  '(?<',
  'a{1000000000}',
  '\\u{110000}',
])('the simulator makes a text for the pattern %.30s without running away (hardening.md row 58)', (pattern) => {
  // One that runs away never ends.
  for (const text of ['x'.repeat(64), 'a'.repeat(64), 'x'.repeat(5000)]) fits(pattern, text);
  samplePattern(pattern);
  const schema = { type: 'object', properties: { a: { type: 'string', pattern, minLength: 40 } }, required: ['a'] };
  expect(typeof (synthesise(schema) as { a: unknown }).a).toBe('string');
});

test('what a schema demands is given up to a limit', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', minLength: 1e12 }, b: { type: 'array', minItems: 1e9 } },
    required: ['a', 'b'],
  };
  const { a, b } = synthesise(schema) as { a: string; b: unknown[] };
  expect([a.length, b.length]).toEqual([100_000, 1000]);
});

test('keys are compared in one place and proofs of them in another, as digests, in constant time (hardening.md row 21)', () => {
  expect(places(/(?<!import.*)timingSafeEqual/).map((place) => place.replace(/: .*/, ''))).toEqual([
    'src/ground/proof.ts',
    'src/http/access.ts',
  ]);
  expect(
    places(
      /(?:apiKey|secret|sha256|password|digest) (?:===|!==|==|!=) (?!undefined|null|typeof|''|'string')|startsWith\((?:apiKey|key|secret|token)\b/,
    ),
  ).toEqual([]);
});

test('nothing keeps answers for others: what outlives a request is named here (hardening.md rows 33, 34)', () => {
  const kept = FILES.flatMap(({ name, text }) =>
    [
      ...text.matchAll(
        /^(?:export )?(?:const|let) (\w+)(?:: [^=]+)? = new (?:Map|Set|WeakMap|WeakSet|LRU\w*)(?:<[^(]*>)?\((?:\)|\[\]\))/gm,
      ),
    ].map(([, variable]) => `${name} ${variable}`),
  );
  expect(kept.filter((one) => one.startsWith('src/') && !/ [A-Z]+$/.test(one)).sort()).toEqual([
    'src/config/targets.ts atEndpoints', // the same targets by other endpoints, by the target
    'src/exchange/inlining.ts fetched', // the files that a request names, by its call
    'src/exchange/restrictions.ts configured', // the profiles of targets, by their configuration
    'src/ground/credentials.ts ofBackends', // the credentials of a backend that come from files
    'src/ground/redact.ts ofBackends', // how to take the secrets of a backend out of a text
    'src/ground/secret-finder.ts ofBackends', // how to find the secrets of a backend in a text
    'src/http/connections.ts connections', // what is known of open connections: whether a request is open, and whether anybody was admitted
    'src/http/content.ts watched', // what is said in a request, for the log, as long as the request lives
    'src/http/web-pages.ts hosts', // the hosts of URLs, the last few
  ]);
  // The one cache of what backends answered: lists of models, by backend, and never by what a caller asked.
  expect(
    places(/kept\.set\(/)
      .map((place) => place.replace(/: .*/, ''))
      .filter((file) => file === 'src/models/discovery.ts'),
  ).toHaveLength(1);
});

test('a runtime that is too old is told so, and the package says the same (hardening.md row 60)', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(engines.node).toBe(`>=${OLDEST.join('.')}`);
  for (const version of ['20.19.0', '20.20.1', '21.0.0', '22.1.0', '24.0.0'])
    expect(faultOfRuntime(version)).toBeUndefined();
  for (const version of ['20.18.3', '20.0.0', '18.20.4', '16.0.0', '']) {
    expect(faultOfRuntime(version)).toMatch(/^needs Node\.js 20\.19 or newer, and this is/);
  }
  // Nothing else is loaded before that is known.
  const entry = readFileSync(join(root, 'src', 'cli.ts'), 'utf8');
  expect([...entry.matchAll(/^import .* from '([^']+)'/gm)].map(([, from]) => from)).toEqual(['./cli/runtime.js']);
});
