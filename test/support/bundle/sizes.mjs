/**
 * Bundles each program of the JSON array in the first argument for a browser, as a user of the package would, and prints the
 * size of each in bytes: minified and compressed by gzip, without what is loaded only when it is needed. A process of its own,
 * since esbuild does not run in a Jest worker.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

async function sizeOf(contents) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    outdir: 'bundle',
    metafile: true,
    minify: true,
    format: 'esm',
    legalComments: 'none',
    write: false,
  });
  const loaded = new Set();
  const load = (path) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: next, kind } of metafile.outputs[path].imports) if (kind === 'import-statement') load(next);
  };
  load(Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === '<stdin>'));
  const files = outputFiles.filter(({ path }) => loaded.has(path.slice(root.length + 1)));
  return files.reduce((sum, { contents: code }) => sum + gzipSync(code).length, 0);
}

console.log(JSON.stringify(await Promise.all(JSON.parse(process.argv[2]).map(sizeOf))));
