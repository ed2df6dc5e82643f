/** Answers of the responses dialect that are kept, with the conversations they belong to: over any store, by web standards alone. */
export { type Archive, createArchive } from './archive.js';
export type { Exchanged } from './exchanged.js';
export { listedInput } from './listed-input.js';
export {
  exchangedOf,
  isGiven,
  type Named,
  namesIn,
  pathIn,
  placesIn,
  stateOf,
  wholeInput,
} from './named.js';
export {
  inProgress,
  noConversations,
  noItem,
  noResponse,
  notFound,
  notStreamed,
  tooManyReferences,
} from './refusals.js';
export { soundRecords } from './sound-records.js';
export { type Entry, type Found, joined, type Parts, type Store } from './store.js';
export { createBudget } from './turns.js';
