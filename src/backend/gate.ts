import type { BackendConfig } from '../config/index.js';
import { BUSY_MS, type CallFailure, refusedCall } from '../ground/index.js';
import { tellsMistake } from '../protocol/index.js';
import { type Attempt, type Breaker, type BreakerState, createBreaker } from './breaker.js';
import { type BreakerGroup, createBreakerGroup } from './breaker-group.js';
import { createQueue, type Waiter } from './queue.js';

/** What calls are for; `others` are relayed without being understood. A backend that fails at one of them may do well at the others (configuration.md#rules `.breaker`). */
export const CALL_KINDS = ['conversations', 'pictures', 'videos', 'others'] as const;

export type CallKind = (typeof CALL_KINDS)[number];

/** A call in front of the gate. */
export interface Turn {
  readonly kind: CallKind;
  /** Whose call it is, where several keys share the backend: failures of one key alone keep out no other. */
  readonly key: string | undefined;
  /** What kind of request it is, whatever it says. */
  shape(): string;
  /** It may begin. */
  begin(): void;
  /** It may not. */
  refuse(failure: CallFailure): void;
}

/** The place of one call. */
export interface Place {
  /** Lets the call begin, at once or when its turn comes, or refuses it. */
  enter(): void;
  /** The head of the answer is there; of a {@link SUSPECT} status its body, or the beginning of that. */
  answered(status: number, body?: Uint8Array): void;
  /** No answer came, and that is no doing of ours. */
  failed(): void;
  /** The call is over, whether it began or not. */
  leave(): void;
}

/** The status of a backend. */
export interface Status {
  /** The furthest of its breakers: open before half-open before closed. */
  readonly breaker: BreakerState;
  /** The kinds of calls for which it is out: none begins, but for trials. */
  readonly out: readonly CallKind[];
  /** Calls whose answer has not ended. */
  readonly running: number;
  readonly waiting: number;
  /** How long, in ms, no call of a conversation begins, whoever's it is. */
  readonly restMs: number;
  /** Keys whose conversations alone are kept out, and for how long in ms. */
  readonly keysOut: readonly (readonly [key: string, ms: number])[];
  /** It refused our own credentials, and has answered nothing since. */
  readonly keyRefused: boolean;
}

/** What a call passes before it leaves: the breaker of its backend for its kind, and the queue for one of its places. */
export interface Gate {
  placeFor(turn: Turn): Place;
  status(): Status;
  /** The backend refused our own credentials. */
  noteRefusedKey(): void;
}

/** Statuses that tell of a backend in trouble. Whatever else is answered shows that it works, but for {@link SUSPECT}. */
const TROUBLE = new Set([502, 503, 504, 529]);

/** The status of a backend in trouble, and of some to which a client sent what they do not take. */
export const SUSPECT = 500;

type GateConfig = Pick<BackendConfig, 'breaker' | 'concurrency' | 'queue'>;

/**
 * What one of several processes may do of what they may do together: an equal part of the places and of the row, rounded
 * up, so that each has at least one place.
 */
export function shareOf({ breaker, concurrency, queue }: GateConfig, processes: number): GateConfig {
  const share = (whole: number): number => Math.ceil(whole / processes);
  return { breaker, concurrency: concurrency && share(concurrency), queue: share(queue) };
}

/** Hears what becomes of a kind of calls, or of those of one key. */
export interface GateWatch {
  /** None begins for so many milliseconds. */
  onOut(kind: CallKind, ms: number, key?: string): void;
  onBack(kind: CallKind, key?: string): void;
}

/** Kinds of calls fail apart, and share the places of the backend. */
export function createGate(config: GateConfig, watch: GateWatch): Gate {
  const queue = createQueue<Entered>(config.concurrency ?? Number.POSITIVE_INFINITY, config.queue);
  /** Keeps calls out; without `key`, those of everybody. */
  const breakerFor = (kind: CallKind, key?: string, mayOpen?: () => boolean): Breaker | undefined => {
    if (config.breaker === false) return undefined;
    const breaker = createBreaker(
      config.breaker,
      (state) => {
        const rest = breaker.rest();
        if (state === 'closed') return watch.onBack(kind, key);
        if (state === 'open' && rest > 0) watch.onOut(kind, rest, key);
        // Who waits has no better chance than who comes now.
        for (const { turn } of [...queue.row]) {
          if (turn.kind === kind && (key === undefined || turn.key === key)) turn.refuse(refusedCall('breaker', rest));
        }
      },
      mayOpen,
    );
    return breaker;
  };
  const groupFor = (kind: CallKind): BreakerGroup =>
    createBreakerGroup((key, mayOpen) => breakerFor(kind, key, mayOpen));
  const groups: Readonly<Record<CallKind, BreakerGroup>> = {
    conversations: groupFor('conversations'),
    pictures: groupFor('pictures'),
    videos: groupFor('videos'),
    others: groupFor('others'),
  };

  let keyRefused = false;

  return {
    placeFor(turn) {
      const group = groups[turn.kind];
      let attempt: Attempt | undefined;
      let inside = false;
      const entered: Entered = {
        turn,
        key: turn.key,
        begin() {
          attempt = group.begin(turn.key);
          turn.begin();
        },
      };
      return {
        enter() {
          const rest = group.rest(turn.key);
          if (rest > 0) return turn.refuse(refusedCall('breaker', rest));
          inside = true;
          const hindrance = queue.enter(entered);
          if (hindrance === undefined) return;
          inside = false;
          turn.refuse(refusedCall('queue', BUSY_MS, hindrance === 'share' ? shareText(config) : undefined));
        },
        answered(status, body) {
          if (status < 400) keyRefused = false;
          const isSuspect = status === SUSPECT && (body === undefined || !tellsMistake(body));
          if (isSuspect) attempt?.report({ shape: turn.shape() });
          else attempt?.report(TROUBLE.has(status) ? 'failure' : 'success');
        },
        failed: () => attempt?.report('failure'),
        leave() {
          if (!inside) return;
          inside = false;
          attempt?.report('neutral');
          // The next one begins when it is known what this one says about the backend.
          const noted = attempt?.noted();
          if (noted === undefined) queue.leave(entered);
          else void noted.then(() => queue.leave(entered));
        },
      };
    },
    status() {
      const states = CALL_KINDS.map((kind) => groups[kind].state);
      return {
        breaker: STATES.find((state) => states.includes(state)) ?? 'closed',
        out: CALL_KINDS.filter((_kind, index) => states[index] !== 'closed'),
        running: queue.running,
        waiting: queue.row.size,
        restMs: groups.conversations.rest(undefined),
        keysOut: groups.conversations.keysOut(),
        keyRefused,
      };
    },
    noteRefusedKey() {
      keyRefused = true;
    },
  };
}

/** From the furthest on. */
const STATES = ['open', 'half-open', 'closed'] as const satisfies readonly BreakerState[];

function shareText({ concurrency, queue }: GateConfig): string {
  return `this API key has reached its share of the places of the backend (concurrency: ${concurrency}, queue: ${queue})`;
}

interface Entered extends Waiter {
  readonly turn: Turn;
}
