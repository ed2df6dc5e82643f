import type { EventSink, StreamEvent } from '../canonical/events.js';
import { addUsage, mergeUsage } from '../canonical/fold.js';
import type { Usage } from '../canonical/response.js';
import type { EncodedRequest } from '../dialect.js';

/** Holds back the end of an answer that is asked for once more, and joins both to one stream. */
export interface Repeat {
  readonly sink: EventSink;
  /** Whether the answer that ended is to be asked for once more; true once. */
  take(): boolean;
  /** The answer that ended is to be asked for once more. */
  readonly waiting: boolean;
}

/**
 * The stage for answers whose model announced calls and made none (hard case H-RESP-02): one of which nothing was shown is asked
 * for a second time, as whole ones are. What it cost is added to the counts.
 */
export function createRepeat(sent: EncodedRequest | undefined, next: EventSink): Repeat {
  if (sent === undefined) return { sink: next, take: () => false, waiting: false };
  /** Something was shown, or it was asked for twice: nothing is held back any more. */
  let settled = false;
  let waiting = false;
  let again = false;
  let spent: Usage | undefined;
  let current: Usage | undefined;

  const sink = (event: StreamEvent): void => {
    switch (event.type) {
      case 'start':
        current = event.usage;
        if (!again) next(event);
        return;
      case 'usage':
        current = mergeUsage(current, event.usage);
        next(spent === undefined ? event : { type: 'usage', usage: addUsage(spent, current) ?? {} });
        return;
      case 'finish':
        waiting = !settled && event.finish.kind === 'malformed_call';
        if (!waiting) next(event);
        return;
      case 'end':
        if (!waiting) next(event);
        return;
      case 'ping':
        next(event);
        return;
      default:
        settled = true;
        next(event);
    }
  };
  return {
    sink,
    get waiting() {
      return waiting;
    },
    take() {
      if (!waiting) return false;
      waiting = false;
      settled = true;
      again = true;
      spent = current;
      current = undefined;
      return true;
    },
  };
}
