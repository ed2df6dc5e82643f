/**
 * Shows what a new field of a request changes. In a temporary worktree of HEAD the member `foo` is added to messages and `bar`
 * to responses, as one field of the model, by inserted lines. Then the compiler must ask for a sentence in each dialect
 * that has no such member, and with these the types, a case there and back, the laws of settings and the page of fields have to
 * hold. The last line of the output says how many lines it took. Exits with 0 when they are at most `MOST_LINES` in
 * `translators`, one for each service in the rules of the simulator, and none in what tests share; with 1 otherwise.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MOST_LINES = 8;

const ROOT = join(import.meta.dirname, '..', '..');

/** The lines of the model and of the two tables: each is inserted behind the line that begins with `after`. */
const FIELD = [
  {
    path: 'translators/canonical/request.ts',
    after: '  readonly verbosity?: string;',
    line: '  readonly foo?: string;',
  },
  { path: 'translators/canonical/loss.ts', after: '  verbosity: ', line: "  foo: 'How the answer foos.'," },
  { path: 'translators/advice.ts', after: '  verbosity: ', line: "  foo: 'Leave it out.'," },
  {
    path: 'translators/messages/request/members.ts',
    after: '  tools: ',
    line: "  foo: member('foo', s.string()),",
  },
  {
    path: 'translators/responses/request/members.ts',
    after: '  tools: ',
    line: "  bar: member('foo', s.string()),",
  },
];

/** What the compiler asks for then: what becomes of the field at the others. */
const SENTENCES = ['generate-content', 'chat-completions'].map((folder) => ({
  path: `translators/${folder}/request/members.ts`,
  after: 'export const unsent',
  line: "  foo: 'the service does not foo',",
}));

/** What the services take is said apart from the translation (Decision 0007). */
const RULES = [
  { path: 'src/simulator/rules/messages/shapes.ts', after: 'Request: ...Shared', line: '  foo string,' },
  { path: 'src/simulator/rules/responses/shapes.ts', after: 'Request: ...Counted, max', line: '  bar string|null,' },
];

const CASE = `# A field of two dialects crosses under its name in each

\`\`\`json client=messages request
{"model": "m", "max_tokens": 10, "foo": "f", "messages": [{"role": "user", "content": "q"}]}
\`\`\`
\`\`\`json backend=responses
{}
\`\`\`
\`\`\`losses backend=generateContent
/foo  foo  dropped
\`\`\`
\`\`\`json client=responses request
{"model": "m", "bar": "f", "input": "q"}
\`\`\`
\`\`\`json backend=messages
{}
\`\`\`
\`\`\`losses backend=chatCompletions
/bar  foo  dropped
\`\`\`
`;

const JEST = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--cacheDirectory=../jest',
];
const TYPES = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit'];

/** Runs a program in `project`; its output, and whether it held. */
function tell(project, args, env = {}) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, {
    cwd: project,
    env: { ...process.env, INTERLINGUA_CORPUS: 'none', ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw error;
  return { held: status === 0, text: `${stdout}${stderr}` };
}

/** Runs a step, and throws with its whole output where it fails. */
function step(name, project, args, env) {
  const started = performance.now();
  const { held, text } = tell(project, args, env);
  if (!held) throw new Error(`${text}\n${name} failed`);
  console.log(`${name}: ${Math.round((performance.now() - started) / 1000)} s`);
}

function git(folder, ...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function insert(project, lines) {
  for (const { path, after, line } of lines) {
    const text = readFileSync(join(project, path), 'utf8').split('\n');
    const place = text.findIndex((one) => one.startsWith(after));
    if (place < 0) throw new Error(`${path} has no line that begins with: ${after}`);
    text.splice(place + 1, 0, line);
    writeFileSync(join(project, path), text.join('\n'));
  }
}

/** The lines that differ from HEAD below `places`, added and removed. */
function changed(project, ...places) {
  const lines = git(project, 'diff', '--numstat', 'HEAD', '--', ...places)
    .split('\n')
    .filter(Boolean);
  return lines.reduce((sum, line) => sum + Number(line.split('\t')[0]) + Number(line.split('\t')[1]), 0);
}

function probe(project) {
  insert(project, [...FIELD, ...RULES]);
  const { held, text } = tell(project, TYPES);
  const asked = SENTENCES.filter(({ path }) => text.includes(path) && text.includes("'foo'"));
  if (held || asked.length < SENTENCES.length) throw new Error(`${text}\nthe compiler asks for too little`);
  insert(project, SENTENCES);
  step('types', project, TYPES);
  writeFileSync(join(project, 'test/cases/requests/foo.md'), CASE);
  step('case', project, [...JEST, 'test/cases.test', '-t', 'requests/foo'], { UPDATE: '1' });
  const written = readFileSync(join(project, 'test/cases/requests/foo.md'), 'utf8');
  const [there = '', back = ''] = written.split('json backend=').slice(1);
  if (!there.includes('"bar": "f"') || !back.includes('"foo": "f"'))
    throw new Error(`${written}\nthe field does not cross`);
  step('page of fields', project, [...JEST, 'test/support/fields'], { UPDATE: '1' });
  const page = readFileSync(join(project, 'docs/fields.md'), 'utf8');
  for (const row of ['| `foo` | carried | dropped | dropped |', '| `bar` | carried | dropped | dropped |'])
    if (!page.includes(row)) throw new Error(`docs/fields.md lacks ${row}`);
  step('laws', project, [...JEST, 'test/laws/honesty/requests', 'test/laws/documented-fields'], {
    LAW_DIALECT: 'messages',
  });
  const lines = changed(project, 'translators');
  const rules = changed(project, 'src');
  const shared = changed(project, 'test');
  console.log(`lines: translators ${lines}, rules of the services ${rules}, helpers of tests ${shared}`);
  return lines <= MOST_LINES && rules <= RULES.length && shared === 0;
}

// Whoever interrupts the program ends the step that runs; the worktree is removed all the same.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => {});

const folder = mkdtempSync(join(tmpdir(), 'field-'));
const project = join(folder, 'project');
try {
  git(ROOT, 'worktree', 'add', '--quiet', '--detach', project, 'HEAD');
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'dir');
  if (!probe(project)) process.exitCode = 1;
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
} finally {
  spawnSync('git', ['worktree', 'remove', '--force', project], { cwd: ROOT });
  rmSync(folder, { recursive: true, force: true });
}
