import { BODY_FAULTS } from './bodies.js';
import { CONNECTION_FAULTS } from './connections.js';
import type { Fault } from './fault.js';
import { LINE_ENDS, ODDITIES } from './oddities.js';
import { REFUSALS } from './refusals.js';
import { STREAM_FAULTS } from './streams.js';

/** Every fault that a connected backend can show, in the order of their rows. Rows 1 to 4, 6 and 9 stand alone. */
export const FAULTS: readonly Fault[] = [
  ...ODDITIES,
  ...LINE_ENDS,
  ...CONNECTION_FAULTS,
  ...REFUSALS,
  ...BODY_FAULTS,
  ...STREAM_FAULTS,
].sort((a, b) => a.row - b.row);
