import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Place } from './agent.js';
import { ownFolder } from './settings.js';

/** The names of agents that were launched before, a line each. */
const KNOWN = 'launched';

/** Whether an agent is launched for the first time by this user; it is not the next time. */
export function isFirstRun(name: string, environment: NodeJS.ProcessEnv): boolean {
  const folder = ownFolder(environment);
  const path = join(folder, KNOWN);
  const before = linesAt(path);
  if (before.includes(name)) return false;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, [...before, name, ''].join('\n'), { mode: 0o600 });
  } catch {
    // It is shown again then.
  }
  return true;
}

function linesAt(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

/** What happens, in three lines. `leads` = where a name of the configuration leads. */
export function firstLines(
  { title }: Agent,
  { url, model, small, think }: Place,
  isOwn: boolean,
  leads: (model: string) => string,
): readonly string[] {
  const gateway = isOwn ? `a gateway of its own at ${url}, which ends with it` : `the gateway that runs at ${url}`;
  const routes = [
    `${model} is ${leads(model)}`,
    ...(small === undefined ? [] : [`work in the background ${leads(small)}`]),
    ...(think === undefined ? [] : [`planning ${leads(think)}`]),
  ];
  return [
    `${title} asks ${gateway}; nothing is installed, and none of its files and logins is touched`,
    routes.join('; '),
    'at its end a line shows what was used; --print shows what is set, --check asks once',
  ];
}
