import type { RowName } from '../rows.js';
import type { Talk } from '../talk.js';

/** Something that endpoints are asked, in one call or a few. */
export interface Question {
  /** What it is about. Endpoints that have none of the rows are not asked. */
  readonly rows: readonly RowName[];
  /** Throws Spent when the calls are spent; what was noted before stays. */
  ask(talk: Talk): Promise<void>;
}
