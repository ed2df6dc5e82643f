/*
 * `npm run models`: the rows of the profile tables with the ages of their sources, and what speaks against them. Bundled first, since the
 * tables are TypeScript.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(root, '.models-'));
try {
  const outfile = join(folder, 'print.mjs');
  await build({
    entryPoints: [join(root, 'test/support/models/print.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  const { printed } = await import(pathToFileURL(outfile).href);
  console.log(printed(root, new Date().toISOString().slice(0, 10)));
} finally {
  rmSync(folder, { recursive: true });
}
