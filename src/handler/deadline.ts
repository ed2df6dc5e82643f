import { Failure } from '../ground/plain/index.js';

/** A `fetch` that rejects with Failure when the head of the answer takes longer; its body may take any time. */
export function withinSeconds(seconds: number, send: typeof fetch): typeof fetch {
  return async (input, init = {}) => {
    const { signal } = init;
    const ending = new AbortController();
    const stop = (): void => ending.abort(signal?.reason);
    const late = new Failure({ kind: 'timeout', message: 'the backend did not answer in time' });
    const timer = setTimeout(() => ending.abort(late), seconds * 1000);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    try {
      return await send(input, { ...init, signal: ending.signal });
    } catch (thrown) {
      throw ending.signal.reason === late ? late : thrown;
    } finally {
      clearTimeout(timer);
    }
  };
}
