import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleSizes, type MOST, PROGRAMS } from '../support/bundle/programs.js';
import { PACKAGE_ROOT } from '../support/package-root.js';
import type { Row } from './measure.js';

const KB = 1024;

/** The bundles of test/bundle.test.ts: the largest of a kind; and what a user installs. */
export async function benchSizes(): Promise<readonly Row[]> {
  const sizes = await bundleSizes(PROGRAMS.map(([, , code]) => code));
  const largestOf = (kind: keyof typeof MOST | undefined): number =>
    Math.max(...PROGRAMS.flatMap(([, its], index) => (its === kind ? [(sizes[index] ?? 0) / KB] : [])));
  const packages = installedPackages();
  return [
    {
      target: 'bundle',
      figures: [largestOf('requests of one dialect for services of another')],
      detail: 'largest of all pairs',
    },
    { target: 'bundleWay', figures: [largestOf('one dialect for services of another, answers and streams too')] },
    { target: 'bundleFetch', figures: [largestOf('`createFetch` of parts, for clients of one dialect')] },
    { target: 'bundleSmall', figures: [largestOf(undefined)] },
    { target: 'packages', figures: [packages.length] },
    {
      target: 'install',
      figures: [
        [...packages, ...ownFiles()].reduce((sum, path) => sum + diskOf(join(PACKAGE_ROOT, path)), 0) / KB / KB,
      ],
    },
  ];
}

/** The folders of the packages that are installed for a user on this machine. */
function installedPackages(): readonly string[] {
  const lock: unknown = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package-lock.json'), 'utf8'));
  const { packages } = lock as { packages: Record<string, { dev?: true; devOptional?: true; peer?: true }> };
  return Object.entries(packages).flatMap(([folder, { dev, devOptional, peer }]) =>
    folder === '' || dev || devOptional || peer || !existsSync(join(PACKAGE_ROOT, folder)) ? [] : [folder],
  );
}

/** The files that the package itself brings, as npm packs them. */
function ownFiles(): readonly string[] {
  const packed: unknown = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: PACKAGE_ROOT, encoding: 'utf8' }),
  );
  return (packed as { files: { path: string }[] }[]).flatMap(({ files }) => files.map(({ path }) => path));
}

/** What a file or folder takes on the disk, in bytes, without the packages inside it, which have folders of their own. */
function diskOf(path: string): number {
  const status = lstatSync(path);
  // Blocks of a file are of 512 bytes whatever the disk has (POSIX, sys/stat.h).
  const own = status.blocks * 512;
  if (!status.isDirectory()) return own;
  return readdirSync(path).reduce((sum, name) => (name === 'node_modules' ? sum : sum + diskOf(join(path, name))), own);
}
