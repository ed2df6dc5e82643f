/** Clocks in ms: that of the machine, which may be set, and one that is never set. */
export interface Clocks {
  now(): number;
  steady(): number;
}

export const CLOCKS: Clocks = { now: () => Date.now(), steady: () => performance.now() };

/** How much faster than time passes it follows the clock of the machine: an hour of work confirms a day. */
const CATCH_UP = 24;

/** The time by which something is old enough to be deleted. */
export interface AgeClock {
  /** Never ahead of the clock of the machine, and never behind what it was. */
  read(): number;
  /** From when on the age of something counts that is written now: a clock that was set back makes nothing older. */
  written(): number;
}

/**
 * A clock that may be set forward by a mistake: what it says is believed only bit by bit, so that nothing is deleted early when it is set
 * right again. After a pause of the machine it catches up. `since` is what it said last, in another process perhaps.
 */
export function createAgeClock({ now, steady }: Clocks, since: number | undefined): AgeClock {
  let age = since ?? now();
  let seen = steady();
  const read = (): number => {
    const passed = Math.max(0, steady() - seen);
    seen += passed;
    age = Math.max(age, Math.min(now(), age + passed * CATCH_UP));
    return age;
  };
  return { read, written: () => Math.max(read(), now()) };
}
