/** The newest values, by ascending numbers. */
export interface Ring<T> {
  /** Keeps a value of so many bytes, and gives its number. */
  add(value: T, bytes: number): number;
  /** The values above a number that are kept, in their order. */
  after(n: number): readonly (readonly [n: number, value: T])[];
  get(n: number): T | undefined;
  /** The number of the newest; 0 = there was none. */
  readonly last: number;
}

/** Keeps at most `most` values of at most so many bytes together, but the newest in any case. */
export function createRing<T>(most: number, bytes: number): Ring<T> {
  /** The value with number `n` is at `n % most`. */
  const slots: ({ readonly value: T; readonly bytes: number } | undefined)[] = Array.from({ length: most });
  let last = 0;
  let first = 1;
  let held = 0;
  const drop = (): void => {
    held -= slots[first % most]?.bytes ?? 0;
    slots[first % most] = undefined;
    first += 1;
  };
  return {
    add(value, size) {
      if (last - first + 1 === most) drop();
      while (first <= last && held + size > bytes) drop();
      last += 1;
      held += size;
      slots[last % most] = { value, bytes: size };
      return last;
    },
    after(n) {
      const kept: (readonly [number, T])[] = [];
      for (let number = Math.max(first, n + 1); number <= last; number += 1) {
        const slot = slots[number % most];
        if (slot !== undefined) kept.push([number, slot.value]);
      }
      return kept;
    },
    get: (n) => (n < first || n > last ? undefined : slots[n % most]?.value),
    get last() {
      return last;
    },
  };
}
