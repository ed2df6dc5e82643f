export { baseOf, createExemptions, isExemption, isLoopback, isPublicAddress, plainAddress } from './addresses.js';
export {
  abortedCall,
  BUSY_MS,
  brokenCall,
  CallFailure,
  CredentialError,
  type Hindrance,
  lateCall,
  refusedCall,
  stoppedCall,
} from './call-failure.js';
export { type Cells, createCells } from './cells.js';
export {
  addSecret,
  type CredentialFiles,
  type Credentials,
  credentialsOf,
  HEADER_TEXT,
  KEY_TEXT,
  secretsOf,
} from './credentials.js';
export { createDeferred, type Deferred } from './deferred.js';
export { errorCode, errorMessage } from './error-code.js';
export { createFairRows, type FairRows, type Waiting } from './fair-rows.js';
export { isPlainFile, readFileText, type Template } from './file-text.js';
export { ignore } from './ignore.js';
export { forgetLastMatch } from './last-match.js';
export type { Logger } from './logger.js';
export { missingFor } from './optional-packages.js';
export { pageFolder, programPath, VERSION } from './package.js';
/** Exports of the plain room too: rooms that are not bound to web standards need one entry. */
export {
  andOthers,
  type BatchLine,
  type BatchVendor,
  type Beginning,
  batchIdFault,
  batchLine,
  type ClientRedactor,
  type Cloud,
  clientGone,
  didYouMean,
  Failure,
  finderOf,
  finishOf,
  isObject,
  isSampleKey,
  isUnforeseen,
  jsonFault,
  MB,
  matchesName,
  type Place,
  placeOf,
  REDACTED,
  type Redact,
  type ResponseHeaders,
  readBatchLine,
  type SecretFinder,
  starOf,
  toCanonicalError,
  withoutSecrets,
} from './plain/index.js';
export { CHALLENGE_HEADER, createChallenge, isProven, PROOF_HEADER, proofsFor, type SocketEnd } from './proof.js';
export { proxiesOf } from './proxies.js';
export { randomHex, timedHex, timedNonce } from './random.js';
export { createLogRedactor, createRedactor, showsSecret } from './redact.js';
export { secretFinder } from './secret-finder.js';
