/** Keeps the time limits of one call with a single timer: on the way where nothing is late, timers are what costs most. */
export interface Clock {
  /** Counts towards a limit of so many milliseconds from now on, in the place of the one before. */
  start(ms: number): void;
  /** Begins the same limit anew: something came. */
  refresh(): void;
  /** Stops to count towards it; the whole time goes on. */
  stop(): void;
  /** The call is over. */
  end(): void;
}

/** `late` is called once, when a limit is reached, or `wholeMs` after the beginning. */
export function createClock(wholeMs: number, late: () => void): Clock {
  const whole = performance.now() + wholeMs;
  let limit = Number.POSITIVE_INFINITY;
  let due = whole;
  let timer: NodeJS.Timeout | undefined;
  /** When the timer looks at the limits. A limit that is moved to later is looked at in vain once, and costs no timer. */
  let looks = Number.POSITIVE_INFINITY;
  const lookAt = (time: number, now: number): void => {
    clearTimeout(timer);
    looks = time;
    timer = setTimeout(look, Math.ceil(time - now));
  };
  const look = (): void => {
    const now = performance.now();
    if (now < due) {
      lookAt(due, now);
      return;
    }
    looks = Number.POSITIVE_INFINITY;
    late();
  };
  const count = (now: number): void => {
    due = Math.min(whole, now + limit);
    if (due < looks) lookAt(due, now);
  };
  return {
    start(ms) {
      limit = ms;
      count(performance.now());
    },
    refresh: () => count(performance.now()),
    stop() {
      limit = Number.POSITIVE_INFINITY;
      count(performance.now());
    },
    end: () => clearTimeout(timer),
  };
}
