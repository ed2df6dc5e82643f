import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Agent } from './agent.js';
import { homeOf } from './beaten.js';

/** How an agent learns of a folder: what `--trust` sets, and what the user should know without it. */
export interface Trust {
  readonly env: Readonly<Record<string, string>>;
  readonly advice?: string;
}

/**
 * Agents that run no untrusted folder ask for trust on a terminal, and remember the answer: that is left to them. Where nobody can be
 * asked they end, which is announced before; `given` = the user trusts the folder for this run.
 */
export function trustFor(
  { title, trust }: Agent,
  given: boolean,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder: string,
): Trust {
  if (trust === undefined)
    return { env: {}, ...(given && { advice: `${title} asks for no trust: --trust has no effect` }) };
  if (given) return { env: trust.env };
  const isSet = Object.keys(trust.env).some((name) => (environment[name] ?? '') !== '');
  const isAsked =
    process.stdin.isTTY === true && process.stdout.isTTY === true && !words.some((word) => ASKED_ONCE.has(word));
  if (isSet || isAsked || words.some((word) => trust.words.includes(word)) || isTrusted(environment, folder))
    return { env: {} };
  return {
    env: {},
    advice: `${title} runs only in folders that were trusted, and cannot ask here: --trust trusts this one for this run`,
  };
}

/** Words with which Gemini CLI answers once and asks nothing. */
const ASKED_ONCE: ReadonlySet<string> = new Set(['--prompt', '-p']);

/** Whether Gemini CLI was set to trust a folder, or one around it: a map of folders to words in a file of its own. */
function isTrusted(environment: NodeJS.ProcessEnv, folder: string): boolean {
  const { GEMINI_CLI_TRUSTED_FOLDERS_PATH: named = '', GEMINI_CLI_HOME: home = '' } = environment;
  const path = named === '' ? join(home === '' ? homeOf(environment) : home, '.gemini', 'trustedFolders.json') : named;
  try {
    const folders: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const trusted = Object.entries(typeof folders === 'object' && folders !== null ? folders : {}).flatMap(
      ([place, word]) => (word === 'TRUST_FOLDER' ? [place] : word === 'TRUST_PARENT' ? [dirname(place)] : []),
    );
    return trusted.some((place) => folder === place || folder.startsWith(`${place}${sep}`));
  } catch {
    return false;
  }
}
