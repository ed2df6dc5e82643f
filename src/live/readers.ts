import { createEventReader, type EventReader, type ExchangeServices } from '../exchange/index.js';
import { Failure, ignore } from '../ground/index.js';
import { type ClientCall, runFor } from '../http/index.js';
import { fits, type LiveExchange, type LiveFilter } from './plain/index.js';
import type { LiveSource } from './source.js';

/** Those who follow what happens. */
export interface Readers {
  /** Streams the exchanges above a number to a call, and what follows. Resolves when it is over. Throws Failure (503) when too many follow. */
  follow(gateway: Followed, call: ClientCall, from: Position, filter: LiveFilter): Promise<void>;
  /** Ends all of them: their clients come again. */
  end(): void;
}

/** What following needs of the gateway. */
export interface Followed extends Pick<ExchangeServices, 'config'> {
  readonly state: { readonly draining: boolean };
}

/** Where a reader goes on: after a number of one run; '' = of whichever is going on. */
export interface Position {
  readonly run: string;
  readonly n: number;
}

/** So many follow one process at most. */
const MOST_READERS = 32;
/** How often, in ms, is looked for what is new. */
const TICK_MS = 500;
/** How long, in ms, a client waits before it comes again. */
const RETRY_MS = 2000;

interface Following {
  readonly gateway: Followed;
  readonly reader: EventReader;
  readonly filter: LiveFilter;
  position: Position;
  end(): void;
}

/** Readers of a source. It is asked only while somebody follows. */
export function createReaders(source: LiveSource): Readers {
  let all: readonly Following[] = [];
  let timer: NodeJS.Timeout | undefined;
  let asking = false;
  let again = false;
  const look = async (): Promise<void> => {
    for (const one of all) if (one.gateway.state.draining) one.end();
    // Who takes nothing for now goes on from where it is, as far as that is still kept.
    const ready = all.filter(({ reader }) => !reader.full);
    again = asking;
    if (asking || ready.length === 0) return;
    asking = true;
    try {
      const { run, exchanges } = await source.after(Math.min(...ready.map(({ position }) => position.n)));
      for (const one of ready) if (all.includes(one)) send(one, run, exchanges);
    } finally {
      asking = false;
    }
    // Somebody took the last piece while the others were asked for.
    if (again) return look();
  };
  return {
    follow(gateway, call, from, filter) {
      if (all.length >= MOST_READERS || gateway.state.draining) {
        const message = gateway.state.draining ? 'the gateway is stopping' : `${MOST_READERS} others follow already`;
        throw new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: RETRY_MS });
      }
      // Who left while this was loaded has no reader that somebody would end.
      if (call.gone) return Promise.resolve();
      return new Promise((resolve) => {
        const reader = createEventReader(gateway, call, () => void look().catch(ignore));
        const one: Following = {
          gateway,
          reader,
          filter,
          position: from,
          end() {
            if (!all.includes(one)) return;
            all = all.filter((other) => other !== one);
            if (all.length === 0) clearInterval(timer);
            reader.end();
            resolve();
          },
        };
        runFor(call, { abort: one.end });
        if (all.length === 0) timer = setInterval(() => void look().catch(ignore), TICK_MS).unref();
        all = [...all, one];
        reader.write(`retry: ${RETRY_MS}\n\n`);
        look().catch(ignore);
      });
    },
    end() {
      for (const one of all) one.end();
    },
  };
}

/** Writes what a reader has not got yet, as far as it takes it. */
function send(one: Following, run: string, exchanges: readonly LiveExchange[]): void {
  if (one.position.run !== run && one.position.run !== '') one.position = { run, n: 0 };
  for (const exchange of exchanges) {
    const { n } = exchange;
    const missed = n - one.position.n - 1;
    if (n <= one.position.n) continue;
    if (one.reader.full) return;
    if (missed > 0 && one.position.n > 0) one.reader.write(`event: missed\ndata: ${missed}\n\n`);
    one.position = { run, n };
    if (!fits(one.filter, exchange)) continue;
    one.reader.write(`id: ${run}-${n}\nevent: exchange\ndata: ${JSON.stringify(exchange)}\n\n`);
  }
}
