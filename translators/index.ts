/**
 * The pure translation library as the gateway takes it, with what `public.ts` promises: values in, values out; no I/O, no clock
 * inside encoding.
 */
export { laterBeginnings, packState, packSummary } from './adapt/index.js';
export { defaultDomain } from './api/request-translators.js';
export { refuseLosses } from './api/strict.js';
export type {
  ComputerAction,
  ComputerArguments,
  LocalShellArguments,
  PatchOperation,
  Point,
  ShellArguments,
  ShellRun,
} from './canonical/client-actions.js';
export { FEATURE_NAMES } from './canonical/feature-names.data.js';
export { createLosses, type Losses, refusedLosses } from './canonical/loss.js';
export type { Effort } from './canonical/request.js';
export type {
  AnswerFacts,
  Bucket,
  CallerDialect,
  Dialect,
  EncodedRequest,
  EncodeRequestContext,
  FitHostContext,
  HostRestorer,
  KeepPicture,
  Limits,
  ModelInfo,
  OptionalField,
  ServiceDialect,
  StoredItems,
  TokenCount,
} from './dialect.js';
export { dialects } from './dialects.js';
export {
  type Answer,
  type AnswerTranslator,
  type Collector,
  createExchange,
  type Exchange,
  type ExchangeOptions,
  type StreamExchange,
} from './exchange/index.js';
export * from './halves.js';
export { CALLED_HOSTS, type CalledHost, HOSTS, type HostEndpoint, type HostRow } from './hosts/index.js';
export * from './media/index.js';
export * from './public.js';
export {
  createStreamRestorer,
  type FittedRelay,
  fitRelayed,
  type RelayedBody,
  restoreAnswer,
  type StreamRestorer,
} from './relay/fit-relayed.js';
export { type RelayedContext, settleRelayed } from './relay/relayed-state.js';
export { createWatcher, type Watcher } from './relay/watcher.js';
export * as storedResponses from './responses/stored/index.js';
export { HOST_FEATURE_NAMES, HOST_FEATURES, type HostFeature } from './target/host-words.js';
export { familyName, fitsHost } from './target/profile.js';
export type { RefusalRule } from './target/refusals.js';
export type { Target as ModelTarget } from './target/target.js';
export type { Word, Words } from './target/word.js';
export { type ThinkingProfile, WORDS as TARGET_WORDS } from './target/words.js';
export { encodeBase64, toStandardBase64 } from './wire/base64.js';
export { CARRIER_MARK, readCarrierHeader } from './wire/carrier.js';
export { parseDataUrl } from './wire/data-url.js';
export { createFrameCutter } from './wire/frame-cutter.js';
export { hash32 } from './wire/hash.js';
export { type JsonBounds, jsonBeyond, jsonDepth } from './wire/json.js';
export { createJsonArrayCutter } from './wire/json-array.js';
export { type AsciiJson, asciiJson, parseJsonBytes } from './wire/json-bytes.js';
export { type Edit, editMembers, editMembersOf, scanMembers } from './wire/json-members.js';
export { tokenLimit } from './wire/model-list.js';
export { sniffPicture } from './wire/sniff.js';
export { readOverflow } from './wire/too-long.js';
