import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const run = promisify(execFile);
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const manifest = read('package.json');
const lock = read('package-lock.json');

/** Every package that is installed with ours because we ask for it: the table of the decision that gives each a reason. */
const REASONED = [
  ...readFileSync(join(root, 'docs/decisions/0004-runtime-dependencies.md'), 'utf8').matchAll(/^\| (`.+?) \|/gm),
].flatMap(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

/** Packages with a script that runs when they are installed: they choose a binary that was built before. */
const INSTALLING: ReadonlySet<string> = new Set(['lmdb', 'msgpackr-extract']);

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
}
const locked = Object.entries(lock.packages as Record<string, Locked>).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('what is installed at run time is what has a reason (hardening.md row 66)', () => {
  expect(Object.keys(manifest.dependencies).sort()).toEqual(REASONED.sort());
  expect(manifest.optionalDependencies ?? {}).toEqual({});
  expect(lock.packages[''].dependencies).toEqual(manifest.dependencies);
  // Beside them come the binaries of one machine; what is an optional peer is locked for our tests alone.
  const runtime = locked.filter(
    ([, { dev, devOptional, optional, peer }]) => ![dev, devOptional, optional, peer].includes(true),
  );
  expect(runtime.length).toBeLessThanOrEqual(110);
});

test('our package runs nothing when it is installed, and of the others only what is known to', () => {
  const names = Object.keys(manifest.scripts).filter((name) =>
    /^(?:pre|post)?(?:install|prepare|publish|pack)|^prepublishOnly$/.test(name),
  );
  expect(names).toEqual([]);
  const installing = locked.filter(([, { hasInstallScript, dev }]) => hasInstallScript === true && dev !== true);
  expect(installing.map(([path]) => nameOf(path)).filter((name) => !INSTALLING.has(name))).toEqual([]);
});

test('every package is locked to its bytes, those for other machines too', () => {
  expect(locked.length).toBeGreaterThan(400);
  const open = locked.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
  expect(open.map(([path]) => path)).toEqual([]);
  // Where they come from is for whoever installs them to say.
  expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test('the lock file holds every package that another one names, for whatever machine', () => {
  const held = new Set(locked.map(([path]) => nameOf(path)));
  const absent = locked.flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !held.has(name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(absent).toEqual([]);
});

test('the package holds what it needs and nothing else', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    maxBuffer: 64e6,
  });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string; mode: number }[] }];
  const paths = files.map(({ path }) => path);
  const expected =
    /^(?:package\.json|README\.md|LICENSE|dist\/LICENCES\.txt|dist\/(?:src|translators)\/[\w./-]+\.(?:js|d\.ts|js\.map|d\.ts\.map|json))$/;
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
  expect(paths.filter((path) => /test|\.env|\.pem|\.key|secret/i.test(path.replace('dist/translators/', '')))).toEqual(
    [],
  );
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
