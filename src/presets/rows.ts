import { HOSTS } from '../../translators/index.js';
import type { Preset } from './preset.js';
import type { PresetName } from './table.js';

/** The one table of the hosts that the gateway knows (hosts.md#presets). What runs without it takes {@link calledPresets}. */
export const presets: Readonly<Record<PresetName, Preset>> = HOSTS;
