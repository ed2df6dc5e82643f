import type { EventSink, StreamEvent } from '../canonical/events.js';
import { addUsage, createFold, mergeUsage } from '../canonical/fold.js';
import type { Usage } from '../canonical/response.js';
import type { EncodedRequest } from '../dialect.js';
import { MAX_HOPS, type Parts } from './parts.js';

/** Holds back the end of a paused hop and joins the hops to one stream (translation.md 5.2 `pause`). */
export interface Hops {
  readonly sink: EventSink;
  /** The request that lets the answer go on, once per pause. */
  take(): EncodedRequest | undefined;
  /** The hop that ended waits to be resumed. */
  readonly paused: boolean;
}

/** The stage that joins hops, in front of `next`. It does nothing where no answer can pause. */
export function createHops({ backend, options, sent }: Parts, next: EventSink): Hops {
  const { pauses } = backend;
  const hosted = options.request?.tools.some((tool) => tool.kind === 'hosted') === true;
  if (pauses === undefined || sent === undefined || !hosted)
    return { sink: next, take: () => undefined, paused: false };
  let fold = createFold(backend.id);
  let last = sent;
  let count = 0;
  let offset = 0;
  let highest = -1;
  let spent: Usage | undefined;
  let current: Usage | undefined;
  let paused = false;

  const sink = (event: StreamEvent): void => {
    fold.sink(event);
    switch (event.type) {
      case 'start':
        current = event.usage;
        if (count === 0) next(event);
        return;
      case 'usage':
        current = mergeUsage(current, event.usage);
        next({ type: 'usage', usage: addUsage(spent, current) ?? {} });
        return;
      case 'finish':
        paused = event.finish.kind === 'pause' && count < MAX_HOPS;
        if (!paused) next(event);
        return;
      case 'end':
        if (!paused) next(event);
        return;
      case 'part.start':
      case 'part.delta':
      case 'part.citation':
      case 'part.logprobs':
      case 'part.state':
      case 'part.end':
        highest = Math.max(highest, event.ix + offset);
        next(offset === 0 ? event : { ...event, ix: event.ix + offset });
        return;
      default:
        next(event);
    }
  };
  return {
    sink,
    get paused() {
      return paused;
    },
    take() {
      const response = paused ? fold.response : undefined;
      if (response === undefined) return undefined;
      last = pauses.resume(last, pauses.whole(response));
      count += 1;
      offset = highest + 1;
      spent = addUsage(spent, current);
      current = undefined;
      paused = false;
      fold = createFold(backend.id);
      return last;
    },
  };
}
