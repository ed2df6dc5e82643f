/** The pure translation library in parts: translators for the dialects that are handed to them, and no others. */

export { createTranslators, type ResponseOptions, type Translators } from './api/create-translators.js';
export {
  createRequestTranslators,
  type RequestOptions,
  type RequestTranslators,
  type SentRequest,
  type TranslatorOptions,
  type Way,
} from './api/request-translators.js';
export type { Halves } from './api/table.js';
export type { StreamTranslator } from './api/translate-stream.js';
export type * from './canonical/content.js';
export { type CanonicalError, type ErrorKind, TranslationError } from './canonical/errors.js';
export { explainLoss } from './canonical/explain.js';
export { FEATURES, type Feature, isCounted, type Loss, type LossKind } from './canonical/loss.js';
export type { JsonObject } from './canonical/node.js';
export type { CanonicalRequest, Instruction, Turn } from './canonical/request.js';
export type { CanonicalResponse, Finish, FinishKind, Usage } from './canonical/response.js';
export type { Tool, ToolChoice } from './canonical/tools.js';
export type {
  BackendDialect,
  BackendRequestDialect,
  ClientDialect,
  ClientRequestDialect,
  EncodedError,
  Headers,
  Pauses,
  RequestDialect,
  StreamEnds,
  TranslatorDialect,
} from './dialect.js';
export type { DialectId } from './dialects.js';
export type { SchemaLibrary } from './schema/index.js';
export type { ProfileChoice, ProfileFlags } from './target/profile.js';
export type { Profile } from './target/words.js';
