import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Place, Settings } from './agent.js';
import { homeOf, ownSettings } from './beaten.js';

/** A folder of ours that nobody else may read. */
export interface Folder {
  readonly path: string;
  remove(): void;
}

/** One for a launch: agents trust no files below a folder that others may write to, as that for temporary ones. */
export function createFolder(environment: NodeJS.ProcessEnv): Folder {
  const path = join(ownFolder(environment), String(process.pid));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The one that stays, for settings that are printed. */
export function ownFolder(environment: NodeJS.ProcessEnv): string {
  const { XDG_CONFIG_HOME = '' } = environment;
  const config = XDG_CONFIG_HOME === '' ? join(homeOf(environment), '.config') : XDG_CONFIG_HOME;
  return join(config, 'interlingua', 'launch');
}

/** Where the state of our gateway stays between launches, for the user alone. */
export function stateFolder(environment: NodeJS.ProcessEnv): string {
  const { XDG_STATE_HOME = '' } = environment;
  const state = XDG_STATE_HOME === '' ? join(homeOf(environment), '.local', 'state') : XDG_STATE_HOME;
  return join(state, 'interlingua', 'launch');
}

/** What makes an agent speak to the gateway at a place. A file that it is to read is written to `folder`, for the user alone. */
export function prepare(agent: Agent, place: Place, folder: string, environment: NodeJS.ProcessEnv): Settings {
  const own = ownSettings(agent, environment, process.cwd());
  const { name, text } = agent.file?.(place, own) ?? { name: '', text: '' };
  const path = join(folder, name);
  if (name !== '') {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A file that is there keeps its mode: it is made anew.
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode: 0o600 });
  }
  const settings = agent.settings(place, path, own);
  return { ...settings, env: { ...settings.env, ...aroundProxies(place, environment) } };
}

/** Agents send everything to a proxy that their environment names, what is on this machine too. */
function aroundProxies({ url }: Place, environment: NodeJS.ProcessEnv): Record<string, string> {
  const named = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].some(
    (name) => (environment[name] ?? environment[name.toLowerCase()] ?? '') !== '',
  );
  if (!named) return {};
  const given = environment.no_proxy ?? environment.NO_PROXY ?? '';
  const all = [...given.split(',').filter((host) => host.trim() !== ''), new URL(url).hostname].join(',');
  return { NO_PROXY: all, no_proxy: all };
}
