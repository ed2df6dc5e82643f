/**
 * Writes the types of the package to `dist`, beside the JavaScript: those that the exports of the package reach. `tsc` writes a file
 * for each module, and three fifths of them are of parts that no user can import.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const all = mkdtempSync(join(tmpdir(), 'interlingua-types-'));

/** Copies a file of types, and what it imports. */
function take(file, taken) {
  if (taken.has(file)) return;
  taken.add(file);
  const written = join(root, 'dist', file);
  mkdirSync(dirname(written), { recursive: true });
  copyFileSync(join(all, file), written);
  const text = readFileSync(written, 'utf8');
  for (const [, target] of text.matchAll(/\b(?:from|import)\b\s*\(?\s*['"](\.[^'"]+)\.js['"]/g)) {
    take(join(dirname(file), `${target}.d.ts`), taken);
  }
}

try {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = [tsc, '-p', 'tsconfig.build.json', '--outDir', all];
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
  else {
    const taken = new Set();
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const { types } of Object.values(exports)) if (types !== undefined) take(types.replace('./dist/', ''), taken);
  }
} finally {
  rmSync(all, { recursive: true, force: true });
}
