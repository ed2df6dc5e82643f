/** The newest values, by ascending numbers. */
export interface Ring<T> {
  /** Keeps a value of so many bytes, and gives its number. */
  add(value: T, bytes: number): number;
  /** Gives up the value in whose place the next one comes, so that it can be written anew; undefined while there is room for more. */
  spare(): T | undefined;
  /** The values above a number that are kept, in their order. */
  after(n: number): readonly (readonly [n: number, value: T])[];
  get(n: number): T | undefined;
  /** The number of the newest; 0 = there was none. */
  readonly last: number;
}

/** Keeps at most `most` values of at most so many bytes together, but the newest in any case. */
export function createRing<T>(most: number, bytes: number): Ring<T> {
  /** The value with number `n` is at `n % most`, and its bytes as well. */
  const values: (T | undefined)[] = Array.from({ length: most });
  const sizes: number[] = values.map(() => 0);
  let last = 0;
  let first = 1;
  let held = 0;
  const drop = (): T | undefined => {
    const place = first % most;
    const value = values[place];
    held -= sizes[place] ?? 0;
    values[place] = undefined;
    first += 1;
    return value;
  };
  const isFull = (): boolean => last - first + 1 === most;
  return {
    add(value, size) {
      if (isFull()) drop();
      while (first <= last && held + size > bytes) drop();
      last += 1;
      held += size;
      values[last % most] = value;
      sizes[last % most] = size;
      return last;
    },
    spare: () => (isFull() ? drop() : undefined),
    after(n) {
      const kept: (readonly [number, T])[] = [];
      for (let number = Math.max(first, n + 1); number <= last; number += 1) {
        const value = values[number % most];
        if (value !== undefined) kept.push([number, value]);
      }
      return kept;
    },
    get: (n) => (n < first || n > last ? undefined : values[n % most]),
    get last() {
      return last;
    },
  };
}
