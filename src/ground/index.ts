export { createExemptions, isExemption, isLoopback, isPublicAddress } from './addresses.js';
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
export {
  addSecret,
  type CredentialFiles,
  type Credentials,
  credentialsOf,
  HEADER_TEXT,
  KEY_TEXT,
  secretsOf,
} from './credentials.js';
export { createDeferred } from './deferred.js';
export { didYouMean } from './did-you-mean.js';
export { errorCode, errorMessage } from './error-code.js';
export { clientGone, Failure, finishOf, isUnforeseen, type ResponseHeaders, toCanonicalError } from './failure.js';
export { readFileText, type Template } from './file-text.js';
export { ignore } from './ignore.js';
export { isObject } from './json.js';
export { jsonFault, type Place, placeOf } from './json-fault.js';
export type { Logger } from './logger.js';
export { type Cloud, missingFor } from './optional-packages.js';
export { programPath, VERSION } from './package.js';
export { matchesName, starOf } from './pattern.js';
export { proxiesOf } from './proxies.js';
export { randomHex } from './random.js';
export { createLogRedactor, createRedactor, type Redact, showsSecret } from './redact.js';
export { MB } from './size.js';
