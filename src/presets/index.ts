export { completeRoot, hostFor, isRoot, lookUpHost } from './lookup.js';
export { type Endpoint, dialectsOf, type Preset } from './preset.js';
export { isLocalPreset, isPresetName, type PresetName, presetNames, presets } from './table.js';
