import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Agent } from '../../src/launch/agent.js';
import { AGENTS } from '../../src/launch/agents.js';
import { trustFor } from '../../src/launch/trust.js';

/** Folders that an agent runs in only where they were trusted. A test has no terminal. */

const home = mkdtempSync(join(tmpdir(), 'interlingua-trust-'));
afterAll(() => rmSync(home, { recursive: true }));

function agent(name: string): Agent {
  const found = AGENTS.get(name);
  if (found === undefined) throw new Error(`there is no agent ${name}`);
  return found;
}

const FOLDER = '/home/me/work';
const trust = (given: boolean, words: readonly string[] = [], env: Record<string, string> = {}, name = 'gemini') =>
  trustFor(agent(name), given, words, { HOME: home, ...env }, FOLDER);

describe('a folder that Gemini CLI was not told to trust', () => {
  test('is trusted for a run by --trust alone', () => {
    expect(trust(true)).toEqual({ env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } });
  });

  test('is told of where nobody can be asked', () => {
    expect(trust(false)).toEqual({ env: {}, advice: expect.stringMatching(/^Gemini CLI runs only .*--trust/) });
  });

  test.each<[string, () => ReturnType<typeof trust>]>([
    ['its own word', () => trust(false, ['--prompt', 'Hi', '--skip-trust'])],
    ['its variable', () => trust(false, [], { GEMINI_CLI_TRUST_WORKSPACE: 'true' })],
  ])('is not told of with %s', (_what, outcome) => {
    expect(outcome()).toEqual({ env: {} });
  });
});

test.each([
  [{ [FOLDER]: 'TRUST_FOLDER' }, true],
  [{ '/home/me': 'TRUST_FOLDER' }, true],
  [{ '/home/me/other': 'TRUST_PARENT' }, true],
  [{ [FOLDER]: 'DO_NOT_TRUST' }, false],
  [{ '/home/me/wor': 'TRUST_FOLDER' }, false],
])('of folders as %j its own file says that this one is trusted: %s', (folders, isTrusted) => {
  mkdirSync(join(home, '.gemini'), { recursive: true });
  writeFileSync(join(home, '.gemini', 'trustedFolders.json'), JSON.stringify(folders));
  expect(trust(false).advice === undefined).toBe(isTrusted);
  rmSync(join(home, '.gemini'), { recursive: true });
});

test('an agent that asks for no trust is not given any', () => {
  expect(trust(true, [], {}, 'codex')).toEqual({ env: {}, advice: expect.stringContaining('--trust has no effect') });
  expect(trust(false, [], {}, 'codex')).toEqual({ env: {} });
});
