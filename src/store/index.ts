export { type AreaTexts, type Text, toAdapter } from './adapter.js';
export { createArea, EntryTooLarge } from './area.js';
export { createStorage } from './create.js';
export { createMemoryStorage } from './memory.js';
export { reachable } from './reachable.js';
/** @internal */
export { redisPackage } from './redis-package.js';
export type { Entry, Found, Storage, Store } from './types.js';
