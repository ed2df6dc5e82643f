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
  return new CallClock(wholeMs, late);
}

class CallClock implements Clock {
  readonly #late: () => void;
  readonly #whole: number;
  #limit = Number.POSITIVE_INFINITY;
  #due: number;
  #timer: NodeJS.Timeout | undefined = undefined;
  /** When the timer looks at the limits. A limit that is moved to later is looked at in vain once, and costs no timer. */
  #looks = Number.POSITIVE_INFINITY;

  constructor(wholeMs: number, late: () => void) {
    this.#late = late;
    this.#whole = performance.now() + wholeMs;
    this.#due = this.#whole;
  }

  start(ms: number): void {
    this.#limit = ms;
    this.refresh();
  }

  refresh(): void {
    const now = performance.now();
    this.#due = Math.min(this.#whole, now + this.#limit);
    if (this.#due < this.#looks) this.#lookAt(this.#due, now);
  }

  stop(): void {
    this.start(Number.POSITIVE_INFINITY);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #lookAt(time: number, now: number): void {
    clearTimeout(this.#timer);
    this.#looks = time;
    this.#timer = setTimeout(() => this.#look(), Math.ceil(time - now));
  }

  #look(): void {
    const now = performance.now();
    if (now < this.#due) {
      this.#lookAt(this.#due, now);
      return;
    }
    this.#looks = Number.POSITIVE_INFINITY;
    this.#late();
  }
}
