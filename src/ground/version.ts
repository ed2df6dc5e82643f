import { readFileSync } from 'node:fs';

/** The version of this package. */
export const VERSION: string = readVersion();

/** The package file is next to the folder of the sources, and one folder above that of the compiled ones. */
function readVersion(): string {
  for (const place of ['../../package.json', '../../../package.json']) {
    try {
      const file: unknown = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'));
      if (typeof file === 'object' && file !== null && 'version' in file) return String(file.version);
    } catch {
      // Not here: the next place is tried.
    }
  }
  return '0.0.0';
}
