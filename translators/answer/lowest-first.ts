/** Numbers that are taken out in ascending order, whatever order they were put in. */
export type LowestFirst = {
  add(value: number): void;
  /** Takes the lowest number out. */
  take(): number | undefined;
};

/** A binary heap: putting in and taking out cost the logarithm of how many there are. */
export function createLowestFirst(): LowestFirst {
  const heap: number[] = [];
  const at = (index: number): number => heap[index] ?? Number.POSITIVE_INFINITY;
  return {
    add(value) {
      let index = heap.length;
      heap.push(value);
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (at(parent) <= value) break;
        heap[index] = at(parent);
        index = parent;
      }
      heap[index] = value;
    },
    take() {
      const lowest = heap[0];
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return lowest;
      let index = 0;
      for (;;) {
        const left = 2 * index + 1;
        const child = at(left + 1) < at(left) ? left + 1 : left;
        if (at(child) >= last) break;
        heap[index] = at(child);
        index = child;
      }
      heap[index] = last;
      return lowest;
    },
  };
}
