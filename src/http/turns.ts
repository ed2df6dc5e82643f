import type { Config } from '../config/index.js';
import { clientGone, createFairRows, type Waiting } from '../ground/index.js';
import type { ClientCall } from './client-call.js';
import { sharerOf } from './held-places.js';
import { LARGE } from './slices.js';

/**
 * Shares out the thread that serves everybody: what bodies cost it in one turn of the event loop is bounded, and those that arrive
 * together and are more than that wait for later turns, keys in turn. A key waits for its own bodies, and not for all of another's.
 */
export interface Turns {
  /** Asks to work on a body of so many bytes: undefined = at once, and else it resolves in the turn in which that may begin. */
  take(key: string | undefined, bytes: number): Promise<void> | undefined;
}

/** So many bytes of bodies are worked on in one turn, but for one body that is larger. */
const MOST = LARGE;
/** What a request takes beside its body, as bytes of a body that take as long. */
const REQUEST = 32 * 1024;

interface Waiter extends Waiting {
  readonly cost: number;
  begin(): void;
}

/** `next` calls back in the next turn. */
export function createTurns(next: (begin: () => void) => unknown = setImmediate): Turns {
  const rows = createFairRows<Waiter>();
  let used = 0;
  const fits = (cost: number): boolean => used === 0 || used + cost <= MOST;
  const spend = (cost: number): void => {
    if (used === 0) next(turn);
    used += cost;
  };
  const turn = (): void => {
    used = 0;
    for (;;) {
      const waiter = rows.next(({ cost }) => fits(cost));
      if (waiter === undefined) return;
      spend(waiter.cost);
      waiter.begin();
    }
  };
  return {
    take(key, bytes) {
      const cost = REQUEST + bytes;
      if (fits(cost)) {
        rows.served(key);
        return void spend(cost);
      }
      return new Promise((begin) => rows.add({ key, cost, begin }));
    },
  };
}

/** Resolves in the turn of a call to work on so many bytes; undefined = that is now. Rejects when its client has left by then. */
export function takeTurn(
  { config, state }: { readonly config: Pick<Config, 'keys'>; readonly state: { readonly turns: Turns } },
  call: Pick<ClientCall, 'key' | 'gone'>,
  bytes: number,
): Promise<void> | undefined {
  const turn = state.turns.take(sharerOf(config, call), bytes);
  if (turn === undefined && !call.gone) return undefined;
  return Promise.resolve(turn).then(() => {
    if (call.gone) throw clientGone();
  });
}
