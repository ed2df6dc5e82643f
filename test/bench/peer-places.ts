import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** Where `npm run bench:peers` installs: packages of npm, and an environment of Python. */
const MODULES = join(PACKAGE_ROOT, 'test/bench/peers/node_modules');
const PYTHON = join(PACKAGE_ROOT, '.clients/peers');

/** The path of a file of a package of npm. */
export function moduleFile(name: string, file: string): string {
  return join(MODULES, name, file);
}

/** The version of a package of npm; undefined where it is not installed. */
export function moduleVersion(name: string): string | undefined {
  const file = moduleFile(name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined;
}

/** The path of a command of Python. */
export function pythonCommand(name: string): string {
  return join(PYTHON, 'bin', name);
}

/** The version of a package of Python, by the folder of its metadata; undefined where it is not installed. */
export function pythonVersion(name: string): string | undefined {
  const lib = join(PYTHON, 'lib');
  const folders = existsSync(lib)
    ? readdirSync(lib).flatMap((one) => readdirSync(join(lib, one, 'site-packages')))
    : [];
  return folders.map((folder) => new RegExp(`^${name}-(.+)\\.dist-info$`).exec(folder)?.[1]).find((one) => one);
}
