import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Agent, Rival } from './agent.js';

/** A file of the agent's own settings with another value, which loses, and what of it. */
export interface Beaten {
  readonly path: string;
  readonly keys: readonly string[];
}

/** The files of settings that lose against the values of the launch, as far as they are there. */
export function beatenFiles({ rivals }: Agent, environment: NodeJS.ProcessEnv, folder: string): readonly Beaten[] {
  return rivals.flatMap((rival) => {
    const path = pathOf(rival, environment, folder);
    const text = textAt(path);
    const keys = rival.keys.filter((key) => new RegExp(`(?:^|["\\s])${key}["\\s]*[:=]`, 'm').test(text));
    return keys.length === 0 ? [] : [{ path, keys }];
  });
}

/** The texts of an agent's own settings, as far as they are there, in the order of its rivals. */
export function ownSettings({ rivals }: Agent, environment: NodeJS.ProcessEnv, folder: string): readonly string[] {
  return rivals.map((rival) => textAt(pathOf(rival, environment, folder))).filter((text) => text !== '');
}

function pathOf({ path, folderIn }: Rival, environment: NodeJS.ProcessEnv, folder: string): string {
  if (!path.startsWith('~/')) return join(folder, path);
  const other = folderIn === undefined ? '' : (environment[folderIn] ?? '');
  const below = path.slice(2);
  if (other === '') return join(homeOf(environment), below);
  // A variable that ends in HOME may name the home of all its folders, or the folder itself.
  return folderIn === 'GEMINI_CLI_HOME' ? join(other, below) : join(other, below.slice(below.indexOf('/') + 1));
}

/** The home of the user. */
export function homeOf({ HOME = '' }: NodeJS.ProcessEnv): string {
  return HOME === '' ? homedir() : HOME;
}

/** '' for a file that is not there. */
function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
