import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROGRAM } from '../support/gateway/program.js';
import { type Run, runTogether } from './command-lines.js';

/** `interlingua import` as a command line. What is made of configurations is in test/import. */

const folder = mkdtempSync(join(tmpdir(), 'interlingua-import-'));
const lines: string[][] = [];
let runOf: (line: readonly string[]) => Run;

const CONFIG = `
model_list:
  - model_name: a
    litellm_params: { model: gpt-5, api_key: sk-canary, keep_alive: 3 }
`;

beforeAll(async () => {
  writeFileSync(join(folder, 'config.yaml'), CONFIG);
  writeFileSync(join(folder, 'there.yaml'), 'mine');
  writeFileSync(join(folder, 'broken.yaml'), 'model_list: [');
  writeFileSync(join(folder, 'alias.yaml'), 'model_list:\n  - { api_key: *canary }\n');
  writeFileSync(join(folder, 'none.yaml'), 'model_list: []');
  writeFileSync(join(folder, 'list.yaml'), '- a');
  runOf = await runTogether(folder, lines, { OPENAI_API_KEY: 'k' });
});
afterAll(() => rmSync(folder, { recursive: true }));

function line(...words: readonly string[]): string[] {
  lines.push([...words]);
  return [...words];
}

describe('interlingua import', () => {
  const printed = line('import', 'litellm', 'config.yaml');
  const written = line('import', 'litellm', 'config.yaml', '--write', 'ours.yaml');
  const checked = line('check', '--config', 'ours.yaml');
  test('prints the file, and a line for each thing that the user should know', () => {
    const { code, stdout, stderr } = runOf(printed);
    expect(code).toBe(0);
    expect(stdout).toContain('models:\n  a: { backend: openai, model: gpt-5 }\n');
    expect(stderr.trim().split('\n')).toEqual([
      'model_list[0].litellm_params.api_key: is a secret in clear: set the variable OPENAI_API_KEY to it',
      'model_list[0].litellm_params.keep_alive: there is no such setting here',
      'set in the environment: OPENAI_API_KEY',
    ]);
    expect(stdout + stderr).not.toContain('canary');
  });

  test('writes a file that check accepts', () => {
    expect(runOf(written)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(join(folder, 'ours.yaml'), 'utf8')).toBe(runOf(printed).stdout);
    expect(statSync(join(folder, 'ours.yaml')).mode & 0o077).toBe(0);
    expect(runOf(checked)).toMatchObject({ code: 0, stderr: '' });
  });

  const asJson = line('import', 'litellm', 'config.yaml', '--json');
  test('prints JSON', () => {
    const { config, notes, variables } = JSON.parse(runOf(asJson).stdout);
    expect(config.models).toEqual({ a: { backend: 'openai', model: 'gpt-5' } });
    expect(notes.map(({ kind }: { kind: string }) => kind)).toEqual(['secret', 'no place']);
    expect(variables).toEqual(['OPENAI_API_KEY']);
  });

  test('reads standard input', () => {
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, 'import', 'litellm'], {
      input: CONFIG,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, runOf(printed).stdout.replace('config.yaml', 'standard input')]);
  });

  test.each([
    [
      'a gateway that nobody knows',
      line('import', 'litelm', 'config.yaml'),
      2,
      /unknown gateway litelm.*did you mean litellm\?$/,
    ],
    ['a file that is not there', line('import', 'litellm', 'gone.yaml'), 2, /gone\.yaml cannot be read/],
    ['a file that is broken', line('import', 'litellm', 'broken.yaml'), 2, /broken\.yaml:\d+:\d+: /],
    [
      'a key that begins as an alias does, without quoting it',
      line('import', 'litellm', 'alias.yaml'),
      2,
      /alias\.yaml:2:16: a `\*` refers to an unknown anchor: put the string in quotes$/,
    ],
    [
      'a file without models',
      line('import', 'litellm', 'none.yaml'),
      2,
      /none\.yaml names no model that can be served$/,
    ],
    ['a file that is none', line('import', 'litellm', 'list.yaml'), 2, /list\.yaml holds no map of settings$/],
    ['a file of another gateway', line('import', 'portkey', 'config.yaml'), 2, /names no model that can be served/],
    [
      'to write over a file',
      line('import', 'litellm', 'config.yaml', '--write', 'there.yaml'),
      1,
      /there\.yaml is there already/,
    ],
  ])('refuses %s', (_what, words, code, said) => {
    const run = runOf(words);
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr.trim()).toMatch(said);
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(join(folder, 'gone.yaml'))).toBe(false);
  });
});
