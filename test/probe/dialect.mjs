/**
 * Shows what a new dialect changes of what is there. The messages dialect is copied to the id `probe` in a temporary
 * worktree of HEAD, with its records, and registered by inserted lines; then the types, the architecture test and the laws
 * of its pairs have to hold. The last line of the output says how many existing files it took. Exits with 0 when they are
 * at most `MOST_FILES`, no line was removed and every step held; with 1 otherwise.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const MOST_FILES = 7;

const ROOT = join(import.meta.dirname, '..', '..');

/** The recorded exchanges that the project itself reads, by which name ever. */
const NAMED = process.env.INTERLINGUA_CORPUS ?? join('..', 'shared', 'corpus');
const RECORDINGS = ['', 'none'].includes(NAMED) ? NAMED : resolve(ROOT, NAMED);

/** The files that are copied under the new name, with every text in them that names the dialect itself. */
const COPIES = [
  {
    from: 'translators/messages/index.ts',
    to: 'translators/probe/index.ts',
    renamed: [['export const messages:', 'export const probe:']],
  },
  {
    from: 'translators/messages/nodes.ts',
    to: 'translators/probe/nodes.ts',
    renamed: [["export const DIALECT = 'messages'", "export const DIALECT = 'probe'"]],
  },
  {
    from: 'src/dialects/messages.ts',
    to: 'src/dialects/probe.ts',
    renamed: [['export const messages:', 'export const probe:']],
  },
  {
    from: 'src/probe/speech/messages.ts',
    to: 'src/probe/speech/probe.ts',
    renamed: [
      ['export const messages:', 'export const probe:'],
      ["dialect: 'messages'", "dialect: 'probe'"],
    ],
  },
  {
    from: 'src/simulator/messages.ts',
    to: 'src/simulator/probe.ts',
    renamed: [
      ['createMessagesService', 'createProbeService'],
      ["createSignedState('messages')", "createSignedState('probe')"],
    ],
  },
  {
    from: 'test/support/dialects/messages.ts',
    to: 'test/support/dialects/probe.ts',
    renamed: [['export const messages =', 'export const probe =']],
  },
  {
    from: 'test/laws/dialects/messages.ts',
    to: 'test/laws/dialects/probe.ts',
    renamed: [
      ['export const messages:', 'export const probe:'],
      ["const ID = 'messages'", "const ID = 'probe'"],
      ['translators/messages/', 'translators/probe/'],
    ],
  },
];

/** The tables of dialects: the import that each gets, and the member. */
const TABLES = [
  { path: 'translators/dialects.ts', imported: "import { probe } from './probe/index.js';", member: 'probe,' },
  { path: 'src/dialects/index.ts', imported: "import { probe } from './probe.js';", member: 'probe,' },
  { path: 'src/probe/speech/index.ts', imported: "import { probe } from './probe.js';", member: 'probe,' },
  {
    path: 'src/simulator/services.ts',
    imported: "import { createProbeService } from './probe.js';",
    member: 'probe: createProbeService(),',
  },
  // A copy is judged by the rules of what it was copied from.
  {
    path: 'src/simulator/rules/refusals.ts',
    imported: "import { messages as probe } from './messages/service.js';",
    member: 'probe,',
  },
  { path: 'test/support/dialects/index.ts', imported: "import { probe } from './probe.js';", member: 'probe,' },
  { path: 'test/laws/dialects/index.ts', imported: "import { probe } from './probe.js';", member: 'probe,' },
];

const JEST = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--cacheDirectory=../jest',
];

/** What has to hold with the dialect registered. */
const STEPS = [
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit'] },
  { name: 'architecture', args: [...JEST, 'test/architecture.test'] },
  {
    name: 'laws',
    // A gateway serves a dialect by its routes, which come last; schemas are tried on ways that name their dialects.
    args: [...JEST, 'test/laws', '--testPathIgnorePatterns', '/node_modules/', '/laws/(gateway|schema)/'],
    // A copy has the wire of what it was copied from.
    env: { LAW_DIALECT: 'probe', LAW_WITHOUT: 'messages' },
  },
];

/** Runs a program to its end. Throws with its whole output where it fails. */
function run(command, args, { cwd = ROOT, env = {} } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, INTERLINGUA_CORPUS: RECORDINGS, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${stdout}${stderr}\n${command} ${args.join(' ')} failed`);
  return stdout;
}

/** Checks out HEAD below `folder`, with the packages of the project. */
function checkOut(folder) {
  const project = join(folder, 'project');
  run('git', ['worktree', 'add', '--quiet', '--detach', project, 'HEAD']);
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'dir');
  return project;
}

/** Writes the folder and the records of the new dialect. */
function copy(project) {
  cpSync(join(project, 'translators/messages'), join(project, 'translators/probe'), { recursive: true });
  for (const { from, to, renamed } of COPIES) {
    let text = readFileSync(join(project, from), 'utf8');
    for (const [old, name] of renamed) {
      if (!text.includes(old)) throw new Error(`${from} does not hold: ${old}`);
      text = text.replaceAll(old, name);
    }
    writeFileSync(join(project, to), text);
  }
}

/** Inserts the lines that register it: the import at the top of each table, the member behind the last one. */
function register(project) {
  for (const { path, imported, member } of TABLES) {
    const lines = readFileSync(join(project, path), 'utf8').split('\n');
    const place = lines.findIndex((line) => /^\s+messages\b/.test(line));
    const end = lines.findIndex((line, index) => index > place && /^\s*\}/.test(line));
    if (place < 0 || end < 0) throw new Error(`${path} has no table with one member a line`);
    lines.splice(end, 0, `  ${member}`);
    lines.unshift(imported);
    writeFileSync(join(project, path), lines.join('\n'));
  }
}

/** How many files of HEAD differ, and how many of their lines are gone. */
function changes(project) {
  const lines = run('git', ['diff', '--numstat', 'HEAD'], { cwd: project }).split('\n').filter(Boolean);
  const removed = lines.map((line) => Number(line.split('\t')[1]));
  return { files: lines.length, removed: removed.reduce((sum, count) => sum + count, 0) };
}

/** Does all of it below `folder`; whether the result is as it should be. */
function probe(folder) {
  const project = checkOut(folder);
  copy(project);
  register(project);
  for (const { name, args, env } of STEPS) {
    const started = performance.now();
    run(process.execPath, args, { cwd: project, env });
    console.log(`${name}: ${Math.round((performance.now() - started) / 1000)} s`);
  }
  const { files, removed } = changes(project);
  console.log(`existing files changed: ${files}, lines removed: ${removed}`);
  return files <= MOST_FILES && removed === 0;
}

// Whoever interrupts the program ends the step that runs; the worktree is removed all the same.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => {});

const folder = mkdtempSync(join(tmpdir(), 'dialect-'));
try {
  if (!probe(folder)) process.exitCode = 1;
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
} finally {
  spawnSync('git', ['worktree', 'remove', '--force', join(folder, 'project')], { cwd: ROOT });
  rmSync(folder, { recursive: true, force: true });
}
