export {
  addressOf,
  apiVersionOf,
  defaultDomain,
  knownAs,
  ownService,
  profileAt,
  type Report,
  withCap,
} from './address.js';
export { limitHeaders } from './answer-headers.js';
export { checkAnswerType, isWhole, JSON_TYPE, parseAnswer } from './answer-type.js';
export { anyErrors } from './any-dialect.js';
export { type AtHost, atHost, HostError } from './at-host.js';
export { asksBeta, betaHeaders, betaLoss, keepBetas } from './betas.js';
export { checkBodyType, parseBody } from './body.js';
export { type Caller, dialectOf, spokenAt, surfaceOf } from './callers.js';
export { type Counting, countingOf } from './counting.js';
export { credentialHeader, credentials, QUERY_CREDENTIALS } from './credentials.js';
export { type CountTokens, createEstimate, type Estimate, SAMPLED, vocabularyCount } from './estimate.js';
export { checkFileCount, FILES_AT_ONCE, fileType } from './file-type.js';
export type { AuthForm, Host } from './host.js';
export { findKey, type KnownKey, mayUse, noValidKey } from './keys.js';
export { LEAKED } from './leaked.js';
export { patternFault } from './loss-pattern.js';
export { type LossPolicy, lossPolicy } from './loss-policy.js';
export { clientName, createModelMap, weighted } from './model-map.js';
export { checkModelName, modelId } from './model-name.js';
export { checkNamedModels, dataMembersOf } from './named-models.js';
export {
  type ArrivedBytes,
  askedIn,
  atDeployment,
  framingIn,
  type JsonText,
  lengthOf,
  modelBefore,
  outlineOf,
  PATHS,
} from './operations.js';
export { backendHeaders, lossHeaders, relayedLossHeaders } from './own-headers.js';
export { exposedHeaders, PAGE_METHODS, PAGE_SECONDS } from './pages.js';
export { belowVersion, decodeSegment, plainPath } from './paths.js';
export { pathOf, publisherBody, publisherIn, takesQuery } from './publisher.js';
export { callerCredential, callerHeaders, relayedBody, relayedQuery } from './relayed-request.js';
export { createHostRequests, type HostAsk } from './request.js';
export { roughCount } from './rough-count.js';
export { type ShownAddress, shownRequest } from './shown-request.js';
export { keepThread } from './threads.js';
export { unknownModel } from './unknown-model.js';
export {
  type AnswerReader,
  type ErrorReader,
  errorForClient,
  errorInAnswer,
  INCOMPLETE,
  readUpstreamError,
  tellsMistake,
  translateLimits,
  type UpstreamError,
} from './upstream-error.js';
