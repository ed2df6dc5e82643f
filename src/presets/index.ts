export { completeRoot, hostFor, isRoot, lookUpHost } from './lookup.js';
export { dialectsOf, type Endpoint, type Preset } from './preset.js';
export { isLocalPreset, isPresetName, type PresetName, presetNames, presets } from './table.js';
