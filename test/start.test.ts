import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');

const KB = 1024;

/** What a file of the build loads at once: its own files, with their sizes in bytes, and packages. */
function loadedBy(file: string): { readonly files: Map<string, number>; readonly packages: Set<string> } {
  const files = new Map<string, number>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    const text = readFileSync(path, 'utf8');
    files.set(path, text.length);
    for (const [, target = ''] of text.matchAll(/^(?:import|export)\b(?:[\w\s{},*$]*?\bfrom)?\s*"([^"]+)";$/gm)) {
      if (target.startsWith('.')) visit(join(dirname(path), target));
      else if (!target.startsWith('node:')) packages.add(target.replace(/^((?:@[^/]+\/)?[^/]+).*$/, '$1'));
    }
  };
  visit(join(root, file));
  return { files, packages };
}

test.each([
  ['a command line that asks for help', 'src/cli/run.js', 4, 20, ['commander']],
  ['the library', 'translators/node/index.js', 30, 1500, ['@noble/hashes', 'fflate']],
  ['a server', 'src/index.js', 42, 2940, ['@noble/hashes', 'fflate', 'keyv']],
])('%s loads few files, and no package before it is needed', (_name, file, most, kilobytes, expected) => {
  const { files, packages } = loadedBy(file);
  expect([...packages].sort()).toEqual(expected);
  expect(files.size).toBeLessThanOrEqual(most);
  expect([...files.values()].reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(kilobytes * KB);
});

// docs/internals/decisions/0014-shapes-of-copies.md
test('no object of the build begins with a copy that gets more properties', () => {
  const texts = ['src/chunks', 'translators'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  );
  const copies = texts.flatMap((text) => text.match(/\{\s*\.\.\.[\w.]+,\s*\w+[,:]/g) ?? []);
  expect(copies.length).toBe(0);
  expect(texts.some((text) => text.includes('...null, ...'))).toBe(true);
});
