import type { JsonObject } from '../../canonical/node.js';
import type { Headers, ModelInfo, ModelLists } from '../../dialect.js';
import { taken } from '../../wire/check.js';
import { tokenLimit } from '../../wire/model-list.js';
import { check, checkObject } from '../nodes.js';
import { asUpstream } from '../response/decode.js';
import * as wire from '../wire/index.js';

/** The name of a model without the collection it stands in; a doubled prefix is accepted ([G §8]). */
export function bareModel(name: string): string {
  return name.replace(/^(?:models\/)+/, '');
}

/** Names of the enterprise host begin with one of these ([G §1]). */
export function isCloudName(model: string): boolean {
  return /^(?:projects|publishers)\//.test(model);
}

const PAGE = 50;
const MAX_PAGE = 1000;

/** Lists of models ([G §1], translation.md 8). */
export const models: ModelLists = { encodeList, encodeModel, decodeList, decodeModel };

/** One page; the token of a page is the name of the last model before it. */
function encodeList(list: readonly ModelInfo[], query: Headers): JsonObject {
  const size = Math.min(positive(query.pageSize ?? query.page_size) ?? PAGE, MAX_PAGE);
  const token = query.pageToken ?? query.page_token;
  const start = token === undefined || token === '' ? 0 : list.findIndex((model) => model.id === token) + 1;
  const page = list.slice(start, start + size);
  const last = page.at(-1);
  const more = start + size < list.length;
  return { models: page.map(encodeModel), ...(more && last !== undefined && { nextPageToken: last.id }) };
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 ? value : undefined;
}

function encodeModel(model: ModelInfo): JsonObject {
  return {
    name: `models/${model.id}`,
    version: '',
    displayName: model.displayName ?? model.id,
    ...(model.inputLimit !== undefined && { inputTokenLimit: model.inputLimit }),
    ...(model.outputLimit !== undefined && { outputTokenLimit: model.outputLimit }),
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  };
}

function decodeList(body: unknown, owner: string): { readonly models: ModelInfo[]; readonly next?: string } {
  try {
    const { models: list, publisherModels, nextPageToken } = check(wire.modelList, checkObject(body, ''), '');
    const read = (list ?? publisherModels ?? []).map((item, index) =>
      infoOf(check(wire.model, item, `/models/${index}`), owner),
    );
    const more = nextPageToken !== undefined && nextPageToken !== '';
    return { models: read, ...(more && { next: `pageToken=${encodeURIComponent(nextPageToken)}` }) };
  } catch (thrown) {
    throw asUpstream(thrown);
  }
}

function decodeModel(body: unknown, owner: string): ModelInfo | undefined {
  const model = taken(wire.model, body);
  return model === undefined ? undefined : infoOf(model, owner);
}

function infoOf({ name, displayName, ...limits }: wire.Model, owner: string): ModelInfo {
  const input = tokenLimit(limits.inputTokenLimit);
  const output = tokenLimit(limits.outputTokenLimit);
  return {
    id: name.replace(/^(?:publishers\/[^/]+\/)?models\//, ''),
    ...(displayName !== undefined && { displayName }),
    owner,
    // The vendor counts the two apart.
    ...(input !== undefined && { inputLimit: input, inputAlone: true }),
    ...(output !== undefined && { outputLimit: output }),
  };
}
