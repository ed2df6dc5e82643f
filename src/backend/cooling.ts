/** Which models of a backend asked to be left alone for a while. */
export interface Cooling {
  /** Notes that a model asked to be left alone for so many milliseconds. */
  note(model: string, ms: number): void;
  /** True while it wants to be left alone. */
  has(model: string): boolean;
  /** Those that do, and some that did until a moment ago. */
  all(): readonly string[];
}

/** No backend is taken at its word for longer, in ms (hardening.md row 49). */
const MOST_MS = 5 * 60_000;

/** Names come from clients where a pattern leads here: no more than these are remembered, the newest. */
const MOST_MODELS = 1000;

export function createCooling(now: () => number = () => performance.now()): Cooling {
  const until = new Map<string, number>();
  return {
    note(model, ms) {
      if (!(ms > 0)) return;
      until.delete(model);
      until.set(model, now() + Math.min(ms, MOST_MS));
      const [oldest] = until.keys();
      if (until.size > MOST_MODELS && oldest !== undefined) until.delete(oldest);
    },
    has(model) {
      const end = until.get(model);
      if (end === undefined) return false;
      if (end > now()) return true;
      until.delete(model);
      return false;
    },
    all: () => [...until.keys()],
  };
}
