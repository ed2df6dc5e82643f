import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pages, ROOT } from './pages.js';

/** Where VitePress reads the pages: copies that a build makes anew and git does not keep. */
export const STAGE = join(ROOT, 'site', '.stage');

/** Copies every page to its place in the site, with the pictures of `docs/`, and the page for translations where it was built. */
export function stage(): void {
  rmSync(STAGE, { recursive: true, force: true });
  for (const [file, path] of pages()) copy(file, path);
  copy('docs/images', 'public/images');
}

function copy(file: string, path: string): void {
  const to = join(STAGE, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(ROOT, file), to, { recursive: true });
}
