import { type DialectId, dialectIds } from '../../../translators/index.js';
import { lawTableOf } from '../../laws/dialects/index.js';
import { settingsOf } from '../members.js';
import type { Documented } from './documented.js';

const BY_HAND = lawTableOf('documentedFields');
const FURTHER = lawTableOf('furtherFields');

/** Every documented object of a request: what the official clients know, and members of the tables that none of them does. */
export const DOCUMENTED = {} as Readonly<Record<DialectId, readonly Documented[]>>;
for (const id of dialectIds)
  Object.defineProperty(DOCUMENTED, id, { enumerable: true, get: () => [...BY_HAND[id], ...newer(id)] });

function newer(id: DialectId): Documented[] {
  const [request] = BY_HAND[id];
  if (request === undefined) return [];
  const objects = [...BY_HAND[id], ...FURTHER[id]].map(({ fields }) => fields);
  const known = new Set([request.request({}), ...objects].flatMap(Object.keys));
  const found = settingsOf(id).filter(({ key, sample }) => sample !== undefined && !known.has(key));
  if (found.length === 0) return [];
  return [{ ...request, fields: Object.fromEntries(found.map(({ key, sample }) => [key, sample])) }];
}
