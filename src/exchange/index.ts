export {
  containsSecretOf,
  leakGuardFor,
  leakOf,
  outputFilterFor,
  relayGuardFor,
  withoutSecretsInErrors,
} from './answer-guard.js';
export { exchangeHeaders, relayedType } from './answer-head.js';
export { AnswerOffload, type Begun } from './answer-offload.js';
export type { AnswerStorage, Stage } from './answer-storage.js';
export {
  type AnsweredCall,
  type AskedConversation,
  type Attempt,
  clientCredential,
  type GenerationRequest,
  modelToName,
} from './attempt.js';
export type { OwnPlan } from './call-plan.js';
export { callWithRetry } from './call-with-retry.js';
export { type ClientStream, createClientStream, limitIdleWrites } from './client-stream.js';
export { readEfforts } from './effort-refusals.js';
export { createEventReader, type EventReader } from './event-reader.js';
export { explainCall, isExplained } from './explain.js';
export { checkModels } from './named-models.js';
export { failureOf } from './refusal.js';
export { planRelay } from './relay-plan.js';
export { deliverRelayed } from './relayed.js';
export { configuredProfile, reportRestriction } from './restrictions.js';
export { lazyDecode, serveCount, serveExchange, tryEach, tryTargets } from './serve.js';
export type { ExchangeServices } from './services.js';
export { readSizes } from './size-refusals.js';
export { availableFirst, pickTargets } from './target.js';
export { unknownModel } from './unknown-model.js';
