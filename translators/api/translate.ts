import { dialectIds, dialects } from '../dialects.js';
import { zodSchemas } from '../zod.js';
import { createTranslators } from './create-translators.js';

/** The translators of every dialect there is. Bodies may hold schemas of Zod 4 and 3. */
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
} = createTranslators(
  dialectIds.map((id) => dialects[id]),
  { schemas: zodSchemas },
);
