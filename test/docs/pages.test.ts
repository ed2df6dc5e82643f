import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { INTERNALS, type Path, START, WAYS } from '../../site/navigation.js';
import { anchorOf, fileOfLink, linkOfSite, markdownBelow, pages, pictureOfSite, ROOT } from '../../site/pages.js';

/** The pages that people read, on GitHub and on the site that `npm run site` builds of them. */

const site = pages();
const files = [...site.keys(), ...markdownBelow('test').filter((file) => !/\/(?:cases|recordings)\//.test(file))];
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** A page without its code, which shows what looks like links. */
const prose = (file: string): string =>
  read(file)
    .replace(/^ *(```+)[\s\S]*?^ *\1$/gm, '')
    .replace(/(`+)[\s\S]*?\1/g, '``');

const anchors = new Map<string, Set<string>>();
function anchorsOf(file: string): Set<string> {
  const known = anchors.get(file) ?? new Set<string>();
  if (anchors.has(file)) return known;
  anchors.set(file, known);
  for (const [, heading = ''] of read(file)
    .replace(/^ *(```+)[\s\S]*?^ *\1$/gm, '')
    .matchAll(/^#+ (.+)$/gm)) {
    const anchor = anchorOf(heading.replace(/`|\[([^\]]*)\]\([^)]*\)/g, '$1'));
    let name = anchor;
    for (let again = 1; known.has(name); again += 1) name = `${anchor}-${again}`;
    known.add(name);
  }
  return known;
}

/** What is wrong with a link of a file; undefined where it leads to a file, and its anchor to a heading. */
function fault(from: string, href: string): string | undefined {
  const named = fileOfLink(from, href);
  if (named === undefined) return undefined;
  if (!existsSync(join(ROOT, named.file))) return `${from}: ${href} leads to no file`;
  if (named.anchor === '' || !named.file.endsWith('.md')) return undefined;
  return anchorsOf(named.file).has(named.anchor) ? undefined : `${from}: ${href} leads to no heading`;
}

test('each link of a page leads to a file of the repository, and its anchor to a heading there', () => {
  const links = [...files, 'llms.txt'].flatMap((file) =>
    [...prose(file).matchAll(/\]\(([^()\s]+(?:\([^)]*\)[^()\s]*)?)\)/g)].map(([, href = '']) => [file, href] as const),
  );
  expect(links.length).toBeGreaterThan(500);
  expect(links.flatMap(([file, href]) => fault(file, href) ?? [])).toEqual([]);
});

test('what is wrong with a link is found', () => {
  expect(fault('docs/library.md', 'absent-page')).toBeDefined();
  expect(fault('docs/library.md', `http.md#${'absent'}`)).toBeDefined();
  expect(fault('docs/library.md', '#sizes')).toBeUndefined();
  expect(fault('README.md', 'https://github.com/interlingua/interlingua/blob/main/docs/absent-page')).toBeDefined();
});

describe('the site', () => {
  const listed = (paths: readonly Path[]): string[] =>
    paths.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages.map(([, file]) => file)));

  test('lists each page for users once, and each internal page but the decisions', () => {
    // Examples are listed by their folders.
    const forUsers = [...site.keys()].filter(
      (file) => !file.includes('internals/') && !/^(?:CONTRIBUTING|site\/|examples\/)/.test(file),
    );
    expect(listed([START, ...WAYS]).sort()).toEqual(forUsers.sort());
    const internal = [...site.keys()].filter((file) => /^docs\/internals\/(?!decisions)|^CONTRIBUTING/.test(file));
    expect(listed([INTERNALS]).sort()).toEqual(internal.sort());
  });

  test('has the pictures of the pages, however a page names them', () => {
    const address = 'https://github.com/interlingua/interlingua/raw/main/docs/images/report.png';
    expect(pictureOfSite('README.md', address)).toBe('/images/report.png');
    expect(pictureOfSite('docs/concepts.md', 'images/exchange.svg')).toBe('/images/exchange.svg');
    expect(pictureOfSite('docs/concepts.md', 'https://example.com/a.png')).toBe('https://example.com/a.png');
    expect(fault('README.md', address.replace('report', 'absent'))).toBeDefined();
  });

  test('has links between its pages, and links to the repository for what it does not have', () => {
    expect(linkOfSite('docs/library.md', 'http.md#losses', site)).toBe('/http.md#losses');
    expect(linkOfSite('docs/library.md', '../README.md', site)).toBe('/start.md');
    expect(linkOfSite('docs/library.md', '#sizes', site)).toBe('#sizes');
    expect(linkOfSite('docs/contract.md', 'https://example.com/a', site)).toBe('https://example.com/a');
    const blob = 'https://github.com/interlingua/interlingua/blob/main/';
    expect(linkOfSite('README.md', `${blob}docs/internals/architecture.md`, site)).toBe('/internals/architecture.md');
    expect(linkOfSite('README.md', 'test/hard-cases.md', site)).toBe(`${blob}test/hard-cases.md`);
  });
});

/** Which test runs or checks the blocks of a page, by their language. A block without a language shows what is printed. */
const CHECKED: readonly (readonly [pages: RegExp, languages: Readonly<Record<string, string>>])[] = [
  [
    /^docs\/guides\//,
    { js: 'test/docs/guides.long.ts', yaml: 'test/docs/guides.long.ts', sh: 'test/docs/guides.long.ts' },
  ],
  [
    /^docs\/migration\//,
    { js: 'test/migrate/guides.test.ts', yaml: 'test/migrate/guides.test.ts', sh: 'test/migrate/guides.test.ts' },
  ],
  [/^docs\/hosts\.md$/, { sh: 'test/hosts/stage.ts', yaml: 'test/hosts/stage.ts' }],
  [
    /^docs\/agents\.md$/,
    { bash: 'test/launch/recipes.test.ts', json: 'test/launch/recipes.test.ts', yml: 'test/launch/recipes.test.ts' },
  ],
  [/^SECURITY\.md$/, { sh: 'test/package/security.test.ts' }],
  [/^docs\/http\.md$/, { json: 'test/readme.test.ts' }],
  [
    /^(?:README|docs\/[\w-]+)\.md$/,
    { js: 'test/readme.test.ts', yaml: 'test/readme.test.ts', sh: 'test/readme.test.ts' },
  ],
];

test('each block of code of a page for users is run or checked by a test', () => {
  const unchecked = [...site.keys()]
    .filter((file) => !/internals|CONTRIBUTING|^examples|^site/.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(/^ *```(\w+)$/gm)].flatMap(([, language = '']) => {
        const by = CHECKED.find(([pages, languages]) => pages.test(file) && Object.hasOwn(languages, language));
        const name = by?.[1][language];
        const checks = name !== undefined && existsSync(join(ROOT, name)) && covers(name, file);
        return checks ? [] : [`${file}: ${language}`];
      }),
    );
  expect([...new Set(unchecked)]).toEqual([]);
});

/** Whether a test names the page, or its folder below `docs/`. */
function covers(name: string, file: string): boolean {
  const folder = file.match(/^docs\/\w+\//)?.[0].slice(0, -1);
  return [file, folder].some((path) => path !== undefined && read(name).includes(path));
}
