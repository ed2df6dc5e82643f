/** Calls that wait for their results, in the order in which they were made. Every step takes the same time. */
export interface OpenCalls {
  size(): number;
  add(id: string, name: string): void;
  /** The id of the first that has this name. */
  named(name: string): string | undefined;
  /** The id of the first. */
  any(): string | undefined;
  /** There is a result: no call with this id waits any more. */
  close(id: string): void;
}

/** Ids in order; those in front of `at` are done with. */
interface Row {
  readonly ids: string[];
  at: number;
}

export function createOpenCalls(): OpenCalls {
  /** How many calls of each id wait. */
  const counts = new Map<string, number>();
  const rows = new Map<string, Row>();
  let size = 0;
  return {
    size: () => size,
    add(id, name) {
      size += 1;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      const row = rows.get(name);
      if (row === undefined) rows.set(name, { ids: [id], at: 0 });
      else row.ids.push(id);
    },
    named(name) {
      const row = rows.get(name);
      if (row === undefined) return undefined;
      for (; row.at < row.ids.length; row.at += 1) {
        const id = row.ids[row.at];
        if (id !== undefined && counts.has(id)) return id;
      }
      return undefined;
    },
    any: () => counts.keys().next().value,
    close(id) {
      size -= counts.get(id) ?? 0;
      counts.delete(id);
    },
  };
}
