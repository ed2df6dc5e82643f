import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package: the nearest one above this file with a package.json, also where this file was compiled. */
export const PACKAGE_ROOT = folderAbove(dirname(fileURLToPath(import.meta.url)));

function folderAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : folderAbove(dirname(folder));
}
