import { TranslationError } from '../../canonical/errors.js';
import type { ModelLists } from '../../dialect.js';
import { decodeModelEntry, decodeModelList, encodeModelEntry } from '../../wire/model-list.js';
import { DIALECT } from '../nodes.js';

/** Model lists [H §1.3]: one page, without figures but the limits that some servers tell. */
export const models: ModelLists = {
  encodeList: (list) => ({ object: 'list', data: list.map(encodeModelEntry) }),
  encodeModel: encodeModelEntry,
  decodeModel: decodeModelEntry,
  decodeList(body, owner) {
    const found = decodeModelList(body, owner);
    if (found !== undefined) return { models: found };
    throw new TranslationError('upstream', 'the backend returned no list of models', { dialect: DIALECT });
  },
};
