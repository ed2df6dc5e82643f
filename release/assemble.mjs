/**
 * `npm run release -- FOLDER [TAG]` builds, and this writes what a release has into a folder: the packed package, its bill of materials,
 * the notes of the version and the checksums. With a tag it refuses what is not the version of the package, and notes that are still
 * under "Unreleased".
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { notesOf, UNRELEASED, versionNames, withAddress } from './changelog.mjs';
import { sbomOf } from './sbom.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [folder, tag] = process.argv.slice(2);

/** Why a tag does not fit what is here, or undefined. */
function misfit(version, changelog) {
  if (tag === undefined) return undefined;
  if (tag !== `v${version}`) return `the tag ${tag} is not the version of package.json: v${version}`;
  const text = changelog.split(/^## /m).find((part) => part.startsWith(UNRELEASED)) ?? '';
  return text.slice(UNRELEASED.length).trim() === ''
    ? undefined
    : `CHANGELOG.md has lines under "${UNRELEASED}": npm run version`;
}

const { name, version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const problem = folder === undefined ? 'npm run release -- FOLDER [TAG]' : misfit(version, changelog);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
if (!versionNames(changelog).includes(version)) throw new Error(`CHANGELOG.md has no version ${version}`);

const place = resolve(folder);
mkdirSync(place, { recursive: true });
execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', place], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
writeFileSync(join(place, `${name}-${version}.cdx.json`), `${JSON.stringify(sbomOf(root), null, 2)}\n`);
const files = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${version}/`;
writeFileSync(join(place, 'notes.txt'), withAddress(notesOf(changelog, version), files));
const summed = [`${name}-${version}.tgz`, `${name}-${version}.cdx.json`];
const sum = (file) =>
  createHash('sha256')
    .update(readFileSync(join(place, file)))
    .digest('hex');
writeFileSync(join(place, 'SHA256SUMS'), summed.map((file) => `${sum(file)}  ${file}\n`).join(''));
