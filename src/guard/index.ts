export { type ByteTools, WEB_BYTES } from './bytes.js';
export { createLeakGuard, type LeakGuard } from './leak-guard.js';
export {
  containsSecret,
  createOutputFilter,
  createTextFilter,
  endingOf,
  type OutputFilter,
  type TextFilter,
} from './output-filter.js';
export { createGuardedGate } from './relay-gate.js';
export { createRelayGuard, guarded, type RelayGuard } from './relay-guard.js';
