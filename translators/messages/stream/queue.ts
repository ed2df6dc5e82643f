import type { StreamEvent } from '../../canonical/events.js';
import { createLowestFirst } from '../../wire/lowest-first.js';

/** Events that concern one part. */
export type PartEvent = Extract<StreamEvent, { readonly ix: number }>;

/** Puts interleaved parts one after the other. */
interface Serializer {
  push(event: PartEvent): void;
  /** Lets out what waits for a part that never ended. */
  flush(): void;
}

/**
 * Blocks are never interleaved in this dialect [M §5.3]: the part that is open streams on, others wait and follow in the
 * order of `ix` when it ends (translation.md 6.2). Citations of parts that ended pass through.
 */
export function createSerializer(handle: (event: PartEvent) => void): Serializer {
  const waiting = new Map<number, PartEvent[]>();
  const order = createLowestFirst();
  const ended = new Set<number>();
  let current: number | undefined;

  const pass = (event: PartEvent): void => {
    handle(event);
    if (event.type !== 'part.end') return;
    ended.add(event.ix);
    current = undefined;
  };

  const drain = (): void => {
    while (current === undefined) {
      const next = order.take();
      if (next === undefined) return;
      const events = waiting.get(next) ?? [];
      waiting.delete(next);
      current = next;
      for (const event of events) pass(event);
    }
  };

  return {
    push(event) {
      current ??= ended.has(event.ix) ? undefined : event.ix;
      if (event.ix === current || ended.has(event.ix)) {
        pass(event);
        if (current === undefined) drain();
        return;
      }
      const events = waiting.get(event.ix);
      if (events === undefined) {
        waiting.set(event.ix, [event]);
        order.add(event.ix);
      } else {
        events.push(event);
      }
    },
    flush() {
      do {
        current = undefined;
        drain();
      } while (waiting.size > 0);
    },
  };
}
