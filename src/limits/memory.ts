import { createLedger, type Ledger } from './ledger.js';
import { memoryPlaces } from './places.js';
import { memoryCounters, windowsOf } from './windows.js';

/** The counts of one process. */
export function createMemoryLedger(): Ledger {
  return createLedger(windowsOf(memoryCounters()), memoryPlaces());
}
