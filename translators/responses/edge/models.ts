import { TranslationError } from '../../canonical/errors.js';
import type { ModelInfo, ModelLists } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { DIALECT } from '../nodes.js';

/** Model lists [R §1.4]: one page, no figures. */
export const models: ModelLists = {
  encodeList: (list) => ({ object: 'list', data: list.map(encodeModel) }),
  encodeModel,
  decodeModel,
  decodeList(body, owner) {
    const data = isObject(body) ? body.data : undefined;
    if (!Array.isArray(data)) {
      throw new TranslationError('upstream', 'the backend did not answer with a list of models', { dialect: DIALECT });
    }
    return { models: data.flatMap((node) => decodeModel(node, owner) ?? []) };
  },
};

function encodeModel(model: ModelInfo): { id: string; object: 'model'; created: number; owned_by: string } {
  return { id: model.id, object: 'model', created: model.createdAt ?? 0, owned_by: model.owner };
}

function decodeModel(node: unknown, owner: string): ModelInfo | undefined {
  if (!isObject(node) || typeof node.id !== 'string') return undefined;
  return {
    id: node.id,
    owner,
    ...(typeof node.created === 'number' && node.created > 0 && { createdAt: node.created }),
  };
}
