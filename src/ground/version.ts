import { readFileSync } from 'node:fs';

/** The version of this package. */
export const VERSION: string = readVersion();

/** The package file stands next to the sources, and one folder higher next to the compiled ones. */
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
