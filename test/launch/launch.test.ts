import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AGENTS } from '../../src/launch/agents.js';
import { figuresAt, usedInWords } from '../../src/launch/figures.js';
import { printFor } from '../../src/launch/print.js';
import { prepare } from '../../src/launch/settings.js';
import { runTogether } from '../cli/command-lines.js';
import { startRecorder } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { KEY, type LaunchPlace, type Outcome, openLaunchPlace, type Said } from './support.js';

let room: LaunchPlace;
/** What command lines gave that leave nothing behind. */
let runOf: Awaited<ReturnType<typeof runTogether>>;

beforeAll(async () => {
  room = await openLaunchPlace();
  const lines = [...MISTAKES.map(([, words]) => words), ABSENT, PRINTED].map((words) => ['launch', ...words]);
  const env = { HOME: room.home, PATH: room.bin, XDG_CONFIG_HOME: '', INTERLINGUA_KEY: KEY };
  runOf = await runTogether(room.place, lines, env);
});
beforeEach(() => room.backend.reset());
afterEach(() => room.stop());
afterAll(() => room.close());

const CLAUDE = ['claude', '--model', 'mine', '--config', 'one.json'];
const ABSENT = ['gemini', '--model', 'mine', '--config', 'one.json'];
const PRINTED = [
  'gemini',
  '--model',
  'mine',
  '--config',
  'keys.json',
  '--print',
  '--shell',
  'json',
  '--',
  '--prompt',
  'Hi',
];

/** Mistakes on the command line, with what is said of them. */
const MISTAKES: readonly [what: string, words: string[], said: RegExp][] = [
  [
    'a model that there is not',
    ['claude', '--model', 'mime', '--config', 'one.json'],
    /unknown model mime.*did you mean mine\?$/,
  ],
  ['an agent that nobody knows', ['cloude', '--model', 'mine', '--config', 'one.json'], /did you mean claude\?$/],
  ['no model', ['claude', '--config', 'one.json'], /--model is required; known: mine, own-\*$/],
  ['a shell that is none', [...CLAUDE, '--print', '--shell', 'bach'], /did you mean bash\?$/],
  ['a shell to run in', [...CLAUDE, '--shell', 'bash'], /--shell requires --print$/],
];

describe('interlingua launch', () => {
  test('runs an agent against a gateway of its own and tells at the end what was used', async () => {
    room.backend.script({ kind: 'text', text: 'Hi.', usage: { input: 617, output: 28, cached: 400 } });
    const outcome = await room.launch([...CLAUDE, '--', '--verbose', 'ask', '7']).outcome;
    const { code, said } = outcome;
    expect(code).toBe(7);
    const [start, ...answers] = said;
    expect(start?.args.slice(2)).toEqual(['--model', 'mine', '--verbose', 'ask', '7']);
    expect(start?.env).toMatchObject({
      ANTHROPIC_MODEL: 'mine',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'mine',
      ANTHROPIC_API_KEY: '',
      OPENAI_API_KEY: 'key-of-the-user',
    });
    expect(start?.env.ANTHROPIC_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    // The list of its models was asked for first.
    expect(room.backend.requests.find(({ body }) => body !== undefined)?.body).toMatchObject({ model: 'gpt-5' });
    expect(outcome.stderr.trim().split('\n').slice(-2)).toEqual([
      'interlingua: dropped 2 times: sampling.topK. The number of candidates from which a token is drawn.',
      'interlingua: 2 turns, 1234 tokens in (65 % cached), 56 out, 2 losses, known cost 0.00159 USD; local (responses)',
    ]);
    expect(existsSync(start?.args[1] ?? '')).toBe(false);
    // Beside compiled code, where Node.js keeps it.
    expect(readdirSync(room.home).filter((name) => name !== '.cache')).toEqual(['.config', '.local']);
  });

  test('signals go on to the agent, and one that ended it is told by its code', async () => {
    const signalled = async (signal: NodeJS.Signals): Promise<Outcome> => {
      const { child, outcome, said } = room.launch([...CLAUDE, '--', 'wait', '0']);
      await until(() => said().includes('args'), 60_000);
      child.kill(signal);
      return outcome;
    };
    const [terminated, interrupted, died] = await Promise.all([
      signalled('SIGTERM'),
      signalled('SIGINT'),
      room.launch([...CLAUDE, '--', 'die', '0']).outcome,
    ]);
    expect(terminated).toMatchObject({ code: 5, stdout: expect.stringContaining('terminated') });
    expect(interrupted).toMatchObject({ code: 6, stdout: expect.stringContaining('interrupted') });
    expect(died.code).toBe(128 + 9);
  });

  test('killed, the gateway ends with it', async () => {
    const { child, said } = room.launch([...CLAUDE, '--', 'wait', '0']);
    await until(() => said().includes('args'));
    const start: Said = JSON.parse(said().split('\n')[0] ?? '');
    const url = start.env.ANTHROPIC_BASE_URL ?? '';
    expect((await fetch(url)).status).toBe(200);
    child.kill('SIGKILL');
    const gone = () =>
      fetch(url).then(
        () => false,
        () => true,
      );
    await until(gone);
    process.kill(start.pid, 'SIGKILL');
  });
});

test.each(MISTAKES)('%s is a mistake on the command line', (_, words, message) => {
  const { code, stdout, stderr } = runOf(['launch', ...words]);
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
  expect(stderr.trim()).toMatch(message);
});

test('an agent that is not there is said how to be had', () => {
  const { code, stderr } = runOf(['launch', ...ABSENT]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('npm install -g @google/gemini-cli')]);
});

describe('--print', () => {
  test('as JSON, with the key that is given', () => {
    const { code, stdout } = runOf(['launch', ...PRINTED]);
    const printed = JSON.parse(stdout);
    expect([code, Object.keys(printed)]).toEqual([0, ['agent', 'command', 'args', 'env']]);
    expect(printed).toMatchObject({
      agent: 'gemini',
      command: 'gemini',
      args: ['--model', 'mine', '--prompt', 'Hi'],
      env: {
        GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9',
        GOOGLE_API_KEY: KEY,
        GEMINI_API_KEY: '',
        GOOGLE_GENAI_USE_GCA: '',
      },
    });
    const file = printed.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH;
    expect(file.startsWith(join(room.home, '.config', 'interlingua'))).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('security.auth.selectedType');
  });

  test('quotes what a shell would read otherwise', () => {
    const printed = { agent: 'a', command: 'a', args: [], env: { K: `it's \\ $HOME` } };
    expect(printFor('bash', printed)).toMatch(/\n# a$/);
    expect(printFor('bash', printed)).toContain(`export K='it'\\''s \\ $HOME'`);
    expect(printFor('fish', printed)).toContain(`set -gx K 'it\\'s \\\\ $HOME'`);
    expect(printFor('powershell', printed)).toContain(`$env:K = 'it''s \\ $HOME'`);
  });

  test('runs nothing that stands in a value or a word, whatever ends a line or a quote there', () => {
    const value = `it's \\x\necho ran\r\u2028"\`$HOME\u001b[2J`;
    const printed = { agent: 'a', command: 'a', args: ['--model', value], env: { K: value } };
    const lines = `${printFor('bash', printed)}\nprintf %s "$K"`;
    const { stdout } = spawnSync('bash', ['-c', 'eval "$1"', 'bash', lines], { encoding: 'utf8' });
    expect(stdout).toBe(value);
    for (const shell of ['bash', 'fish', 'powershell'] as const) {
      const [first, last, ...more] = printFor(shell, printed).split(/[\p{Cc}\u2028]/u);
      expect([first, last, more]).toEqual([expect.stringContaining('K'), expect.stringMatching(/^# a /), []]);
    }
    const kept = { ...printed, args: [], env: { K: "a\\\n'b" } };
    expect(printFor('fish', kept)).toContain(`set -gx K 'a\\\\'\\X0a'\\'b'`);
    expect(printFor('powershell', kept)).toContain(`$env:K = "a\\$([char]10)'b"`);
    expect(printFor('powershell', { ...kept, env: { K: '\u2019; ran' } })).toContain(`'\u2019\u2019; ran'`);
    expect(printFor('powershell', { ...kept, env: { K: '\u201d$x\n' } })).toContain('"`\u201d`$x$([char]10)"');
  });
});

test('the last line has the dialects in which a backend was called meanwhile', async () => {
  const metrics = await startRecorder();
  const count = (dialect: string, model: string, value: number): string =>
    `interlingua_exchanges_total{client="messages",dialect="${dialect}",backend="vllm",model="${model}",outcome="ok"} ${value}\n`;
  try {
    const texts = [
      count('responses', 'a', 3),
      count('responses', 'a', 3) + count('messages', 'a', 1) + count('chatCompletions', 'b', 2),
    ];
    metrics.reply = (response, request) => {
      // It keeps no sums.
      if (request.path === '/metrics') response.end(texts.shift());
      else response.writeHead(404).end();
    };
    const now = new Date();
    const before = await figuresAt(metrics.url, 'k', now);
    expect(usedInWords(before, await figuresAt(metrics.url, 'k', now))).toEqual([
      '3 turns, 0 tokens in, 0 out, 0 losses; vllm (messages), vllm (chatCompletions)',
    ]);
  } finally {
    await metrics.close();
  }
});

test.each([
  [undefined, 'vertex-ai', 'GOOGLE_API_KEY'],
  ['oauth-personal', 'vertex-ai', 'GOOGLE_API_KEY'],
  ['gemini-api-key', 'gemini-api-key', 'GEMINI_API_KEY'],
])('where its own settings choose %s, Gemini CLI gets the one key for %s', (chosen, type, variable) => {
  const agent = AGENTS.get('gemini');
  if (agent === undefined) throw new Error('there is no such agent');
  const own = mkdtempSync(join(room.place, 'gemini-'));
  mkdirSync(join(own, '.gemini'));
  const settings = { security: { auth: { selectedType: chosen } } };
  writeFileSync(join(own, '.gemini', 'settings.json'), JSON.stringify(settings, null, 2));
  const { env } = prepare(
    agent,
    { url: 'http://127.0.0.1:9', key: 'k', model: 'm', sizes: {}, names: ['m'] },
    join(own, 'ours'),
    { HOME: own },
  );
  expect(['GOOGLE_API_KEY', 'GEMINI_API_KEY'].filter((name) => env[name] !== '')).toEqual([variable]);
  expect(env.GOOGLE_GENAI_USE_VERTEXAI).toBe(type === 'vertex-ai' ? 'true' : '');
  expect(JSON.parse(readFileSync(env.GEMINI_CLI_SYSTEM_SETTINGS_PATH ?? '', 'utf8'))).toMatchObject({
    security: { auth: { selectedType: type } },
  });
});

describe('--check', () => {
  test('says who answered, and which settings lose', async () => {
    const folder = join(room.home, '.claude');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.json'), '{ "env": { "ANTHROPIC_BASE_URL": "https://elsewhere.example" } }');
    const { code, stdout } = await room.launch([...CLAUDE, '--check']).outcome;
    rmSync(folder, { recursive: true });
    expect([code, stdout.trim().split('\n')]).toEqual([
      0,
      ['200 local (responses) gpt-5, 0 losses', `wins over ${join(folder, 'settings.json')}: ANTHROPIC_BASE_URL`],
    ]);
  });

  test('fails where the backend refuses', async () => {
    room.backend.script({ kind: 'error', status: 400, message: 'Too many bananas.' });
    const { code, stdout, stderr } = await room.launch(['codex', '--model', 'own-x', '--config', 'one.json', '--check'])
      .outcome;
    expect([code, stdout.trim()]).toEqual([1, expect.stringMatching(/^400 local \(responses\) x, 0 losses/)]);
    expect(stderr).toContain('Too many bananas.');
  });
});

test('without metrics the last line says that nothing is known, and no sums', async () => {
  const none = await startRecorder();
  none.reply = (response) => response.writeHead(404).end();
  try {
    const figures = await figuresAt(none.url, 'k', new Date(), true);
    expect(usedInWords(figures, figures)).toEqual([
      'the gateway reports no metrics at its address: what was used is not known',
    ]);
  } finally {
    await none.close();
  }
});
