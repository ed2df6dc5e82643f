import { createTranslators } from './create-translators.js';
import { dialectIds, dialects } from './dialects.js';

/** The translators of every dialect there is. */
export const {
  translateRequest,
  translateResponse,
  translateError,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamTranslator,
  translateStream,
  detectDialect,
} = createTranslators(dialectIds.map((id) => dialects[id]));
