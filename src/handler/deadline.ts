import { Failure } from '../ground/plain/index.js';

/** Time for the head of a backend's answer, and for an answer of the store, unless an option names another. */
export const FIRST_BYTE_SECONDS = 900;

/** What a timer takes at most, in milliseconds: more would be no time at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** Calls a function after so many seconds; what it gives calls it off. */
function after(seconds: number, end: () => void): () => void {
  const timer = setTimeout(end, Math.min(seconds * 1000, LONGEST_MS));
  return () => clearTimeout(timer);
}

/** What a promise gives. Rejects with Failure where that takes longer; `who` = who did not answer. */
export async function inTime<T>(seconds: number, who: string, work: Promise<T>): Promise<T> {
  let stop: (() => void) | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    stop = after(seconds, () => reject(tooLate(who)));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stop?.();
  }
}

/** A `fetch` that rejects with Failure when the head of the answer takes longer; its body may take any time. */
export function withinSeconds(seconds: number, send: typeof fetch): typeof fetch {
  return async (input, init = {}) => {
    const { signal } = init;
    const ending = new AbortController();
    const stop = (): void => ending.abort(signal?.reason);
    const late = tooLate('the backend');
    const callOff = after(seconds, () => ending.abort(late));
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    try {
      return await send(input, { ...init, signal: ending.signal });
    } catch (thrown) {
      throw ending.signal.reason === late ? late : thrown;
    } finally {
      callOff();
    }
  };
}

function tooLate(who: string): Failure {
  return new Failure({ kind: 'timeout', message: `${who} did not answer in time` });
}
