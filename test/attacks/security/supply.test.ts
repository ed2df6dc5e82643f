import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const manifest = read('package.json');
const lock = read('package-lock.json');

/** Every package that is installed with ours because we ask for it: the table of the decision that gives each a reason. */
const REASONED = [
  ...readFileSync(join(root, 'docs/internals/decisions/0004-runtime-dependencies.md'), 'utf8').matchAll(
    /^\| (`.+?) \|/gm,
  ),
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
  expect(runtime.length).toBeLessThanOrEqual(94);
});

test('our package runs nothing when it is installed, and of the others only what is known to', () => {
  // `prepack` runs where the package is made.
  const names = Object.keys(manifest.scripts).filter((name) =>
    /^(?:pre|post)?(?:install|prepare|publish)|^prepublishOnly$|^postpack$/.test(name),
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
