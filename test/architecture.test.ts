import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

interface Arrow {
  readonly from: string;
  readonly to: string;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** Every import and re-export of a file; relative ones as paths from the root. */
function arrows(file: string): Arrow[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/^(?:import|export)\b(?:[\w\s{},*$]*?\bfrom)?\s*'([^']+)'/gm);
  return [...found].map(([, target = '']) => ({
    from: file,
    to: target.startsWith('.') ? normalize(join(dirname(file), target)) : target,
  }));
}

const library = sources('translators').flatMap(arrows);
const gateway = sources('src').flatMap(arrows);
const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/');
const show = (list: readonly Arrow[]): string[] => list.map((arrow) => `${arrow.from} -> ${arrow.to}`);
const DIALECT_FOLDERS = ['translators/messages', 'translators/responses', 'translators/generate-content'];

describe('the arrows of the house', () => {
  test('the library imports nothing from the gateway, from Node or from an HTTP package', () => {
    const allowed = /^(translators\/|zod$|zod\/v3$|zod-to-json-schema$|fflate$|@noble\/hashes\/)/;
    expect(show(library.filter(({ to }) => !allowed.test(to)))).toEqual([]);
  });

  test('dialect folders never import each other', () => {
    const crossing = library.filter(
      ({ from, to }) =>
        DIALECT_FOLDERS.includes(folderOf(from)) &&
        DIALECT_FOLDERS.includes(folderOf(to)) &&
        folderOf(from) !== folderOf(to),
    );
    expect(show(crossing)).toEqual([]);
  });

  test('only the table of dialects knows the dialect folders', () => {
    const outside = library.filter(
      ({ from, to }) => DIALECT_FOLDERS.includes(folderOf(to)) && !DIALECT_FOLDERS.includes(folderOf(from)),
    );
    expect([...new Set(outside.map(({ from }) => from))]).toEqual(['translators/dialects.ts']);
  });

  test('the canonical model imports nothing but itself', () => {
    const outward = library.filter(
      ({ from, to }) => folderOf(from) === 'translators/canonical' && folderOf(to) !== 'translators/canonical',
    );
    expect(show(outward)).toEqual([]);
  });

  test('the wire mechanics import at most the canonical model', () => {
    const allowed = ['translators/wire', 'translators/canonical', 'fflate', '@noble/hashes', 'zod'];
    const outward = library.filter(
      ({ from, to }) => folderOf(from) === 'translators/wire' && !allowed.includes(folderOf(to)),
    );
    expect(show(outward)).toEqual([]);
  });

  test('the gateway enters the library by its door', () => {
    const inside = gateway.filter(({ to }) => to.startsWith('translators/') && to !== 'translators/index.js');
    expect(show(inside)).toEqual([]);
  });

  test('the simulator knows nothing of the library', () => {
    const known = gateway.filter(({ from, to }) => from.startsWith('src/simulator/') && to.startsWith('translators/'));
    expect(show(known)).toEqual([]);
  });

  test('the model names no dialect and no vendor', () => {
    const words = /\b(anthropic|openai|gemini|claude|gpt|google)\b/i;
    const named = sources('translators/canonical').filter((file) => words.test(readFileSync(join(root, file), 'utf8')));
    expect(named).toEqual([]);
  });

  test('nothing branches on the name of a dialect outside the table and the routes', () => {
    const branch = /(===|!==|case)\s*'(messages|responses|generateContent)'/;
    const allowed =
      /^(translators\/(dialects\.ts|messages\/|responses\/|generate-content\/)|src\/(routes|simulator)\/)/;
    const branching = [...sources('translators'), ...sources('src')].filter(
      (file) => !allowed.test(file) && branch.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(branching).toEqual([]);
  });
});
