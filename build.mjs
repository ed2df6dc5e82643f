/**
 * Writes the JavaScript of the package to `dist`; `tsc` writes the types beside it.
 *
 * The programs and the library as Node.js loads it are put into few files: reading hundreds of them is most of a start (docs/
 * decisions/0010-few-files.md). For bundlers, which leave out what is not used, the library is there file by file as well.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { base, simple } from 'acorn-walk';
import { build } from 'esbuild';
import { writeVendored } from './build-vendored.mjs';

const root = dirname(fileURLToPath(import.meta.url));

/**
 * Packages that are put into our files with what they need: of each little is used, or it would bring much that Node.js has by
 * now. All others are loaded from where they are.
 */
const INLINED = ['cockatiel', 'gpt-tokenizer', 'node-fetch', 'pino', 'prom-client', 'zod', 'zod-to-json-schema'];

/** What an inlined package asks for on runtimes older than ours alone. */
const NEVER = /^web-streams-polyfill\//;

const shared = { absWorkingDir: root, outdir: 'dist', format: 'esm', target: 'node20', logLevel: 'warning' };

/** What is printed otherwise than it is written, because of what reads it: V8, and bundlers. */
const printing = {
  name: 'printing',
  setup({ initialOptions, onEnd }) {
    initialOptions.write = false;
    onEnd(({ outputFiles }) => {
      for (const { path, text } of outputFiles) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, withMarks(text));
      }
    });
  },
};

function withMarks(text) {
  const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  const marks = new Map([...copies(program), ...tables(program)]);
  let written = '';
  let from = 0;
  for (const [place, mark] of [...marks].sort(([a], [b]) => a - b)) {
    written += text.slice(from, place) + mark;
    from = place;
  }
  return written + text.slice(from);
}

/**
 * Prints `{ ...node, id }` as `{ ...null, ...node, id }`, which means the same. V8 11 (Node.js 20) copies the shape of what is spread
 * first, and gives every such object a shape of its own when it then gets a new property: what reads it never becomes fast
 * (docs/internals/decisions/0014-shapes-of-copies.md).
 */
function copies(program) {
  const marks = [];
  simple(program, {
    ObjectExpression({ properties: [first, ...others] }) {
      if (first?.type === 'SpreadElement' && others.length > 0) marks.push([first.start, '...null, ']);
    },
  });
  return marks;
}

/**
 * Says of the calls outside of functions, which make schemas and tables, that nobody needs them but for their result. Bundlers cannot
 * know, and would keep those of answers for programs that translate requests alone (docs/internals/decisions/0010-few-files.md).
 */
function tables({ body }) {
  const marks = [];
  const outside = { ...base, Function: () => {} };
  for (const statement of body) {
    const made = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (made?.type !== 'VariableDeclaration') continue;
    const mark = ({ start }) => marks.push([start, '/* @__PURE__ */ ']);
    simple(made, { CallExpression: mark, NewExpression: mark }, outside);
  }
  return marks;
}

/**
 * Leaves imports of packages to Node.js, but for those of the inlined ones. What these `require` of Node.js itself is asked of the
 * process, because our files are ES modules, which have no `require`.
 */
const packages = {
  name: 'packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^.]/ }, ({ kind, importer, path }) => {
      const inlined = INLINED.some((name) => path === name || path.startsWith(`${name}/`));
      const within = importer.includes('/node_modules/') && !NEVER.test(path);
      if (within && kind === 'require-call' && isBuiltin(path)) return { path, namespace: 'builtin' };
      return kind === 'entry-point' || inlined || within ? undefined : { path, external: true };
    });
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

const ZOD = 'translators/node/zod.cjs';

/**
 * The converters of Zod's schemas, in a file that Node.js reads with the first such schema: they are a sixth of the library. It is
 * loaded with a `require`, since translations are synchronous.
 */
const later = {
  name: 'later',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/zod\.(?:js|ts)$/ }, ({ kind, importer, path }) => {
      const isConverters = kind === 'entry-point' ? path.endsWith('translators/zod.ts') : path === '../zod.js' && importer.includes('/translators/');
      return isConverters ? { path: 'converters', namespace: 'later' } : undefined;
    });
    // Files of the build lie two folders deep, chunks too.
    onLoad({ filter: /./, namespace: 'later' }, () => ({
      resolveDir: join(root, 'translators'),
      contents: `
        import { isZod3, isZod4 } from './schema/index.js';
        const load = () => process.getBuiltinModule('node:module').createRequire(import.meta.url)('../../${ZOD}').zodSchemas;
        export const zodSchemas = [isZod4, isZod3].map((owns, index) => ({
          owns,
          toJsonSchema: (schema) => load()[index].toJsonSchema(schema),
        }));`,
    }));
  },
};

/** Writes what the exports of a module of data come to, for bundlers: they would keep all that the values are computed of. */
async function writeValues(name) {
  const entryPoints = [`${name}.ts`];
  const { outputFiles } = await build({ ...shared, entryPoints, outdir: undefined, bundle: true, write: false });
  const values = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const lines = Object.entries(values).map(([key, value]) => `export const ${key} = ${literal(value)};\n`);
  writeFileSync(join(root, 'dist', `${name}.js`), lines.join(''));
}

/** Plain data as code. A member that is there without a value stays so, since it hides another one where rows are joined. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join()}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : JSON.stringify(value);
  return `{${Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${literal(inner)}`).join()}}`;
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
const ROOMS = ['ground/plain', 'dialects', 'presets', 'protocol', 'archive', 'call', 'guard', 'web', 'fetch', 'handler'];
const PURE = ['translators/**/*.ts', ...ROOMS.map((room) => `src/${room}/**/*.ts`)];
await build({ ...shared, entryPoints: PURE, outbase: '.', plugins: [printing] });
for (const name of ['hosts/known.data', 'canonical/feature-names.data']) await writeValues(`translators/${name}`);
const { metafile } = await build({
  ...shared,
  metafile: true,
  entryPoints: {
    'src/cli': 'src/cli.ts',
    'src/cli/run': 'src/cli/run.ts',
    'src/health': 'src/cli/health.ts',
    'src/index': 'src/index.ts',
    'src/offload/thread': 'src/offload/thread.ts',
    'src/store/lmdb-probe': 'src/store/lmdb-probe.ts',
    'src/fetch/node': 'src/fetch/index.ts',
    'src/fetch/node/core': 'src/fetch/core.ts',
    'src/fetch/node/messages': 'src/fetch/dialects/messages.ts',
    'src/fetch/node/responses': 'src/fetch/dialects/responses.ts',
    'src/fetch/node/generate-content': 'src/fetch/dialects/generate-content.ts',
    'src/fetch/node/chat-completions': 'src/fetch/dialects/chat-completions.ts',
    'src/handler/node': 'src/handler/index.ts',
    'src/handler/node/core': 'src/handler/core.ts',
    // With what it is made of, for bundlers too.
    'src/protocol/vocabulary': 'src/protocol/vocabulary.ts',
    'translators/node/index': 'translators/public.ts',
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
  plugins: [packages, later, printing],
});
const converters = await build({
  ...shared,
  metafile: true,
  outdir: undefined,
  outfile: `dist/${ZOD}`,
  entryPoints: ['translators/zod.ts'],
  format: 'cjs',
  bundle: true,
  platform: 'node',
  plugins: [packages, printing],
});

/** Schemas of Zod are values of a program: no text that is pasted holds one, and their converters are a tenth of the page. */
const withoutZod = {
  name: 'without-zod',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.\/zod\.js$/ }, ({ importer }) =>
      importer.includes('/translators/api/') ? { path: 'none', namespace: 'without-zod' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'without-zod' }, () => ({ contents: 'export const zodSchemas = [];' }));
  },
};

const page = await build({
  ...shared,
  plugins: [withoutZod],
  outdir: 'dist/page',
  target: 'es2023',
  metafile: true,
  entryPoints: ['main.tsx', 'style.css', 'frame/icon.svg', 'translate/work/worker.ts', 'translate/traffic/traffic-worker.ts'].map((name) => `page/${name}`),
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  loader: { '.svg': 'copy' },
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Zod must not try whether code can be made of text: the page forbids it, and the browser would report the attempt.
  banner: { js: 'globalThis.__zod_globalConfig = { jitless: true };' },
  legalComments: 'none',
  // Tokens are counted by the gateway alone.
  external: ['*/vocabulary.js'],
  bundle: true,
  splitting: true,
  minify: true,
});
/** The files that the page names, by the names of what they are made of. */
const named = Object.entries(page.metafile.outputs).flatMap(([path, { entryPoint, inputs }]) => {
  const source = entryPoint ?? (path.endsWith('.svg') ? Object.keys(inputs)[0] : undefined);
  return source?.startsWith('page/') && !basename(path).startsWith('part-')
    ? [[basename(source).replace(/\.tsx?$/, '.js'), basename(path)]]
    : [];
});
const html = readFileSync(join(root, 'page', 'index.html'), 'utf8');
const linked = named.reduce((text, [name, file]) => text.replaceAll(`"${name}"`, `"./${file}"`), html);
writeFileSync(join(root, 'dist', 'page', 'index.html'), linked);

writeVendored(root, metafile, converters.metafile, page.metafile);
copyFileSync(join(root, 'src/migrate/report.schema.json'), join(root, 'dist/report.schema.json'));
