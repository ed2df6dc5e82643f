/**
 * Builds the package for `npm pack` and `npm publish`, also in a clone in which nothing is installed. Where scripts are
 * switched off npm does not run this: `npm run pack` builds and packs there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `npm pack --dry-run` tells the commands within it to change nothing either.
const IN_EARNEST = ['--no-dry-run'];

const root = dirname(fileURLToPath(import.meta.url));

/** Runs npm; what it prints goes to standard error, since `npm pack` prints the name of its file. */
function npm(...args) {
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(root, 'node_modules', 'esbuild'))) npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', ...IN_EARNEST);
npm('run', '--silent', 'build');
