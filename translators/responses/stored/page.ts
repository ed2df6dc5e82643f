import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Where a list of items begins, and which way it goes. */
export interface ListOrder {
  readonly order: 'asc' | 'desc';
  /** The id of an item: nothing need be read of what stands before it in this order. */
  readonly after: string | undefined;
}

/** Which page of a list is asked for. */
export interface PageAsk extends ListOrder {
  readonly limit: number;
}

/**
 * Reads `limit` (1 to 100, default 20), `order` (default `desc`), `after` (an item's id) [R §1.1]. Throws TranslationError
 * `invalid_request` with the parameter's name.
 */
export function readPageAsk(query: URLSearchParams): PageAsk {
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw wrong('limit', `must be 1 to ${MAX_LIMIT}`);
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw wrong('order', 'must be asc or desc');
  return { limit, order, after: query.get('after') ?? undefined };
}

/** One page of a list that comes in the order asked for, of which no more is taken than the page shows. */
export async function page(items: AsyncIterable<JsonObject>, { limit, after }: PageAsk): Promise<JsonObject> {
  const data: JsonObject[] = [];
  let begun = after === undefined;
  let more = false;
  for await (const item of items) {
    if (!begun) begun = item.id === after;
    else if (data.length < limit) data.push(item);
    else {
      more = true;
      break;
    }
  }
  if (!begun) throw wrong('after', 'names no item of this list');
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: more };
}

function wrong(parameter: string, reason: string): TranslationError {
  return new TranslationError('invalid_request', `${parameter}: ${reason}`, { path: `/$url/${parameter}` });
}
