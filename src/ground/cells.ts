/** What is kept under each combination of names that occurred. */
export interface Cells<Cell> {
  /** That under these names, made where it is the first time that they are asked for. Always as many names. */
  at(names: readonly string[]): Cell;
  /** In the order of their first use. */
  readonly all: readonly Cell[];
  clear(): void;
}

interface Branch<Cell> {
  readonly next: Map<string, Branch<Cell>>;
  cell?: Cell;
}

/** By one map after the other: to join the names to one key would cost more than all of these look-ups. */
export function createCells<Cell>(make: (names: readonly string[]) => Cell): Cells<Cell> {
  const root: Branch<Cell> = { next: new Map() };
  const all: Cell[] = [];
  return {
    all,
    at(names) {
      let branch = root;
      for (const name of names) {
        let next = branch.next.get(name);
        if (next === undefined) {
          next = { next: new Map(), cell: undefined };
          branch.next.set(name, next);
        }
        branch = next;
      }
      if (branch.cell === undefined) {
        branch.cell = make(names);
        all.push(branch.cell);
      }
      return branch.cell;
    },
    clear() {
      root.next.clear();
      all.length = 0;
    },
  };
}
