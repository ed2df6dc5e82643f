import { clientGone, createDeferred, createFairRows, Failure, MB, type Waiting } from '../ground/index.js';
import { type Budget, createBudget } from './budget.js';

/** Memory for large bodies: who finds none waits for others to leave. */
export interface Room {
  /** Asks for room for a body of so many bytes. `key` is whose it is where several keys share the room. */
  take(key: string | undefined, bytes: number): Asked;
}

/** Room that was asked for. */
export interface Asked {
  /**
   * Resolves when the body may be worked on. Rejects with Failure (503) when no room becomes free in time, and at once when too much
   * waits already.
   */
  readonly held: Promise<Reservation>;
  /** Nobody waits any more: what is not there yet rejects with `reason`, else as cancelled. */
  abort(reason?: Failure): void;
}

export interface Reservation {
  /** The request was sent: its body is in work no more, and kept until the answer is over. */
  sent(): void;
  leave(): void;
}

/** Bytes that there is room for. */
export interface RoomSizes {
  /** While bodies are read and translated. */
  readonly work: number;
  /** Of those that are open. */
  readonly open: number;
  /** Of those that wait for room. */
  readonly waiting: number;
}

/** The room of a gateway with one process. A body of 64 MB, the default of `limits.bodyMb`, fits into `work`. */
export const ROOM: RoomSizes = { work: 384 * MB, open: 640 * MB, waiting: 256 * MB };

/** How many times its own bytes a body takes while it is read and translated, and from then on until its answer is over. */
const WORK_WEIGHT = 6;
const OPEN_WEIGHT = 3;

/** How long, in ms, a body waits for room. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 2000;

interface Body extends Waiting {
  readonly work: number;
  readonly open: number;
  /** In ms on the clock of the room. */
  readonly since: number;
  enter(): void;
}

/**
 * Bodies of one key come in the order of coming, keys in turn. What fits passes what does not, unless that has waited for half of
 * its patience. A body that is larger than the share of its key counts as much as that, so that it comes in when the share is empty.
 */
export function createRoom(sizes: RoomSizes, patience = PATIENCE_MS, now = () => performance.now()): Room {
  const work = createBudget(sizes.work);
  const open = createBudget(sizes.open);
  const waiting = createBudget(sizes.waiting);
  const rows = createFairRows<Body>();

  const fits = ({ key, work: worked, open: opened }: Body): boolean => work.fits(key, worked) && open.fits(key, opened);
  /** Others hold what it lacks, and it has waited so long that none of them is to come before it. */
  const isFirst = (body: Body): boolean =>
    now() - body.since >= patience / 2 &&
    work.fitsShare(body.key, body.work) &&
    open.fitsShare(body.key, body.open) &&
    !fits(body);
  const serve = (): void => {
    for (;;) {
      const next = [...rows].some(isFirst) ? undefined : rows.next(fits);
      if (next === undefined) return;
      next.enter();
    }
  };
  const hold = ({ key, work: worked, open: opened }: Body): Reservation => {
    const sent = holdOf(work, key, worked);
    const over = holdOf(open, key, opened);
    return {
      sent() {
        sent();
        serve();
      },
      leave() {
        sent();
        over();
        serve();
      },
    };
  };
  return {
    take(key, bytes) {
      const deferred = createDeferred<Reservation>();
      const waits = Math.min(bytes, waiting.share(key));
      if (!waiting.fits(key, waits)) {
        deferred.reject(noRoom());
        return { held: deferred.promise, abort: () => {} };
      }
      const wait = holdOf(waiting, key, waits);
      const body: Body = {
        key,
        work: Math.min(bytes * WORK_WEIGHT, work.share(key)),
        open: Math.min(bytes * OPEN_WEIGHT, open.share(key)),
        since: now(),
        enter() {
          clearTimeout(timer);
          wait();
          deferred.resolve(hold(body));
        },
      };
      const give = (reason: Failure): void => {
        if (!rows.delete(body)) return;
        clearTimeout(timer);
        wait();
        deferred.reject(reason);
        serve();
      };
      const timer = setTimeout(() => give(noRoom()), patience);
      rows.add(body);
      serve();
      return { held: deferred.promise, abort: (reason = clientGone()) => give(reason) };
    },
  };
}

/** Takes some of a budget; gives it back when it is called for the first time. */
function holdOf(budget: Budget, key: string | undefined, bytes: number): () => void {
  let held = bytes;
  budget.take(key, held);
  return () => {
    budget.free(key, held);
    held = 0;
  };
}

function noRoom(): Failure {
  const message = 'the gateway has too many large bodies to work on';
  return new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: RETRY_MS });
}
