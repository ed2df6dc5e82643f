export type {
  LiveAttempt,
  LiveDetail,
  LiveExchange,
  LiveLoss,
  LiveLosses,
  LiveRestriction,
  LiveText,
  LiveTimes,
  LiveTokens,
} from './exchange.js';
export { FILTERS, filterFault, fits, type LiveFilter, readFilter } from './filter.js';
