import type { Part } from '../../canonical/content.js';
import type { StreamEvent } from '../../canonical/events.js';
import type { StateEntry } from '../../canonical/state.js';
import { createLowestFirst, type LowestFirst } from '../../wire/lowest-first.js';

/** An event of one part. */
export type PartEvent = Extract<StreamEvent, { ix: number }>;

/** Takes the events of one part, from its start to its end. */
export interface Session {
  delta(event: Extract<StreamEvent, { type: 'part.delta' }>): void;
  state(entries: readonly StateEntry[]): void;
  end(part: Part): void;
}

/** What the parts of an answer become. */
export interface Sessions {
  begin(ix: number, head: Part, said?: () => string): Session;
  /** Citations may come while the part is open and after it. */
  citation(event: Extract<StreamEvent, { type: 'part.citation' }>): void;
  /** Log probabilities that come after their part. */
  tokens(event: Extract<StreamEvent, { type: 'part.logprobs' }>): void;
  /** The id of the hosted call whose item is open and lacks its result. */
  readonly awaited: string | undefined;
  /** Ends the open item of a part that will not end any more. */
  abandon(cut: boolean): void;
}

/**
 * Writes parts one after the other, whatever order their events come in: while one is open the others wait, and are
 * written in the order of their numbers when it ends (translation.md 6.2, 6.3). A hosted call is open until its result.
 */
export function createSerializer(sessions: Sessions): { write(event: PartEvent): void; finish(cut: boolean): void } {
  const queue = new Map<number, PartEvent[]>();
  const order = createLowestFirst();
  /** Which of those that wait are the result of a hosted call, by its id. */
  const results = new Map<string, LowestFirst>();
  let live: { readonly ix: number; readonly session: Session } | undefined;

  const feed = (event: PartEvent): void => {
    if (event.type === 'part.start') {
      live = { ix: event.ix, session: sessions.begin(event.ix, event.part, event.said) };
    } else if (event.type === 'part.citation') {
      sessions.citation(event);
    } else if (event.type === 'part.logprobs') {
      if (live?.ix !== event.ix) sessions.tokens(event);
    } else if (live?.ix === event.ix) {
      if (event.type === 'part.delta') live.session.delta(event);
      else if (event.type === 'part.state') live.session.state(event.entries);
      else if (event.type === 'part.end') {
        live.session.end(event.part);
        live = undefined;
      }
    }
  };

  /** Whether a part may start now: nothing is open, or it is what the open item waits for. */
  const mayStart = (part: Part): boolean =>
    live === undefined &&
    (sessions.awaited === undefined || (part.kind === 'hostedResult' && part.callId === sessions.awaited));

  const enqueue = (event: Extract<PartEvent, { type: 'part.start' }>): void => {
    queue.set(event.ix, [event]);
    order.add(event.ix);
    if (event.part.kind !== 'hostedResult') return;
    const known = results.get(event.part.callId) ?? createLowestFirst();
    known.add(event.ix);
    results.set(event.part.callId, known);
  };

  /** The lowest part that waits and may start now. What was taken out by one list is passed over in the other. */
  const next = (): number | undefined => {
    if (live !== undefined) return undefined;
    const { awaited } = sessions;
    const list = awaited === undefined ? order : results.get(awaited);
    let ix = list?.take();
    while (ix !== undefined && !queue.has(ix)) ix = list?.take();
    return ix;
  };

  const flush = (): void => {
    for (let ix = next(); ix !== undefined; ix = next()) {
      const events = queue.get(ix) ?? [];
      queue.delete(ix);
      events.forEach(feed);
    }
  };

  return {
    write(event) {
      const held = queue.get(event.ix);
      if (held !== undefined) {
        held.push(event);
      } else if (event.type === 'part.start' && !mayStart(event.part)) {
        enqueue(event);
      } else {
        feed(event);
        if (live === undefined && queue.size > 0) flush();
      }
    },
    finish(cut) {
      while (live !== undefined || queue.size > 0) {
        sessions.abandon(cut || live !== undefined);
        live = undefined;
        flush();
      }
      sessions.abandon(cut);
    },
  };
}
