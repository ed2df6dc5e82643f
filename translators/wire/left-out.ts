/** Places in a list some of whose elements are left out. */
export interface LeftOut {
  drop(index: number): void;
  has(index: number): boolean;
  /** The place of an element among those that stay. */
  placeOf(index: number): number;
}

export function createLeftOut(): LeftOut {
  const gone = new Set<number>();
  return {
    drop: (index) => gone.add(index),
    has: (index) => gone.has(index),
    placeOf(index) {
      let place = index;
      for (const other of gone) if (other < index) place -= 1;
      return place;
    },
  };
}
