import { type JsonObject, storedResponses } from '../../translators/index.js';
import type { Archive } from './archive.js';
import { noResponse } from './refusals.js';

/** A page of the items that an answer was made from. Rejects with Failure (404) where it is not known, and for a page that is none. */
export async function listedInput(
  archive: Pick<Archive, 'input'>,
  tenant: string,
  id: string,
  query: URLSearchParams,
): Promise<JsonObject> {
  const ask = storedResponses.readPageAsk(query);
  const items = await archive.input(tenant, id, ask);
  if (items === undefined) throw noResponse(id);
  return storedResponses.page(listed(items, id), ask);
}

async function* listed(items: AsyncIterable<JsonObject | undefined>, id: string): AsyncGenerator<JsonObject> {
  for await (const item of items) {
    if (item === undefined) throw noResponse(id);
    yield storedResponses.listedItem(item);
  }
}
