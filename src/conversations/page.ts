import type { JsonObject } from '../../translators/index.js';
import { Failure } from '../http/failure.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/**
 * One page of a list of items: `limit` (1 to 100, default 20), `order` (default `desc`), `after` an item's id
 * [R §1.1]. Throws Failure `invalid_request` with the parameter's name.
 */
export function page(items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw wrong('limit', `must be 1 to ${MAX_LIMIT}`);
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw wrong('order', 'must be asc or desc');
  const ordered = order === 'asc' ? items : [...items].reverse();
  const after = query.get('after');
  const place = after === null ? -1 : ordered.findIndex(({ id }) => id === after);
  if (after !== null && place === -1) throw wrong('after', 'names no item of this list');
  const data = ordered.slice(place + 1, place + 1 + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: place + 1 + limit < ordered.length,
  };
}

function wrong(parameter: string, reason: string): Failure {
  return new Failure({ kind: 'invalid_request', message: `${parameter}: ${reason}`, path: `/$url/${parameter}` });
}
