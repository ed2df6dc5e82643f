import type { ConfigInput } from '../config/index.js';
import type { Draft } from './draft.js';
import type { Fields } from './fields.js';

type Retries = Pick<ConfigInput['backends'][string], 'retries'>;

/** The most that our own setting takes. */
const MOST_RETRIES = 10;

/** How often a call is repeated, from a setting that counts every failure. */
export function retriesOf(fields: Fields, name: string, draft: Draft, otherwise: Retries = {}): Retries {
  const retries = fields.number(name);
  if (retries === undefined) return otherwise;
  draft.note(
    fields.at(name),
    'changed',
    'retries repeat what never reached the backend; other failures go to the next target',
  );
  return { retries: Math.min(MOST_RETRIES, Math.max(0, Math.trunc(retries))) };
}
