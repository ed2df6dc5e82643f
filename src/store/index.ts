export { type AreaTexts, type Text, toAdapter } from './adapter.js';
export { createArea, EntryTooLarge } from './area.js';
export { createStorage } from './create.js';
export { createMemoryStorage } from './memory.js';
export { createMemoryTallies } from './memory-tallies.js';
export { reachable } from './reachable.js';
/** @internal */
export { redisPackage } from './redis-package.js';
export { type Batch, HOUR_MS, type Increment, type IntervalRange, type KeptInterval, type Tallies } from './tallies.js';
export type { Storage } from './types.js';
