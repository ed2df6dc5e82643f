/** What was counted in the current minute of one name. */
export interface Count {
  readonly used: number;
  /** Until the minute is over and the count begins at zero. */
  readonly resetMs: number;
}

export type WindowKind = 'requests' | 'tokens';

/** Counts per minute. The minute of a name begins with what is counted first; after it, nothing is kept. */
export interface Windows {
  /** Adds whole points and gives the count with them; 0 looks only. */
  add(kind: WindowKind, name: string, points: number): Promise<Count>;
}

const MINUTE_MS = 60_000;

/** Begins the names of counters and places in a store that is shared. */
export const PREFIX = 'interlingua:limits';

/** The windows of one process. `now` is a clock, in ms, that is never set: with that of the machine a minute could take a day. */
export function memoryWindows(now: () => number): Windows {
  const minutes = new Map<string, { used: number; readonly ends: number }>();
  const begin = (id: string): { used: number; readonly ends: number } => {
    const minute = { used: 0, ends: now() + MINUTE_MS };
    minutes.set(id, minute);
    const forget = setTimeout(() => {
      if (minutes.get(id) === minute) minutes.delete(id);
    }, MINUTE_MS);
    forget.unref();
    return minute;
  };
  return {
    async add(kind, name, points) {
      const id = `${kind}:${name}`;
      const known = minutes.get(id);
      const minute = known !== undefined && known.ends > now() ? known : begin(id);
      minute.used += points;
      return { used: minute.used, resetMs: minute.ends - now() };
    },
  };
}
