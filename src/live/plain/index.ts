export {
  type LiveAttempt,
  type LiveDetail,
  type LiveExchange,
  type LiveLoss,
  type LiveLosses,
  type LiveRestriction,
  type LiveText,
  type LiveTimes,
  type LiveTokens,
  MOST_KEPT,
} from './exchange.js';
export { FILTERS, filterFault, fits, type LiveFilter, readFilter } from './filter.js';
