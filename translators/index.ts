/** The pure translation library: values in, values out; no I/O, no clock inside encoding. */
export { laterBeginnings, packState, packSummary, type Requirements, requirements } from './adapt/index.js';
export type {
  ComputerAction,
  ComputerArguments,
  LocalShellArguments,
  PatchOperation,
  Point,
  ShellArguments,
  ShellRun,
} from './canonical/client-actions.js';
export type * from './canonical/content.js';
export { type CanonicalError, type ErrorKind, TranslationError } from './canonical/errors.js';
export type { StreamEvent } from './canonical/events.js';
export { explainLoss } from './canonical/explain.js';
export {
  AGENTS,
  createLosses,
  FEATURES,
  type Feature,
  isCounted,
  type Loss,
  type Losses,
  type LossKind,
  matchesFeature,
  refusedLosses,
} from './canonical/loss.js';
export type { JsonObject } from './canonical/node.js';
export type { CanonicalRequest, Instruction, Turn } from './canonical/request.js';
export type { CanonicalResponse, Finish, FinishKind, Usage } from './canonical/response.js';
export type { Tool, ToolChoice } from './canonical/tools.js';
export { createTranslators, type ResponseOptions, type Translators, type Way } from './create-translators.js';
export type {
  AnswerFacts,
  Bucket,
  Dialect,
  DialectId,
  EncodedError,
  EncodedRequest,
  EncodeRequestContext,
  FitHostContext,
  Headers,
  HostRestorer,
  KeepPicture,
  Limits,
  ModelInfo,
  OptionalField,
  StoredItems,
  TokenCount,
  TranslatorDialect,
} from './dialect.js';
export { dialectIds, dialects, isDialectId } from './dialects.js';
export {
  type Answer,
  type AnswerTranslator,
  type Collector,
  createExchange,
  type Exchange,
  type ExchangeOptions,
  type StreamExchange,
} from './exchange/index.js';
export {
  createStreamRestorer,
  type FittedRelay,
  fitRelayed,
  type RelayedBody,
  restoreAnswer,
  type StreamRestorer,
} from './fit-relayed.js';
export { HOST_LACKS, type HostLack } from './lacks.js';
export * from './media/index.js';
export { familyName, fitsHost, type Profile, type ProfileChoice, type ProfileFlags } from './profile.js';
export type { RefusalRule } from './refusals.js';
export { type RelayedContext, settleRelayed } from './relayed-state.js';
export { defaultDomain, type RequestOptions, type SentRequest } from './request-translators.js';
export * as storedResponses from './responses/stored/index.js';
export { refuseLosses } from './strict.js';
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
} from './translate.js';
export type { StreamTranslator } from './translate-stream.js';
export { createWatcher, type Watcher } from './watcher.js';
export { encodeBase64, toStandardBase64 } from './wire/base64.js';
export { CARRIER_MARK, readCarrierHeader } from './wire/carrier.js';
export { parseDataUrl } from './wire/data-url.js';
export { createFrameCutter } from './wire/frame-cutter.js';
export { type JsonBounds, jsonBeyond, jsonDepth } from './wire/json.js';
export { type Edit, editMembers, editMembersOf, scanMembers } from './wire/json-members.js';
export { sniffPicture } from './wire/sniff.js';
export { createSseCutter, type SseCutter } from './wire/sse.js';
