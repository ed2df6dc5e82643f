import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Headers, ModelInfo, ModelLists } from '../../dialect.js';
import { taken } from '../../wire/check.js';
import { isObject } from '../../wire/json.js';
import { decodeModelEntry, tokenLimit } from '../../wire/model-list.js';
import { DIALECT } from '../nodes.js';
import * as wire from '../wire/index.js';

const DEFAULT_PAGE = 20;
const MAX_PAGE = 1000;

/** Lists of models [M §1.1]: pages by id, newest first as they are given. */
export const models: ModelLists = {
  encodeList(all, query) {
    const page = pageOf(all, query);
    return {
      data: page.models.map(encodeModel),
      has_more: page.more,
      first_id: page.models[0]?.id ?? null,
      last_id: page.models.at(-1)?.id ?? null,
    };
  },
  encodeModel,
  decodeModel,
  decodeList(body, owner) {
    const list = taken(wire.modelList, body);
    if (list === undefined) {
      throw new TranslationError('upstream', 'the backend returned no list of models', { dialect: DIALECT });
    }
    const found = list.data.flatMap((node) => decodeModel(node, owner) ?? []);
    const last = list.last_id ?? found.at(-1)?.id;
    const next = list.has_more === true && last !== undefined ? `after_id=${encodeURIComponent(last)}` : undefined;
    return next === undefined ? { models: found } : { models: found, next };
  },
};

/** `after_id` reads on behind a model, `before_id` stops before one; an unknown id is no bound. */
function pageOf(
  all: readonly ModelInfo[],
  query: Headers,
): { readonly models: readonly ModelInfo[]; readonly more: boolean } {
  const asked = Number(query.limit ?? DEFAULT_PAGE);
  const limit = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), MAX_PAGE) : DEFAULT_PAGE;
  const before = indexOf(all, query.before_id);
  if (before !== undefined) {
    const start = Math.max(0, before - limit);
    return { models: all.slice(start, before), more: start > 0 };
  }
  const start = (indexOf(all, query.after_id) ?? -1) + 1;
  return { models: all.slice(start, start + limit), more: start + limit < all.length };
}

function indexOf(all: readonly ModelInfo[], id: string | undefined): number | undefined {
  const index = id === undefined ? -1 : all.findIndex((model) => model.id === id);
  return index < 0 ? undefined : index;
}

/** All keys of the service's own entries; what is unknown is null, and time begins in 1970 (translation.md 8). */
function encodeModel(model: ModelInfo): JsonObject {
  return {
    type: 'model',
    id: model.id,
    display_name: model.displayName ?? model.id,
    created_at: new Date((model.createdAt ?? 0) * 1000).toISOString().replace('.000Z', 'Z'),
    max_input_tokens: model.inputLimit ?? null,
    max_tokens: model.outputLimit ?? null,
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
    capabilities: null,
  };
}

/** Servers that speak several dialects have one list for all. */
function decodeModel(node: unknown, owner: string): ModelInfo | undefined {
  if (isObject(node) && node.object === 'model') return decodeModelEntry(node, owner);
  const model = taken(wire.modelInfo, node);
  if (model === undefined) return undefined;
  const created = Date.parse(model.created_at ?? '') / 1000;
  const input = tokenLimit(model.max_input_tokens);
  const output = tokenLimit(model.max_tokens);
  return {
    id: model.id,
    owner,
    ...(typeof model.display_name === 'string' && { displayName: model.display_name }),
    ...(created > 0 && { createdAt: created }),
    ...(input !== undefined && { inputLimit: input }),
    ...(output !== undefined && { outputLimit: output }),
  };
}
