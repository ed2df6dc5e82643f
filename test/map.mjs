/*
 * `npm run tests:of -- FILE...`: the tests that reach a source file through what they import, the nearest first: by the
 * number of imports between, then by how few files a test reaches. Types are no imports. Tests that run the built program
 * reach nothing by imports: they lie in `test/cli`, `test/app`, `test/launch`, `test/package` and `test/bundle.test.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SHOWN = 15;

/** The files of the product, and those of its tests with what they are made of, by their paths from the root. */
const files = new Set(
  ['src', 'translators', 'page', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter(({ name, parentPath }) => /\.tsx?$/.test(name) && !parentPath.includes('node_modules'))
      .map(({ name, parentPath }) => relative(root, join(parentPath, name))),
  ),
);

const tests = [...files].filter((file) => /\.(test|long)\.ts$/.test(file));

/** What a file loads: every relative path it names that is a module, a worker's too, but for imports of types. */
function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^(import|export) type [^;]*;$/gm, '');
  return [...text.matchAll(/'(\.{1,2}\/[^'\n]+)\.[jt]s'/g)]
    .flatMap(([, path]) => ['.ts', '.tsx'].map((ending) => normalize(join(dirname(file), `${path}${ending}`))))
    .filter((path) => files.has(path));
}

const imports = new Map([...files].map((file) => [file, importsOf(file)]));

/** By file, how many imports lie between a test and it. */
function reachedFrom(test) {
  const steps = new Map([[test, 0]]);
  for (const [file, step] of steps) for (const to of imports.get(file)) if (!steps.has(to)) steps.set(to, step + 1);
  return steps;
}

const reached = new Map(tests.map((test) => [test, reachedFrom(test)]));

/** The tests that reach a file, the nearest first. `file` is a path from the root. */
function testsOf(file) {
  return tests
    .filter((test) => reached.get(test).has(file))
    .map((test) => ({ test, steps: reached.get(test).get(file), reaches: reached.get(test).size }))
    .sort((a, b) => a.steps - b.steps || a.reaches - b.reaches || (a.test < b.test ? -1 : 1));
}

const asked = process.argv.slice(2).filter((word) => word !== '--all');
const most = process.argv.includes('--all') ? Infinity : SHOWN;
if (asked.length === 0) console.error('usage: npm run tests:of -- [--all] FILE...');
for (const path of asked) {
  const file = relative(root, resolve(path));
  if (!files.has(file)) throw new Error(`${path} is not a module of src, translators, page or test`);
  const found = testsOf(file);
  console.log(`${file}: ${found.length} of ${tests.length} tests`);
  for (const { test, steps } of found.slice(0, most)) console.log(`${String(steps).padStart(4)}  ${test}`);
  if (found.length > most) console.log(`      ${found.length - most} more: --all`);
}
