import type { DialectId } from '../../../translators/index.js';

/** One row: a feature and how each dialect that knows it says it. */
export interface Row<Body = Record<string, unknown>> {
  readonly feature: string;
  /** A body of each dialect; a dialect without one cannot say it. */
  readonly says: Partial<Record<DialectId, Body>>;
  /** The same bodies without the feature: what they lose is not this row's. */
  readonly without?: Partial<Record<DialectId, Body>>;
}

/** The rows of one table. */
export interface Area<Body = Record<string, unknown>> {
  readonly name: string;
  readonly rows: readonly Row<Body>[];
}
