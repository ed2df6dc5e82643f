import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Decision 0010 has what it is. */
const MOST_BYTES = 13_000_000;
/** What `files` takes out: a path, or one whose last part holds a `*`. */
const LEFT_OUT = (manifest.files as string[])
  .filter((name) => name.startsWith('!'))
  .map((name) => new RegExp(`^${name.slice(1).replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(?:/|$)`));

/** The paths of what is packed of the build that is there. `npm run check:package` packs it in earnest. */
const files: ReadonlySet<string> = new Set<string>(
  (manifest.files as string[])
    .filter((name) => !name.startsWith('!'))
    .flatMap((name) => {
      if (!statSync(join(root, name)).isDirectory()) return [name];
      const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name: file }) => relative(root, join(parentPath, file)));
    })
    .filter((path) => !LEFT_OUT.some((left) => left.test(path))),
).add('package.json');

/** Every file that `package.json` names. */
function named(value: unknown): string[] {
  if (typeof value === 'string') return [normalize(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(named) : [];
}

describe('the package', () => {
  test('holds what its manifest names', () => {
    const wanted = [...named(manifest.bin), ...named(manifest.exports)];
    expect(wanted.length).toBeGreaterThan(20);
    expect(wanted.filter((path) => !files.has(path))).toEqual([]);
  });

  test('holds what people look for, and no tests', () => {
    for (const name of [
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'SECURITY.md',
      'llms.txt',
      'dist/LICENCES.txt',
      'config.schema.json',
    ]) {
      expect(files).toContain(name);
    }
    expect([...files].filter((path) => /^(?:src|test|translators|node_modules|docs\/internals)\//.test(path))).toEqual(
      [],
    );
  });

  test('holds what is read and run, and no pictures: pages name these by their addresses', () => {
    const sizes = [...files].map((path) => statSync(join(root, path)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
    expect([...files].filter((path) => /^docs\/images\//.test(path))).toEqual(['docs/images/exchange.svg']);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(
      `](${manifest.homepage.replace('#readme', '')}/raw/main/docs/images/`,
    );
  });

  test('says where it comes from', () => {
    expect(manifest).toMatchObject({
      repository: { type: 'git', url: expect.stringMatching(/^git\+https:\/\//) },
      license: 'MIT',
      sideEffects: false,
    });
    expect(manifest.keywords.length).toBeGreaterThan(5);
  });

  test('has no dead link between its pages', () => {
    const pages = [...files].filter((path) => path.endsWith('.md') || path === 'llms.txt');
    const dead = pages.flatMap((page) => {
      const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
      return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => {
          const path = normalize(join(dirname(page), target)).replace(/\/$/, '');
          return !files.has(path) && ![...files].some((file) => file.startsWith(`${path}/`));
        })
        .map((target) => `${page}: ${target}`);
    });
    expect(pages.length).toBeGreaterThan(10);
    expect(dead).toEqual([]);
  });

  test('is built by npm pack itself, and by a script of its own where scripts are off', () => {
    expect(manifest.scripts.prepack).toBe('node prepack.mjs');
    expect(existsSync(join(root, 'prepack.mjs'))).toBe(true);
    expect(manifest.scripts.pack).toMatch(/^npm run --silent build && npm pack/);
    // As npm writes it itself; else it warns when it publishes.
    expect(manifest.bin.interlingua).toBe('dist/src/cli.js');
  });
});
