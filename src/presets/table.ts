import { CALLED_HOSTS, type DialectId } from '../../translators/index.js';
import type { CalledPreset } from './preset.js';

/** The name of a preset, as a configuration and the command line have it. */
export type PresetName = keyof typeof CALLED_HOSTS;

/** How each preset is called. */
export const calledPresets = CALLED_HOSTS as Readonly<Record<PresetName, CalledPreset>>;

/** Hosts that serve a dialect below no version, and are no presets because they want more than a key [H §1.1]. */
export const BARE_HOSTS: Readonly<Partial<Record<DialectId, readonly string[]>>> = {
  chatCompletions: ['api.githubcopilot.com', 'api.*.githubcopilot.com'],
};

export const presetNames = Object.keys(CALLED_HOSTS) as readonly PresetName[];

/** Whether a word is the name of a preset. */
export function isPresetName(word: string): word is PresetName {
  return Object.hasOwn(CALLED_HOSTS, word);
}

/** Whether a preset is a server that people run themselves. */
export function isLocalPreset(name: PresetName): boolean {
  return CALLED_HOSTS[name].key === 'optional';
}
