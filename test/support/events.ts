import type { EventSink, StreamEvent } from '../../translators/canonical/events.js';

/** A sink that collects events as data that can be compared: without the live view of a text on its way. */
export function into(events: StreamEvent[]): EventSink {
  return (event) => {
    if (event.type !== 'part.start') events.push(event);
    else events.push({ type: event.type, ix: event.ix, part: event.part });
  };
}
