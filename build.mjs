/**
 * Writes the JavaScript of the package to `dist`; `tsc` writes the types beside it.
 *
 * The programs and the library as Node.js loads it are put into few files: reading hundreds of them is most of a start (docs/
 * decisions/0010-few-files.md). For bundlers, which leave out what is not used, the library is there file by file as well.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));

/** Packages of which so little is used that this little is put into our files; all others are loaded from where they are. */
const INLINED = ['cockatiel', 'zod', 'zod-to-json-schema'];

const shared = { absWorkingDir: root, outdir: 'dist', format: 'esm', target: 'node20', logLevel: 'warning' };

/** Leaves every import of a package to Node.js, but for those of the inlined ones. */
const packages = {
  name: 'packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ kind, path }) => {
      if (kind === 'entry-point' || INLINED.some((name) => path === name || path.startsWith(`${name}/`))) return undefined;
      return { path, external: true };
    });
  },
};

rmSync(join(root, 'dist'), { recursive: true, force: true });
await build({ ...shared, entryPoints: ['translators/**/*.ts'], outbase: '.' });
await build({
  ...shared,
  entryPoints: {
    'src/cli': 'src/cli.ts',
    'src/cli/run': 'src/cli/run.ts',
    'src/index': 'src/index.ts',
    'src/offload/thread': 'src/offload/thread.ts',
    'src/store/lmdb-probe': 'src/store/lmdb-probe.ts',
    'translators/node/index': 'translators/index.ts',
    'translators/node/core': 'translators/core.ts',
    'translators/node/zod': 'translators/zod.ts',
    'translators/node/messages': 'translators/messages/parts.ts',
    'translators/node/responses': 'translators/responses/parts.ts',
    'translators/node/generate-content': 'translators/generate-content/parts.ts',
    'translators/node/chat-completions': 'translators/chat-completions/parts.ts',
  },
  chunkNames: 'src/chunks/[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  plugins: [packages],
});

const licences = INLINED.map((name) => `${name}\n\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')}`);
writeFileSync(join(root, 'dist', 'LICENCES.txt'), licences.join('\n\n'));
