import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PACKAGE_ROOT } from '../support/package-root.js';
import { type Run, runTogether } from './command-lines.js';

describe('completion', () => {
  let runOf: (line: readonly string[]) => Run;
  beforeAll(async () => {
    runOf = await runTogether(
      tmpdir(),
      scripts.map(([, words]) => words),
      {},
    );
  });
  const scripts = ['bash', 'zsh', 'fish'].map((shell) => [shell, ['completion', shell]] as const);
  test.each(scripts)('%s: commands, options and the words they take', (_shell, words) => {
    const { code, stdout } = runOf(words);
    expect(code).toBe(0);
    for (const word of ['serve', 'workers', 'chatCompletions', 'completion']) expect(stdout).toContain(word);
  });

  const [, bash = []] = scripts[0] ?? [];
  test.each([
    ['interlingua tr', 'translate'],
    ['interlingua translate --fr', '--from'],
    ['interlingua translate --from gen', 'generateContent'],
    ['interlingua completion f', 'fish'],
    ['interlingua launch cl', 'claude'],
    ['interlingua launch --model fast g', 'gemini'],
    ['interlingua launch claude --print --shell pow', 'powershell'],
    ['interlingua serve --backend olla', 'ollama'],
    ['interlingua serve --backend mess', 'messages'],
    ['interlingua check package', ''],
    ['interlingua translate package.j', 'package.json'],
  ])('bash completes %s', (typed, wanted) => {
    const words = typed.split(' ');
    const script = `${runOf(bash).stdout}
COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _interlingua; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: PACKAGE_ROOT })).toBe(`${wanted}\n`);
  });

  test.each(scripts)('%s: agents, hosts and shells in the place of files', (_shell, words) => {
    const { stdout } = runOf(words);
    for (const word of ['claude codex gemini', 'ollama', 'bash fish powershell json']) expect(stdout).toContain(word);
  });
});
