import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The pages of the site: files of the repository, each under a path of the site, and how links between them are written. */

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const REPOSITORY = 'https://github.com/interlingua/interlingua';
const FILES_OF_REPOSITORY = new RegExp(`^${REPOSITORY}/(?:blob|tree|raw)/main/`);

/** Pages outside `docs/`, and where the site has them. */
const BESIDE_DOCS: Readonly<Record<string, string>> = {
  'README.md': 'start.md',
  'SECURITY.md': 'security.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'internals/contributing.md',
  'site/home.md': 'index.md',
};

/** The files that are pages, by their path in the repository, with the path of each in the site. */
export function pages(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of markdownBelow('docs')) found.set(file, file.slice('docs/'.length));
  for (const file of markdownBelow('examples')) found.set(file, file.replace(/README\.md$/, 'index.md'));
  for (const [file, path] of Object.entries(BESIDE_DOCS)) if (existsSync(join(ROOT, file))) found.set(file, path);
  return found;
}

/** The markdown files of a folder of the repository, installed packages left out. */
export function markdownBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : markdownBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** The anchor of a heading, as GitHub makes it and the site after it. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** A link as it is written in a file of the repository: the file that it names, and the anchor in it. Undefined for other sites. */
export function fileOfLink(from: string, href: string): { file: string; anchor: string } | undefined {
  const [target = '', anchor = ''] = href.replace(FILES_OF_REPOSITORY, '/').split('#');
  if (/^[a-z]+:/i.test(target)) return undefined;
  if (target === '') return { file: from, anchor };
  const path = target.startsWith('/') ? target.slice(1) : join(dirname(from), target);
  return { file: normalize(decodeURI(path)).replace(/\/$/, ''), anchor };
}

/** A link of a file as the site writes it: to a page of the site, else to the file in the repository. */
export function linkOfSite(from: string, href: string, known: ReadonlyMap<string, string>): string {
  const named = fileOfLink(from, href);
  if (named === undefined || href.startsWith('#')) return href;
  const { file, anchor } = named;
  const hash = anchor && `#${anchor}`;
  const page = known.get(file) ?? known.get(`${file}/README.md`);
  if (page !== undefined) return `/${page}${hash}`;
  const path = join(ROOT, file);
  if (!existsSync(path)) return href;
  return `${REPOSITORY}/${statSync(path).isDirectory() ? 'tree' : 'blob'}/main/${relative(ROOT, path)}${hash}`;
}

/** A picture of a page as the site writes it: each of `docs/images/`, which pages name by its address where the package leaves it out. */
export function pictureOfSite(from: string, src: string): string {
  const named = fileOfLink(from, src);
  return named === undefined ? src : `/${relative('docs', named.file)}`;
}
