export { completeRoot, hostFor, isRoot, lookUpHost } from './lookup.js';
export { dialectsOf, type Endpoint, type Preset } from './preset.js';
export { presets } from './rows.js';
export { calledPresets, isLocalPreset, isPresetName, type PresetName, presetNames } from './table.js';
