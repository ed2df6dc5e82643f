import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { entries, writeApi } from '../api.js';
import { INTERNALS, type Path, START, WAYS } from '../navigation.js';
import { anchorOf, linkOfSite, pages, pictureOfSite, REPOSITORY, ROOT } from '../pages.js';
import { hasPage, STAGE, stage } from '../stage.js';

stage();
await writeApi(join(STAGE, 'api'));

const known = pages();
const fileOf = new Map([...known].map(([file, path]) => [path, file]));

/** A link of the site to a page, without ending. */
const link = (file: string): string => `/${known.get(file)?.replace(/(index)?\.md$/, '')}`;

const sidebarOf = ({ groups }: Path): DefaultTheme.SidebarItem[] =>
  groups.map(({ text, collapsed, pages }) => ({
    text,
    ...(collapsed !== undefined && { collapsed }),
    items: pages.filter(([, file]) => known.has(file)).map(([text, file]) => ({ text, link: link(file) })),
  }));

const api: DefaultTheme.SidebarItem = {
  text: 'API reference',
  collapsed: true,
  items: [
    { text: 'All entries', link: '/api/' },
    ...entries().map(({ name }) => ({ text: name, link: `/api/${name}` })),
  ],
};
/** A closed list of all pages of a folder, by their titles. */
const folder = (text: string, path: string): DefaultTheme.SidebarItem => ({
  text,
  collapsed: true,
  items: [...known.keys()]
    .filter((file) => file.startsWith(path))
    .sort()
    .map((file) => ({ text: titleOf(file), link: link(file) })),
});
const everything = [...sidebarOf(START), ...WAYS.flatMap(sidebarOf), folder('Examples', 'examples/'), api];

function titleOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').match(/^# (.+)$/m)?.[1] ?? file;
}

const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22%3E%3Cpath d=%22M2 5h9M8 2l3 3-3 3M14 11H5M8 8l-3 3 3 3%22 fill=%22none%22 stroke=%22%235672cd%22 stroke-width=%222%22/%3E%3C/svg%3E';

export default defineConfig({
  title: 'interlingua',
  description:
    'Any SDK or agent over any language model: a translator between four wire dialects, as a library and as a gateway.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: ICON }]],
  base: process.env.SITE_BASE ?? '/',
  srcDir: '.stage',
  outDir: 'dist',
  cleanUrls: true,
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      md.core.ruler.push('pages-of-the-repository', ({ tokens, env }) => {
        const from = fileOf.get(env.relativePath as string);
        if (from === undefined) return;
        for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
          const href = token.attrGet('href');
          const src = token.attrGet('src');
          if (href !== null) token.attrSet('href', linkOfSite(from, href, known));
          if (src !== null) token.attrSet('src', pictureOfSite(from, src));
          // A page is text: what looks like an element is a value that it shows. Marks of generated parts stay out of sight.
          if (token.type === 'html_inline' && !token.content.startsWith('<!--')) token.type = 'text';
        }
      });
    },
  },
  transformPageData: (page) => {
    const file = fileOf.get(page.relativePath);
    if (file === undefined) page.frontmatter.editLink = false;
    else page.filePath = file;
  },
  themeConfig: {
    nav: [
      { text: 'Concepts', link: link('docs/concepts.md') },
      ...WAYS.map((way) => ({ text: way.text, link: link(way.groups[0]?.pages[0]?.[1] ?? '') })),
      // By itself: no page of VitePress, which would look for one.
      ...(hasPage ? [{ text: 'Try it', link: '/try/', target: '_self' }] : []),
      { text: 'API', link: '/api/' },
      { text: 'Internals', link: link('docs/internals/architecture.md') },
    ],
    sidebar: {
      '/internals/': [...sidebarOf(INTERNALS), folder('Decisions', 'docs/internals/decisions/')],
      '/': everything,
    },
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // Pages of which there are many, and those that few need, come after the others.
        miniSearch: {
          searchOptions: { boostDocument: (id: string) => (/\/(?:internals|migration|api)\//.test(id) ? 0.4 : 1) },
        },
      },
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/blob/main/:path`, text: 'This page in the repository' },
    footer: { message: 'MIT licence' },
  },
});
