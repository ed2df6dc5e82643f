/** What one owner holds. */
interface Holding {
  readonly owner: string;
  /** In the order in which they came. */
  readonly keys: Set<string>;
  bytes: number;
  /** Its index in the heap. */
  place: number;
}

/** Who holds what of an area. */
export interface Holdings {
  /** All together. */
  readonly bytes: number;
  /** `key` is new, or was taken out before. */
  add(owner: string, key: string, bytes: number): void;
  /** `key` is there, with so many bytes. */
  remove(owner: string, key: string, bytes: number): void;
  /** The oldest key of the owner who holds most, the last one by name of several; undefined when nobody holds anything. */
  first(): string | undefined;
  clear(): void;
}

/** Owners are in a heap ordered by what they hold: an entry that comes or goes costs the logarithm of their number. */
export function createHoldings(): Holdings {
  const owners = new Map<string, Holding>();
  const heap: Holding[] = [];
  let total = 0;

  const put = (holding: Holding, place: number): void => {
    heap[place] = holding;
    holding.place = place;
  };
  /** Moves a holding to where it belongs, up or down from `place`. */
  const settle = (holding: Holding, from: number): void => {
    let place = from;
    for (;;) {
      const above = (place - 1) >> 1;
      const parent = place === 0 ? undefined : heap[above];
      if (parent === undefined || !isMore(holding, parent)) break;
      put(parent, place);
      place = above;
    }
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
      const child = left !== undefined && right !== undefined && isMore(right, left) ? right : left;
      if (child === undefined || !isMore(child, holding)) break;
      const below = child.place;
      put(child, place);
      place = below;
    }
    put(holding, place);
  };
  const leave = (holding: Holding): void => {
    owners.delete(holding.owner);
    const last = heap.pop();
    if (last !== undefined && last !== holding) settle(last, holding.place);
  };

  return {
    get bytes() {
      return total;
    },
    add(owner, key, bytes) {
      const holding = owners.get(owner) ?? { owner, keys: new Set<string>(), bytes: 0, place: heap.length };
      owners.set(owner, holding);
      holding.keys.add(key);
      holding.bytes += bytes;
      total += bytes;
      settle(holding, holding.place);
    },
    remove(owner, key, bytes) {
      const holding = owners.get(owner);
      if (holding === undefined) return;
      holding.keys.delete(key);
      holding.bytes -= bytes;
      total -= bytes;
      if (holding.keys.size === 0) leave(holding);
      else settle(holding, holding.place);
    },
    first() {
      for (const key of heap[0]?.keys ?? []) return key;
      return undefined;
    },
    clear() {
      owners.clear();
      heap.length = 0;
      total = 0;
    },
  };
}

function isMore(one: Holding, other: Holding): boolean {
  return one.bytes === other.bytes ? one.owner > other.owner : one.bytes > other.bytes;
}
