import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ASK } from '../support/gateway/harness.js';
import { createWorkplace, type Workplace } from '../support/gateway/program.js';
import { type Run, runTogether } from './command-lines.js';

/** `interlingua migrate` as a program: its options, files and exit codes (cli.md, migration.md). */

const WAY = ['--from', 'messages', '--to', 'responses'];
const LINES = {
  table: ['migrate', ...WAY, 'in.jsonl'],
  json: ['migrate', ...WAY, 'in.jsonl', '--json', '--out', 'report'],
  strict: ['migrate', ...WAY, 'in.jsonl', '--strict'],
  clean: ['migrate', ...WAY, 'clean.jsonl', '--strict'],
  several: ['migrate', ...WAY, 'in.jsonl', 'clean.jsonl', '--json'],
  all: ['migrate', '--all', 'in.jsonl', '--out', 'every'],
  noWay: ['migrate', '--from', 'messages', 'in.jsonl'],
  odd: ['migrate', '--from', 'mesages', '--to', 'responses', 'in.jsonl'],
  same: ['migrate', '--from', 'messages', '--to', 'messages', 'in.jsonl'],
  missing: ['migrate', ...WAY, 'nowhere.jsonl'],
  garbage: ['migrate', ...WAY, 'garbage.txt'],
  named: ['migrate', ...WAY, 'warm.jsonl', '--json', '--model', 'gpt-4o', '--model', 'claude-*=gpt-5', '--strict'],
  elsewhere: ['migrate', ...WAY, 'warm.jsonl', '--host', 'claude-*=groq', '--profile', 'gpt-5'],
  nobody: ['migrate', ...WAY, 'warm.jsonl', '--host', 'opneai'],
  mute: ['migrate', ...WAY, 'warm.jsonl', '--host', 'anthropic'],
  everywhere: ['migrate', '--all', 'warm.jsonl', '--model', 'gpt-5'],
} as const;

/** Targets that cannot be. */
const UNREAL = [LINES.nobody, LINES.mute, LINES.everywhere];

let place: Workplace;
let runOf: (line: readonly string[]) => Run;

beforeAll(async () => {
  place = createWorkplace();
  const plain = JSON.stringify(ASK.messages('m').body);
  place.file('in.jsonl', `${plain}\n${JSON.stringify(ASK.messages('m', { top_k: 4 }).body)}\n`);
  const warm = { temperature: 0.3 };
  const models = ['claude-opus-4-5', 'm'];
  place.file('warm.jsonl', models.map((model) => `${JSON.stringify(ASK.messages(model, warm).body)}\n`).join(''));
  place.file('clean.jsonl', `${plain}\n`);
  place.file('garbage.txt', 'no JSON at all\n');
  runOf = await runTogether(place.folder, Object.values(LINES), {});
});
afterAll(() => place.end());

const written = (...path: string[]): string => readFileSync(join(place.folder, ...path), 'utf8');

test('prints a table', () => {
  const { code, stdout, stderr } = runOf(LINES.table);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^messages to responses: 2 exchanges, 1 without loss, 1 with losses, 0 that cannot go\n/);
  expect(stdout).toMatch(/sampling\.topK +dropped +request +1 +50\.0 % +yes +in\.jsonl:2 \/top_k\n/);
});

test('--json prints the report that --out writes, next to one for people', () => {
  const { code, stdout } = runOf(LINES.json);
  expect(code).toBe(0);
  expect(written('report', 'report.json')).toBe(stdout);
  expect(written('report', 'report.md')).toMatch(/^# From messages to responses\n/);
  expect(written('report', 'report.html')).toMatch(/^<!doctype html>/);
  const { $id } = createRequire(import.meta.url)('interlingua/report.schema.json');
  expect($id).toContain('report.schema.json');
});

test('several files, and every direction at once', () => {
  expect(JSON.parse(runOf(LINES.several).stdout)).toMatchObject({ exchanges: 3, clean: 2, lossy: 1 });
  expect(runOf(LINES.all).stdout.match(/^messages to \w+: 2 exchanges/gm)).toHaveLength(3);
  expect(JSON.parse(written('every', 'messages-to-generateContent', 'report.json'))).toMatchObject({ exchanges: 2 });
});

test('the target of each recorded model is what its name leads to', () => {
  const { code, stdout } = runOf(LINES.named);
  const { clean, lossy, models } = JSON.parse(stdout);
  expect([code, clean, lossy]).toEqual([3, 1, 1]);
  expect(models).toMatchObject([
    { model: 'claude-opus-4-5', lossy: 1, target: { model: 'gpt-5', host: '', checked: true } },
    { model: 'm', lossy: 0, target: { model: 'gpt-4o', host: '', checked: true } },
  ]);
  const elsewhere = runOf(LINES.elsewhere).stdout;
  expect(elsewhere).toMatch(/^messages to responses: 2 exchanges, 0 without loss, 2 with losses/);
  expect(elsewhere).toContain('Judged for claude-opus-4-5 with the abilities of gpt-5 at groq, m with');
  expect(elsewhere).toContain('What groq refuses beyond the translation is not known.');
  expect(runOf(LINES.nobody).stderr).toContain('did you mean openai?');
  expect(runOf(LINES.mute).stderr).toContain('anthropic is not known to speak responses');
});

test('exit codes: strict, mistakes of the command line, input that is none', () => {
  expect([LINES.strict, LINES.clean].map((line) => runOf(line).code)).toEqual([3, 0]);
  for (const line of [LINES.noWay, LINES.odd, LINES.same, LINES.missing, LINES.garbage, ...UNREAL]) {
    const { code, stderr } = runOf(line);
    expect([line, code]).toEqual([line, 2]);
    expect(stderr).toMatch(/^interlingua migrate: [^\n]+\n$/);
  }
  expect(runOf(LINES.odd).stderr).toContain('messages');
  expect(runOf(LINES.missing).stderr).toContain('nowhere.jsonl');
});

test('standard input; interrupted it reports what came, and exits with 130', async () => {
  const child = place.start(['migrate', ...WAY, '--json', '-']);
  // More than a pipe holds: once all of it is handed over, the program is reading.
  const many = `${JSON.stringify(ASK.messages('m').body)}\n`.repeat(20_000);
  await new Promise((resolve) => child.stdin?.write(many, resolve));
  child.kill('SIGINT');
  const exit = new Promise((resolve) => child.on('close', resolve));
  const [stdout, errors] = await Promise.all([child.stdout, child.stderr].map((one) => (one ? readText(one) : '')));
  expect(await exit).toBe(130);
  expect(JSON.parse(stdout ?? '')).toMatchObject({ partial: true, unreadable: 0 });
  expect(errors).not.toContain('exchanges');
});
