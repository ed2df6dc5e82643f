/** The places that exchanges hold at the same time, by the name of their key. */
export interface Places {
  /** Takes a place unless so many are taken. */
  take(name: string, id: string, limit: number): Promise<boolean>;
  free(name: string, id: string): Promise<void>;
  close(): Promise<void>;
}

/** Which places are taken. Names without any take no memory. */
export interface TakenPlaces {
  /** Takes a place unless `limit` are taken. */
  take(name: string, id: string, limit: number): boolean;
  free(name: string, id: string): void;
  entries(): Iterable<readonly [name: string, ids: ReadonlySet<string>]>;
}

export function createTakenPlaces(): TakenPlaces {
  const held = new Map<string, Set<string>>();
  return {
    take(name, id, limit) {
      const ids = held.get(name);
      if (ids === undefined) held.set(name, new Set([id]));
      else if (ids.size >= limit) return false;
      else ids.add(id);
      return true;
    },
    free(name, id) {
      const ids = held.get(name);
      if (ids?.delete(id) === true && ids.size === 0) held.delete(name);
    },
    entries: () => held.entries(),
  };
}

/** The places of one process. */
export function memoryPlaces(): Places {
  const held = createTakenPlaces();
  return {
    take: async (name, id, limit) => held.take(name, id, limit),
    free: async (name, id) => held.free(name, id),
    close: async () => {},
  };
}
