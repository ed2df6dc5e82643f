import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from './plain/index.js';

interface Package {
  readonly folder: string;
  readonly version: string;
}

/** This package: the first of its name in the folders above this file. There is none where it was put into another program. */
const found = findPackage(dirname(fileURLToPath(import.meta.url)));

function findPackage(folder: string): Package | undefined {
  const file = readPackage(join(folder, 'package.json'));
  if (file?.name === 'interlingua') return { folder, version: String(file.version) };
  const parent = dirname(folder);
  return parent === folder ? undefined : findPackage(parent);
}

function readPackage(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The version of this package. */
export const VERSION = found?.version ?? '0.0.0';

/** Where the build puts the files of the page; they need not be there. */
export function pageFolder(): string {
  return join(found?.folder ?? '', 'dist', 'page');
}

/** Where the build puts a program of its own, such as `offload/thread.js`; the file need not be there. */
export function programPath(name: string): string {
  return join(found?.folder ?? '', 'dist', 'src', name);
}
