import type { BackendConfig } from '../config.js';
import { type Breaker, type BreakerState, createBreaker, type Trip } from './breaker.js';
import { BUSY_MS, type CallFailure, refusedCall } from './call-failure.js';
import { createQueue, type Waiter } from './queue.js';

/** What calls are for; `others` are relayed without being understood. A backend that fails at one of them may do well at the others (contract.md 3.1 `.breaker`). */
export const CALL_KINDS = ['conversations', 'pictures', 'videos', 'others'] as const;

export type CallKind = (typeof CALL_KINDS)[number];

/** A call in front of the gate. */
export interface Turn {
  readonly kind: CallKind;
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
  /** The furthest of its breakers: open before half-open before closed. */
  readonly breaker: BreakerState;
  /** The kinds of calls for which it is out: none begins, but for trials. */
  readonly out: readonly CallKind[];
  /** Calls whose answer has not ended. */
  readonly running: number;
  readonly waiting: number;
}

/** What a call passes before it leaves: the breaker of its backend for its kind, and the queue for one of its places. */
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

/** Hears what becomes of a kind of calls. */
export interface GateWatch {
  /** None begins for so many milliseconds. */
  onOut(kind: CallKind, ms: number): void;
  onBack(kind: CallKind): void;
}

/** Kinds of calls fail apart, and share the places of the backend. */
export function createGate(config: GateConfig, { onOut, onBack }: GateWatch): Gate {
  const queue = createQueue<Entered>(config.concurrency ?? Number.POSITIVE_INFINITY, config.queue);
  const broken = (kind: CallKind): CallFailure => refusedCall('breaker', breakers[kind]?.rest() ?? 0);
  const breakerFor = (kind: CallKind): Breaker | undefined =>
    config.breaker === false
      ? undefined
      : createBreaker(config.breaker, (state) => {
          const rest = breakers[kind]?.rest() ?? 0;
          if (state === 'closed') return onBack(kind);
          if (state === 'open' && rest > 0) onOut(kind, rest);
          // Who waits has no better chance than who comes now.
          for (const { turn } of [...queue.row]) if (turn.kind === kind) turn.refuse(broken(kind));
        });
  const breakers: Readonly<Record<CallKind, Breaker | undefined>> = {
    conversations: breakerFor('conversations'),
    pictures: breakerFor('pictures'),
    videos: breakerFor('videos'),
    others: breakerFor('others'),
  };

  return {
    placeFor(turn) {
      const breaker = breakers[turn.kind];
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
          if (breaker !== undefined && breaker.rest() > 0) return turn.refuse(broken(turn.kind));
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
    standing() {
      const states = CALL_KINDS.map((kind) => breakers[kind]?.state ?? 'closed');
      return {
        breaker: STATES.find((state) => states.includes(state)) ?? 'closed',
        out: CALL_KINDS.filter((_kind, index) => states[index] !== 'closed'),
        running: queue.running,
        waiting: queue.row.size,
      };
    },
  };
}

/** From the furthest on. */
const STATES = ['open', 'half-open', 'closed'] as const satisfies readonly BreakerState[];

interface Entered extends Waiter {
  readonly turn: Turn;
}
