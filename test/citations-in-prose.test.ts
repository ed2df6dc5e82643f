import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { dialectIds } from '../translators/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Paths below a folder of the project, as pages name them between backquotes; patterns have other characters. */
const PATH = /`((?:src|test|docs|translators|deploy|page)\/[\w./-]+)`/g;

/** Lists of three dialects that mean these three, by page, each with the reason why a further one may be missing. */
const PARTIAL: Readonly<Record<string, readonly string[]>> = {
  // Comments are safe in their streams only.
  'docs/http.md': ['messages, responses and chatCompletions'],
  'docs/internals/translation.md': [
    'messages, responses and chatCompletions',
    'messages, responses or chatCompletions',
  ],
  // Services that cache by themselves.
  'docs/configuration.md': ['responses, generateContent and chatCompletions'],
};

const pages = [
  ...readdirSync(root).filter((name) => /^[A-Z]+\.md$|^llms\.txt$/.test(name)),
  ...['docs', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules') && !name.startsWith('cases/'))
      .map((name) => `${folder}/${name}`),
  ),
  // The sheets name files of other projects, the changelog those of former days, decisions those of their day.
].filter((page) => !/^docs\/internals\/(?:protocols|decisions)|^CHANGELOG/.test(page));

test.each(pages)('%s names files and folders that are there', (page) => {
  const named = [...readFileSync(join(root, page), 'utf8').matchAll(PATH)].map(([, path = '']) => path);
  expect(
    named.filter((path) => ![path, `${path}.test.ts`, `${path}.long.ts`].some((one) => existsSync(join(root, one)))),
  ).toEqual([]);
});

test.each(pages)('%s: a list of three dialects and more names all of them', (page) => {
  const prose = readFileSync(join(root, page), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('|'))
    .join(' ');
  // The ids, and the names of their folders.
  const folders = dialectIds.map((id) => `${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}/`);
  const partial = [dialectIds, folders].flatMap((names) => {
    const name = `\`?(?:${names.join('|')})\`?`;
    const lists = [
      ...prose.matchAll(new RegExp(`(?<![\\w/-])${name}(?:,? (?:and |or )?${name}|, +${name}| +${name}){2,}`, 'g')),
    ];
    return lists.map(([list]) => list).filter((list) => !names.every((each) => list.includes(each)));
  });
  expect(partial.filter((list) => !PARTIAL[page]?.includes(list.replaceAll('`', '')))).toEqual([]);
});
