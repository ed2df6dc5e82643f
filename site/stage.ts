import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pages, ROOT } from './pages.js';

/** Where VitePress reads the pages: copies that a build makes anew and git does not keep. */
export const STAGE = join(ROOT, 'site', '.stage');

/** The page that translates, as `npm run build` makes it; on the site it is the folder `try`. */
const PAGE = 'dist/page';

/** Whether the site has the page that translates. */
export const hasPage = existsSync(join(ROOT, PAGE, 'index.html'));

/** Copies every page to its place in the site, with the pictures of `docs/`, and the page that translates where it was built. */
export function stage(): void {
  rmSync(STAGE, { recursive: true, force: true });
  for (const [file, path] of pages()) copy(file, path);
  copy('docs/images', 'public/images');
  if (!hasPage) return;
  copy(PAGE, 'public/try');
  // It lies on a server of files, and has no gateway to ask.
  const index = join(STAGE, 'public/try/index.html');
  const alone = '<meta name="interlingua-gateway" content="none">';
  writeFileSync(index, readFileSync(index, 'utf8').replace('<head>', `<head>\n    ${alone}`));
}

function copy(file: string, path: string): void {
  const to = join(STAGE, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(ROOT, file), to, { recursive: true });
}
