export { blockOf, printBlock } from './block.js';
export { differences, differencesFrom } from './compare.js';
export { hostsAt, isPublicHost } from './place.js';
export { plain } from './plain.js';
export { differencesLines, headOf, notesOf, tableOf } from './print.js';
export { ROWS } from './rows.js';
export { BOUNDS, probe, probeHosts } from './run.js';
export type { ProbeReport } from './types.js';
