// `npm run bench:peers`: installs the programs of others that the bench measures beside ours, each where its package client is.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname;
/** Nothing of Python is installed below `test/`, which Jest and TypeScript walk through. */
const PYTHON = join(HERE, '..', '..', '..', '.clients', 'peers');

/** Runs a command with its output; true where it succeeded. */
function run(command, ...words) {
  return spawnSync(command, words, { cwd: HERE, stdio: 'inherit' }).status === 0;
}

mkdirSync(PYTHON, { recursive: true });
const ofNode = run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
const ofPython =
  run('python3', '-m', 'venv', PYTHON) &&
  run(
    join(PYTHON, 'bin', 'pip'),
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '-r',
    'requirements.txt',
    '-c',
    'constraints.txt',
  );
if (!ofNode) console.log('The peers of npm cannot be installed here; the bench leaves them out');
if (!ofPython) console.log('The peers of Python cannot be installed here; the bench leaves them out');
