export { createLive, type Live } from './live.js';
export { FILTERS, fits, readFilter } from './plain/index.js';
export type { Position } from './readers.js';
export { createLiveAnswerer } from './source.js';
