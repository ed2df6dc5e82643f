import type { Learner } from './restrictions.js';

/**
 * Models of a backend that are in a Retry-After period. What is too much for one key, as a single request may be, need not be for another:
 * the period applies to the key that got it, and to all keys once two got one.
 */
export interface Cooling {
  /** Starts a Retry-After period of a model, in milliseconds. */
  note(model: string, learner: Learner, ms: number): void;
  /** True during the Retry-After period of the model for this key. */
  has(model: string, learner: Learner): boolean;
  /** How long, in ms, the period of a model still is for the key that has the longest; 0 = there is none. */
  rest(model: string): number;
  /** The models for which some key is in such a period. */
  resting(): readonly string[];
  /** The models in such a period. */
  all(learner: Learner): readonly string[];
}

/** No backend is taken at its word for longer, in ms (hardening.md row 49). */
const MOST_MS = 5 * 60_000;

/** Names come from clients where a pattern leads here: no more than these are remembered, the newest. */
const MOST_MODELS = 1000;

export function createCooling(now: () => number = () => performance.now()): Cooling {
  /** By model: until when, by who heard it. */
  const until = new Map<string, ReadonlyMap<Learner, number>>();
  /** What still holds of a model. */
  const heardOf = (model: string): ReadonlyMap<Learner, number> | undefined => {
    const heard = until.get(model);
    if (heard === undefined) return undefined;
    const time = now();
    const left = new Map([...heard].filter(([, end]) => end > time));
    if (left.size === 0) until.delete(model);
    return left.size === 0 ? undefined : left;
  };
  const has = (model: string, learner: Learner): boolean => {
    const heard = heardOf(model);
    return heard !== undefined && (heard.size > 1 || heard.has(learner) || heard.has(undefined));
  };
  return {
    note(model, learner, ms) {
      if (!(ms > 0)) return;
      const heard = new Map(heardOf(model)).set(learner, now() + Math.min(ms, MOST_MS));
      until.delete(model);
      until.set(model, heard);
      const [oldest] = until.keys();
      if (until.size > MOST_MODELS && oldest !== undefined) until.delete(oldest);
    },
    has,
    rest(model) {
      const heard = heardOf(model);
      return heard === undefined ? 0 : Math.max(...heard.values()) - now();
    },
    resting: () => [...until.keys()].filter((model) => heardOf(model) !== undefined),
    all: (learner) => [...until.keys()].filter((model) => has(model, learner)),
  };
}
