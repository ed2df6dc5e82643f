export { completeRoot, hostFor, isRoot, lookUpHost } from './lookup.js';
export { type Door, dialectsOf, type Preset } from './preset.js';
export { isPresetName, type PresetName, presetNames, presets } from './table.js';
