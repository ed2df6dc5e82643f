/**
 * The library as the page needs it: the translators of every dialect. Schemas of Zod are values of a program and cannot be
 * pasted, so that the converters for them stay outside.
 */
import { createTranslators, dialectIds, dialects } from '../../translators/index.js';

export { jsonFault } from '../../src/ground/plain/index.js';
export { presetNames, presets } from '../../src/presets/index.js';
export { atHost, HostError } from '../../src/protocol/index.js';
export { serviceRefusal } from '../../src/simulator/rules/index.js';

export { adviceFor } from '../../translators/advice.js';
export {
  type DialectId,
  dialectIds,
  dialects,
  editMembers,
  explainLoss,
  FEATURES,
  type JsonObject,
  type Loss,
  type LossKind,
  refusedLosses,
  refuseLosses,
  TranslationError,
} from '../../translators/index.js';

export const { translateRequest, translateResponse, translateError, createStreamTranslator, detectDialect } =
  createTranslators(dialectIds.map((id) => dialects[id]));
