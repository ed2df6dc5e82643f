import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: { readonly packages: Readonly<Record<string, LockEntry>> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8'),
);
const entries = Object.entries(lock.packages).filter(([place]) => place !== '');

// What is installed is what was looked at: a package without a hash could be replaced by another of the same version.
describe('the lock file', () => {
  test('holds the hash of every package, for this platform and for others', () => {
    expect(entries.length).toBeGreaterThan(400);
    const bare = entries.filter(([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity));
    expect(bare.map(([place]) => place)).toEqual([]);
  });

  test('holds every package that another one names, whatever the platform', () => {
    const held = new Set(entries.map(([place]) => place.replace(/^.*node_modules\//, '')));
    const absent = entries.flatMap(([place, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !held.has(name))
        .map((name) => `${place} needs ${name}`),
    );
    expect(absent).toEqual([]);
  });

  test('names no registry, which whoever installs chooses', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
  });
});
