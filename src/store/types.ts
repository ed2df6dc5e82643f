import type { Store } from '../archive/index.js';
import type { AreaTexts } from './adapter.js';
import type { Tallies } from './tallies.js';

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
