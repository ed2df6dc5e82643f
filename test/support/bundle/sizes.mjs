/**
 * Bundles each program of the JSON array in the first argument for a browser, as a user of the package would, and prints the
 * size of each in bytes: minified and compressed by gzip, all in one file, which is what bundlers make unless told otherwise. A
 * process of its own, since esbuild does not run in a Jest worker.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

async function sizeOf(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    outfile: 'bundle.js',
    minify: true,
    format: 'esm',
    legalComments: 'none',
    write: false,
  });
  return outputFiles.reduce((sum, { contents: code }) => sum + gzipSync(code).length, 0);
}

console.log(JSON.stringify(await Promise.all(JSON.parse(process.argv[2]).map(sizeOf))));
