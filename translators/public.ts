/**
 * What `interlingua/translators` promises: names here change with a major version alone. What the gateway takes from
 * `index.ts` beyond them is no part of the package's face.
 */
export { type Requirements, requirements } from './adapt/index.js';
export {
  createStreamTranslator,
  decodeRequest,
  decodeResponse,
  detectDialect,
  encodeRequest,
  encodeResponse,
  translateError,
  translateRequest,
  translateResponse,
  translateStream,
} from './api/translate.js';
export type { StreamEvent } from './canonical/events.js';
export { AGENTS, matchesFeature } from './canonical/loss.js';
export * from './core.js';
export { dialectIds, isDialectId } from './dialects.js';
export { parseJsonBytes } from './wire/json-bytes.js';
export { createSseCutter, type SseCutter } from './wire/sse.js';
