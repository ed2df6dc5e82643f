import { join } from 'node:path';
import { tablesIn } from '../../support/tables.js';
import type { Trait } from '../dialects/traits.js';

/** Fields of requests that vanish without a word, because with their documented values they say nothing to the target. */
export interface NeutralField {
  readonly field: string;
  readonly reason: string;
}

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

/** What a dialect's tables say, which stand in a file of that name in this folder. */
export function neutralIn(file: string): {
  readonly neutralFields: readonly NeutralField[];
  readonly neutralKeys: readonly NeutralKeys[];
  readonly foreseenRefusals: readonly ForeseenRefusal[];
} {
  const tables = tablesIn(join(import.meta.dirname, file));
  const rows = (heading: string) => tables[heading] ?? [];
  return {
    neutralFields: rows('Fields of requests').map(({ Field: field = '', Reason: reason = '' }) => ({ field, reason })),
    neutralKeys: rows('Keys of recorded bodies').map(({ Body: kind, Keys: keys = '', Reason: reason = '' }) => ({
      kind: kind as NeutralKeys['kind'],
      keys: new RegExp(keys),
      reason,
    })),
    foreseenRefusals: rows('Recorded requests that others refuse').map((row) => ({
      ...(row.Who !== 'all' && { where: row.Who as Trait }),
      recordings: new RegExp(row.Recordings ?? ''),
      path: new RegExp(row.Path ?? ''),
      reason: row.Reason ?? '',
    })),
  };
}
