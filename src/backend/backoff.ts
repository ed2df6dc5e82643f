import { ExponentialBackoff, halfJitterGenerator } from 'cockatiel';

/** First and longest pause, in ms, before a connection that could not be made is tried again. */
const FIRST_MS = 200;
const MOST_MS = 2000;

/**
 * Pauses that double, each of them shortened at random by up to a half, so that callers who failed together do not come
 * back together.
 */
const pauses = new ExponentialBackoff({ initialDelay: FIRST_MS, maxDelay: MOST_MS, generator: halfJitterGenerator });

/** Gives the next pause in ms, longer each time. */
export function createBackoff(): () => number {
  let next = pauses.next();
  return () => {
    const { duration } = next;
    next = next.next(undefined);
    return duration;
  };
}
