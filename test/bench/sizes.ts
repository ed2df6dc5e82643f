import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleSizes, PROGRAMS } from '../support/bundle/programs.js';
import { PACKAGE_ROOT } from '../support/package-root.js';
import type { Row } from './measure.js';

const KB = 1024;

/** The bundles of test/bundle.test.ts: the largest for a pair, and the larger of the two small ones; and what a user installs. */
export async function benchSizes(): Promise<readonly Row[]> {
  const sizes = await bundleSizes(PROGRAMS.map(([, , code]) => code));
  const largest = (named: (name: string) => boolean): number =>
    Math.max(...PROGRAMS.flatMap(([name], index) => (named(name) ? (sizes[index] ?? 0) / KB : [])));
  const packages = installedPackages();
  return [
    {
      target: 'bundle',
      figures: [largest((name) => name.startsWith('requests between'))],
      detail: 'largest of all pairs',
    },
    { target: 'bundleSmall', figures: [largest((name) => name.endsWith(' alone'))] },
    { target: 'packages', figures: [packages.length] },
    {
      target: 'install',
      figures: [packages.reduce((sum, folder) => sum + bytesOf(join(PACKAGE_ROOT, folder)), 0) / KB / KB],
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

/** The size of a folder's files, without the packages inside it, which have folders of their own. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesOf(path) : lstatSync(path).size);
  }, 0);
}
