import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Each link of the built site leads to a page or a file of it, and each anchor to a heading there. Exits with 1 where one does not. */

const DIST = fileURLToPath(new URL('dist/', import.meta.url));
const BASE = process.env.SITE_BASE ?? '/';

const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
const texts = new Map(files.map((file) => [file, readFileSync(join(DIST, file), 'utf8')]));
const anchors = new Map([...texts].map(([file, text]) => [file, new Set(all(text, /\sid="([^"]*)"/g))]));

const dead = [...texts].flatMap(([file, text]) =>
  all(text, /<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)
    .filter((href) => !/^[a-z]+:/i.test(href) && !leads(file, href))
    .map((href) => `${file}: ${href}`),
);
for (const line of new Set(dead)) console.error(`dead link: ${line}`);
if (texts.size === 0) console.error('there is no page');
process.exitCode = dead.length > 0 || texts.size === 0 ? 1 : 0;

/** Whether a link of a page leads somewhere. */
function leads(from, href) {
  const [path = '', anchor = ''] = href.split('#');
  const { pathname } = new URL(path, `http://site${BASE}${from}`);
  if (!pathname.startsWith(BASE)) return false;
  const target = path === '' ? from : pageOf(decodeURI(pathname.slice(BASE.length)));
  if (target === undefined) return false;
  return anchor === '' || anchors.get(target)?.has(decodeURIComponent(anchor)) === true;
}

/** The file behind a path: a page without its ending, a folder, or a file as it is named. */
function pageOf(path) {
  const named = posix.normalize(path || '.').replace(/\/$/, '');
  return [`${named}.html`, posix.join(named, 'index.html'), named].find(
    (file) => texts.has(file) || (file === named && /\.\w+$/.test(file) && existsSync(join(DIST, file))),
  );
}

function all(text, pattern) {
  return [...text.matchAll(pattern)].map(([, found = '']) => found.replaceAll('&amp;', '&'));
}
