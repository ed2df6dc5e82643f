/**
 * `npm version NUMBER` runs this before its commit: what is under "Unreleased" in CHANGELOG.md becomes the notes of the version, and the
 * places that name the version follow package.json. It may run again: `npm run version`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fold } from './changelog.mjs';
import { PLACES } from './facts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Writes what a function makes of a file. */
function change(file, made) {
  writeFileSync(join(root, file), made(readFileSync(join(root, file), 'utf8')));
}

change('CHANGELOG.md', (text) => fold(text, version));
for (const { file, pattern } of PLACES)
  change(file, (text) => text.replace(pattern, (_all, before) => `${before}${version}`));
execFileSync('git', ['add', 'CHANGELOG.md', ...PLACES.map(({ file }) => file)], { cwd: root });
