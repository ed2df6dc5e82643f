import type { CanonicalError, Watcher } from '../../translators/index.js';
import { Failure } from '../ground/plain/index.js';
import { INCOMPLETE } from '../protocol/index.js';

/** What the bytes of a relayed stream pass on their way to the client. */
export interface RelayGate {
  /** Lets go what may leave now that the watcher has seen a chunk. */
  write(chunk: Uint8Array): void;
  /** Nothing may leave any more. */
  readonly closed?: boolean;
  /** Lets go what was held back. Gives what is told in the place of what may not leave. */
  end(): Failure | undefined;
  /** What has left ends between two events, so that another could follow. Absent = all has left. */
  readonly between?: boolean;
  /** The words in which the client is told a failure. */
  tell(error: CanonicalError): CanonicalError;
}

/**
 * How a relayed stream ended: `whole`, with its last word; `finished`, where no more than its trailer was missing; `failed`, so that the
 * failure is its last word; `cut` inside of an event, behind which nothing can stand. `last` is still to be written.
 */
export type RelayedEnd =
  | { readonly kind: 'whole' }
  | { readonly kind: 'finished' | 'failed' | 'cut'; readonly failure: Failure; readonly last: string };

/** One relayed stream: a synchronous step for each chunk, whether it is pushed or pulled. */
export interface RelayedStream {
  /** Takes a chunk; gives how the stream ended where that is its end. */
  write(chunk: Uint8Array): RelayedEnd | undefined;
  /** No more bytes come, for this reason where they broke off. undefined = the stream ended before. */
  end(failure?: Failure): RelayedEnd | undefined;
}

/** Passes a stream of a dialect to its gate as it comes, and looks on to know whether it ended with its last word. */
export function createRelayedStream(watcher: Watcher, gate: RelayGate, requestId: string): RelayedStream {
  let over = false;
  const finish = (failure: Failure | undefined): RelayedEnd => {
    over = true;
    const told = gate.end();
    if (watcher.whole) return { kind: 'whole' };
    const reason = told ?? failure ?? new Failure(INCOMPLETE);
    if (!(gate.between ?? watcher.between)) return { kind: 'cut', failure: reason, last: '' };
    const last = watcher.ending(gate.tell(reason.error), { requestId });
    return { kind: watcher.finished ? 'finished' : 'failed', failure: reason, last };
  };
  return {
    write(chunk) {
      if (over) return undefined;
      const failure = watch(watcher, chunk);
      // What cannot be read is not passed on, so that the words about it stand where an event could.
      if (failure !== undefined) return finish(failure);
      gate.write(chunk);
      return gate.closed === true ? finish(undefined) : undefined;
    },
    end(failure) {
      if (over) return undefined;
      const unreadable = watch(watcher, undefined);
      return finish(failure ?? unreadable);
    },
  };
}

/** Lets the watcher see a chunk, or the end; what it cannot read is a failure of the host. */
function watch(watcher: Watcher, chunk: Uint8Array | undefined): Failure | undefined {
  try {
    if (chunk === undefined) watcher.end();
    else watcher.push(chunk);
    return undefined;
  } catch (cause) {
    const message = 'the backend sent a stream that cannot be read';
    return new Failure({ kind: 'upstream', message }, { cause });
  }
}
