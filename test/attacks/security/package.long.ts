import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const run = promisify(execFile);

test('the package holds what it needs and nothing else', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    maxBuffer: 64e6,
  });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string; mode: number }[] }];
  const paths = files.map(({ path }) => path);
  const expected =
    /^(?:package\.json|config\.schema\.json|[A-Z]+\.md|llms\.txt|LICENSE|dist\/report\.schema\.json|dist\/LICENCES\.txt|dist\/vendored\/(?:sbom\.cdx|package|package-lock)\.json|docs\/[\w./-]+\.(?:md|png|svg|json)|deploy\/[\w./-]+\.(?:yml|yaml|json|service)|dist\/page\/[\w-]+\.(?:html|js|css|svg)|dist\/translators\/node\/zod\.cjs|dist\/(?:src|translators)\/[\w./-]+\.(?:js|d\.ts|js\.map|d\.ts\.map|json))$/;
  expect(paths.filter((path) => !expected.test(path))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining([
      'package.json',
      'README.md',
      'LICENSE',
      'dist/src/index.js',
      'dist/src/cli.js',
      'dist/LICENCES.txt',
      'dist/translators/index.js',
      'dist/translators/node/index.js',
    ]),
  );
  expect(
    paths.filter((path) =>
      /test|\.env|\.pem|\.key|secret/i.test(path.replace(/^dist\/(?:translators\/|src\/ground\/secret-finder)/, '')),
    ),
  ).toEqual([]);
}, 60_000);

/** Makes every way out of the process end it with a telling line. */
const TRAP = `
import { createRequire, syncBuiltinESMExports } from 'node:module';
const require = createRequire(import.meta.url);
const told = (name) => () => { process.stdout.write('TRAPPED ' + name + '\\n'); process.exit(9); };
const trap = (module, ...names) => { for (const name of names) require(module)[name] = told(module + '.' + name); };
trap('net', 'connect', 'createConnection');
require('net').Socket.prototype.connect = told('Socket.connect');
trap('tls', 'connect');
trap('http', 'request', 'get');
trap('https', 'request', 'get');
trap('dns', 'lookup', 'resolve', 'resolve4', 'resolve6');
trap('dgram', 'createSocket');
trap('child_process', 'spawn', 'exec', 'execFile', 'fork', 'spawnSync', 'execSync', 'execFileSync');
globalThis.fetch = told('fetch');
syncBuiltinESMExports();
`;

test('nothing of the package calls anybody when it is loaded', async () => {
  const programs = ['src/index.js', 'translators/index.js', 'src/cli/run.js'].map((file) => join(root, 'dist', file));
  if (!programs.every(existsSync)) throw new Error('the program is not built: npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'interlingua-import-'));
  try {
    const trap = join(folder, 'trap.mjs');
    writeFileSync(trap, TRAP);
    const load = (code: string) =>
      run(process.execPath, ['--import', pathToFileURL(trap).href, '--input-type=module', '-e', code]);
    const imports = programs.map((program) => `await import(${JSON.stringify(pathToFileURL(program).href)});`);
    const { stdout } = await load(
      `${imports.join(' ')} await new Promise((done) => setTimeout(done, 50)); console.log('LOADED'); process.exit(0);`,
    );
    expect(stdout).toBe('LOADED\n');
    // The trap is one: what calls somebody falls into it.
    await expect(load("(await import('node:net')).connect(9, '127.0.0.1')")).rejects.toMatchObject({ code: 9 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
