import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Run, runTogether } from './command-lines.js';

/** `interlingua translate --batch` as a command line (cli.md). What becomes of lines is in test/migrate/batch.test.ts. */

const folder = mkdtempSync(join(tmpdir(), 'interlingua-batch-'));
const lines: string[][] = [];
let runOf: (line: readonly string[]) => Run;

beforeAll(async () => {
  runOf = await runTogether(folder, lines, {});
});
afterAll(() => rmSync(folder, { recursive: true }));

function line(...words: readonly string[]): string[] {
  lines.push([...words]);
  return [...words];
}

function batch(name: string, rows: readonly unknown[], ...more: readonly string[]): string[] {
  const path = join(folder, name);
  writeFileSync(path, rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'));
  return line('translate', '--batch', path, ...more);
}

const chat = (custom_id: string, more: object = {}) => {
  const body = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: custom_id }], ...more };
  return { custom_id, method: 'POST', url: '/v1/chat/completions', body };
};
const params = (top_k?: number) => ({
  model: 'm',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  top_k,
});

describe('interlingua translate --batch', () => {
  const toMessages = batch('chat.jsonl', [chat('a', { seed: 1 }), '{', chat('b')], '--to', 'messages');
  test('prints the body that a batch of Anthropic is created with, and what was lost and failed by line', () => {
    const { code, stdout, stderr } = runOf(toMessages);
    const { requests } = JSON.parse(stdout);
    expect(requests.map(({ custom_id }: { custom_id: string }) => custom_id)).toEqual(['a', 'b']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(4);
    const [lost, failed, summary] = stderr.split('\n');
    expect(lost).toMatch(/^line 1 \(a\): \/seed /);
    expect(failed).toBe('line 2: it is no line of a batch file of Anthropic, OpenAI or Gemini');
    expect(summary).toBe('interlingua translate: 3 lines, 2 translated, 1 that cannot go, 1 loss');
    expect(code).toBe(1);
  });

  const whole = batch(
    'anthropic.json',
    [
      {
        requests: [
          { custom_id: 'x', params: params(3) },
          { custom_id: 'y', params: params() },
        ],
      },
    ],
    ...['--to', 'generateContent', '--report', join(folder, 'report.jsonl')],
  );
  test('reads that body again, and writes the report to a file', () => {
    const { code, stdout, stderr } = runOf(whole);
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).key),
    ).toEqual(['x', 'y']);
    expect(stderr).toBe(
      'interlingua translate: 2 lines, 2 translated, 0 losses\n' +
        'interlingua translate: a batch of Gemini is created for one model; these requests name models/m\n',
    );
    expect(readFileSync(join(folder, 'report.jsonl'), 'utf8')).toBe('');
  });

  const strict = ['--to', 'responses', '--strict', '--report', join(folder, 'strict.jsonl')];
  const refused = batch(
    'lossy.jsonl',
    [
      { custom_id: 'x', params: params(3) },
      { custom_id: 'y', params: params() },
    ],
    ...strict,
  );
  test('exits with 3 where strict refuses a line, and the others go', () => {
    const { code, stdout } = runOf(refused);
    expect([code, JSON.parse(stdout).custom_id]).toEqual([3, 'y']);
    const row = JSON.parse(readFileSync(join(folder, 'strict.jsonl'), 'utf8'));
    expect(row).toMatchObject({ line: 1, id: 'x', translated: false, losses: [{ feature: 'sampling.topK' }] });
  });

  test.each([
    ['another input', batch('e.jsonl', [chat('a')], '--to', 'messages', 'more.json'), /unexpected word more\.json/],
    [
      'a kind',
      batch('e.jsonl', [chat('a')], '--to', 'messages', '--kind', 'error'),
      /--kind cannot be used with --batch/,
    ],
    [
      'a file that is not there',
      line('translate', '--batch', 'none.jsonl', '--to', 'messages'),
      /cannot read none\.jsonl/,
    ],
    [
      'a report over the file that it reads',
      batch(
        'over.jsonl',
        [chat('a')],
        '--to',
        'messages',
        '--report',
        join(folder, '..', basename(folder), 'over.jsonl'),
      ),
      /--report would write over .*over\.jsonl, which is read: name another file/,
    ],
    [
      'a report that cannot be',
      batch('e.jsonl', [chat('a')], '--to', 'messages', '--report', folder),
      /cannot write to/,
    ],
  ])('refuses %s', (_what, words, said) => {
    const { code, stderr } = runOf(words);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toMatch(said);
  });
});
