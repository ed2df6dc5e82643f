export { createLiveAnswerer } from './gather.js';
export { createLive, type Live } from './live.js';
export { FILTERS, filterFault, fits, readFilter } from './plain/index.js';
export type { Position } from './readers.js';
