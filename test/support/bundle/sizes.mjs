/**
 * Bundles each program of the JSON array in the first argument for a browser, as a user of the package would, and prints the
 * size of each in bytes: minified and compressed by gzip, all in one file, which is what bundlers make unless told otherwise. A
 * process of its own, since esbuild does not run in a Jest worker.
 */
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

const programs = JSON.parse(process.argv[2]);

/** The programs as files that stand in the root of the package. */
const given = {
  name: 'given',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^program:/ }, ({ path }) => ({ path, namespace: 'given' }));
    onLoad({ filter: /./, namespace: 'given' }, ({ path }) => ({
      contents: programs[path.slice('program:'.length)],
      resolveDir: root,
    }));
  },
};

// In one run, which reads each file once: without `splitting` no bundle shares anything with another.
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: programs.map((_code, index) => ({ in: `program:${index}`, out: String(index) })),
  plugins: [given],
  bundle: true,
  outdir: 'bundles',
  minify: true,
  format: 'esm',
  legalComments: 'none',
  write: false,
});
const sizes = programs.map((_code, index) => {
  const bundle = outputFiles.find(({ path }) => path.endsWith(`${sep}${index}.js`));
  return gzipSync(bundle.contents).length;
});
console.log(JSON.stringify(sizes));
