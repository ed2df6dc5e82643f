import type { AreaTexts } from './adapter.js';
import type { Tallies } from './tallies.js';

/** One value to keep. Values are plain JSON. */
export interface Entry {
  readonly key: string;
  readonly value: unknown;
}

/** A value as it was found. */
export interface Found {
  readonly value: unknown;
  /** As stored, in UTF-8. */
  readonly bytes: number;
}

/**
 * Values by key, kept for a while: the one way in which anything outlives an exchange. Areas of one storage share
 * nothing but the place. Keys are up to 512 bytes of printable ASCII.
 */
export interface Store {
  /** The values of `keys`, in their order; undefined for what is unknown or has expired. Others run between large ones. */
  get(keys: readonly string[]): Promise<readonly unknown[]>;
  /** The same with their sizes. */
  find(keys: readonly string[]): Promise<readonly (Found | undefined)[]>;
  /**
   * Keeps all entries, or rejects. Once it resolves they are seen by every process that shares the storage and survive
   * the death of this one. Each entry replaces what its key had, and lives for the area's time from now.
   */
  set(entries: readonly Entry[]): Promise<void>;
  /** Forgets; unknown keys are no mistake. */
  delete(keys: readonly string[]): Promise<void>;
}

/** What an area may hold. */
export interface AreaLimits {
  /** How long an entry lives, in milliseconds. */
  readonly ttlMs: number;
  /**
   * All entries together, in bytes as stored. Above it the owner who holds most loses its oldest first; the oldest of all
   * where entries have no owner. A storage that bounds itself ignores it.
   */
  readonly maxBytes: number;
  /** Whose an entry is, by its key; '' for nobody's. Without it all are nobody's. */
  readonly ownerOf?: (key: string) => string;
  /** One entry as stored, in bytes; `set` rejects a larger one. */
  readonly entryBytes: number;
}

/** Where areas live: a folder, this process's memory, or a server. */
export interface Storage {
  area(name: string, limits: AreaLimits): Store;
  /** The texts of an area that was opened; undefined for others. */
  texts(name: string): AreaTexts | undefined;
  close(): Promise<void>;
}

/** A storage that also keeps sums. */
export interface TallyStorage extends Storage {
  /** The sums of what was used; always the same ones. */
  tallies(): Tallies;
}
