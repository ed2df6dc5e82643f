/** Chances that are the same for the same seed. */
export interface Random {
  readonly seed: number;
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number;
  /** True in so many of 1. */
  chance(share: number): boolean;
  pick<T>(values: readonly T[]): T;
}

/** The seed of a run: `LAW_SEED`, as in the laws, else another one each time. */
export function seedOfRun(): number {
  return Number(process.env.LAW_SEED ?? Date.now() % 2 ** 31);
}

/** Mulberry32: 32 bits of state, even enough for mixing a load. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value = (value + Math.imul(value ^ (value >>> 7), value | 61)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    seed,
    next,
    below,
    chance: (share) => next() < share,
    pick(values) {
      const picked = values[below(values.length)];
      if (picked === undefined) throw new Error('there is nothing to pick from');
      return picked;
    },
  };
}
