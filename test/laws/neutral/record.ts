import { type Data, readData } from '../../support/frames.js';
import type { Trait } from '../dialects/traits.js';

/** Keys of recorded bodies that may vanish without an entry, because as they stand there they say nothing elsewhere. */
export interface NeutralKeys {
  readonly kind: 'request' | 'response';
  /** Of the key's pattern. */
  readonly keys: RegExp;
  readonly reason: string;
}

/** Recorded requests that backends of another dialect cannot answer, and why; all else is sent. */
export interface ForeseenRefusal {
  /** What sets the dialects apart that refuse; absent = all others do. */
  readonly where?: Trait;
  /** Which recordings, by name. */
  readonly recordings: RegExp;
  readonly path: RegExp;
  readonly reason: string;
}

/** What the data file of a dialect in this folder says. */
export function neutralIn(file: string): {
  readonly neutralFields: readonly string[];
  readonly neutralKeys: readonly NeutralKeys[];
  readonly foreseenRefusals: readonly ForeseenRefusal[];
} {
  const { fields, keys, refusals } = readData(`laws/neutral/${file}`);
  return {
    neutralFields: Object.keys(fields),
    neutralKeys: keys.map((row: Data) => ({ ...row, keys: new RegExp(row.keys) })),
    foreseenRefusals: refusals.map((row: Data) => ({
      ...row,
      recordings: new RegExp(row.recordings),
      path: new RegExp(row.path),
    })),
  };
}
