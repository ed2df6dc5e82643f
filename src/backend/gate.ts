import type { BackendConfig } from '../config.js';
import { type Breaker, type BreakerState, createBreaker, type Trip } from './breaker.js';
import { BUSY_MS, type CallFailure, refusedCall } from './call-failure.js';
import { createQueue, type Waiter } from './queue.js';

/** A call in front of the gate. */
export interface Turn {
  /** It may begin. */
  begin(): void;
  /** It may not. */
  refuse(failure: CallFailure): void;
}

/** The place of one call. */
export interface Place {
  /** Lets the call begin, at once or when its turn comes, or refuses it. */
  enter(): void;
  /** The head of the answer is there. */
  answered(status: number): void;
  /** No answer came, and that is no doing of ours. */
  failed(): void;
  /** The call is over, whether it began or not. */
  leave(): void;
}

/** How a backend stands, for who watches. */
export interface Standing {
  readonly breaker: BreakerState;
  /** Calls whose answer has not ended. */
  readonly running: number;
  readonly waiting: number;
}

/** What a call passes before it leaves: the breaker of its backend, and the queue for one of its places. */
export interface Gate {
  placeFor(turn: Turn): Place;
  standing(): Standing;
}

/** Statuses that tell of a backend in trouble. Whatever else is answered shows that it works. */
const TROUBLE = new Set([500, 502, 503, 504, 529]);

type GateConfig = Pick<BackendConfig, 'breaker' | 'concurrency' | 'queue'>;

/**
 * What one of several processes may do of what they may do together: an equal part of the places and of the row, rounded
 * up, so that each has at least one place.
 */
export function shareOf({ breaker, concurrency, queue }: GateConfig, processes: number): GateConfig {
  const share = (whole: number): number => Math.ceil(whole / processes);
  return { breaker, concurrency: concurrency && share(concurrency), queue: share(queue) };
}

/** `onOut` hears when the backend is taken out for so many milliseconds, and `onBack` when it is back. */
export function createGate(config: GateConfig, { onOut, onBack }: { onOut(ms: number): void; onBack(): void }): Gate {
  const queue = createQueue<Entered>(config.concurrency ?? Number.POSITIVE_INFINITY, config.queue);
  const broken = (): CallFailure => refusedCall('breaker', breaker?.rest() ?? 0);
  const breaker: Breaker | undefined =
    config.breaker === false
      ? undefined
      : createBreaker(config.breaker, (state) => {
          const rest = breaker?.rest() ?? 0;
          if (state === 'closed') return onBack();
          if (state === 'open' && rest > 0) onOut(rest);
          // Who waits has no better chance than who comes now.
          for (const { turn } of [...queue.row]) turn.refuse(broken());
        });

  return {
    placeFor(turn) {
      let trip: Trip | undefined;
      let inside = false;
      const entered: Entered = {
        turn,
        begin() {
          trip = breaker?.begin();
          turn.begin();
        },
      };
      return {
        enter() {
          if (breaker !== undefined && breaker.rest() > 0) return turn.refuse(broken());
          inside = true;
          if (queue.enter(entered)) return;
          inside = false;
          turn.refuse(refusedCall('queue', BUSY_MS));
        },
        answered: (status) => trip?.tell(TROUBLE.has(status) ? 'failure' : 'success'),
        failed: () => trip?.tell('failure'),
        leave() {
          if (!inside) return;
          inside = false;
          trip?.tell('neutral');
          // The next one begins when it is known what this one says about the backend.
          if (trip === undefined) queue.leave(entered);
          else void trip.noted.then(() => queue.leave(entered));
        },
      };
    },
    standing: () => ({
      breaker: breaker?.state ?? 'closed',
      running: queue.running,
      waiting: queue.row.size,
    }),
  };
}

interface Entered extends Waiter {
  readonly turn: Turn;
}
