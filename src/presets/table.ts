import { type DialectId, HOSTS } from '../../translators/index.js';
import type { Preset } from './preset.js';

/** The name of a preset, as a configuration and the command line have it. */
export type PresetName = keyof typeof HOSTS;

/** The one table of the hosts that the gateway knows (hosts.md#presets). */
export const presets: Readonly<Record<PresetName, Preset>> = HOSTS;

/** Hosts that serve a dialect below no version, and are no presets because they want more than a key [H §1.1]. */
export const BARE_HOSTS: Readonly<Partial<Record<DialectId, readonly string[]>>> = {
  chatCompletions: ['api.githubcopilot.com', 'api.*.githubcopilot.com'],
};

export const presetNames = Object.keys(HOSTS) as readonly PresetName[];

/** Whether a word is the name of a preset. */
export function isPresetName(word: string): word is PresetName {
  return Object.hasOwn(HOSTS, word);
}

/** Whether a preset is a server that people run themselves. */
export function isLocalPreset(name: PresetName): boolean {
  return presets[name].key === 'optional';
}
