import type { StreamEvent } from './events.js';

/** What all events of a stream are together. */
interface Totals {
  readonly events: number;
  readonly bytes: number;
  /** The number of the event with the first text, from 1; 0 = none has any. */
  readonly firstText: number;
}

/** The totals of a stream. */
export function totalsOf(events: readonly Pick<StreamEvent, 'bytes' | 'said'>[]): Totals {
  return {
    events: events.length,
    bytes: events.reduce((sum, { bytes }) => sum + bytes, 0),
    firstText: events.findIndex(({ said }) => said !== '') + 1,
  };
}
