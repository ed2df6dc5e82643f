import type { Part } from '../canonical/content.js';
import type { StreamEvent } from '../canonical/events.js';
import { createLowestFirst, type LowestFirst } from './lowest-first.js';

/** An event of one part. */
export type PartEvent = Extract<StreamEvent, { readonly ix: number }>;

/** Passes on the events of parts that may come interleaved, one part after the other. */
export type PartQueue = {
  push(event: PartEvent): void;
  /** Passes on what still waits. `abandon` ends the open part, which is `unfinished` if its end did not come. */
  flush(abandon?: (unfinished: boolean) => void): void;
};

/**
 * While one part is open the others wait, and follow in the order of their numbers when it ends (translation.md 6.2, 6.3);
 * events of a part that has ended pass at once. `awaited` names the hosted call after which only its result may begin.
 */
export function createPartQueue(
  handle: (event: PartEvent) => void,
  awaited: () => string | undefined = () => undefined,
): PartQueue {
  const waiting = new Map<number, PartEvent[]>();
  const order = createLowestFirst();
  /** Which of those that wait are the result of a hosted call, by its id. */
  const results = new Map<string, LowestFirst>();
  let current: number | undefined;

  const pass = (event: PartEvent): void => {
    if (event.type === 'part.start') current = event.ix;
    handle(event);
    if (event.type === 'part.end' && event.ix === current) current = undefined;
  };

  const mayStart = (part: Part): boolean => {
    if (current !== undefined) return false;
    const callId = awaited();
    return callId === undefined || (part.kind === 'hostedResult' && part.callId === callId);
  };

  const enqueue = (event: Extract<PartEvent, { type: 'part.start' }>): void => {
    waiting.set(event.ix, [event]);
    order.add(event.ix);
    if (event.part.kind !== 'hostedResult') return;
    const known = results.get(event.part.callId) ?? createLowestFirst();
    known.add(event.ix);
    results.set(event.part.callId, known);
  };

  /** The lowest part that waits and may start now. What was taken out by one list is passed over in the other. */
  const next = (): number | undefined => {
    if (current !== undefined) return undefined;
    const callId = awaited();
    const list = callId === undefined ? order : results.get(callId);
    let ix = list?.take();
    while (ix !== undefined && !waiting.has(ix)) ix = list?.take();
    return ix;
  };

  const drain = (): void => {
    for (let ix = next(); ix !== undefined; ix = next()) {
      const events = waiting.get(ix) ?? [];
      waiting.delete(ix);
      for (const event of events) pass(event);
    }
  };

  return {
    push(event) {
      const held = waiting.get(event.ix);
      if (held !== undefined) {
        held.push(event);
      } else if (event.type === 'part.start' && !mayStart(event.part)) {
        enqueue(event);
      } else {
        pass(event);
        if (current === undefined && waiting.size > 0) drain();
      }
    },
    flush(abandon) {
      while (current !== undefined || waiting.size > 0) {
        abandon?.(current !== undefined);
        current = undefined;
        drain();
      }
    },
  };
}
