export { AnswerHandover, type Begun } from './answer-handover.js';
export { exchangeHeaders, relayedType } from './answer-head.js';
export {
  type AnsweredCall,
  type Ask,
  type AskedConversation,
  type Attempt,
  type CallPlan,
  modelToName,
} from './call-plan.js';
export { callWithRetry } from './call-with-retry.js';
export { type ClientStream, createClientStream, limitIdleWrites } from './client-stream.js';
export { serveCount } from './count.js';
export { createExit, leakOf, tellsSecret } from './exit.js';
export { explainCall, isExplained } from './explain.js';
export { createLeakGuard, LEAKED } from './leak-guard.js';
export { reportLesson } from './lessons.js';
export { checkModels } from './named-models.js';
export type { AnswerPersister, Stage } from './persister.js';
export { createRelayGuard, guarded } from './relay-guard.js';
export { planRelay } from './relayed.js';
export { clientCredential, relayedBody, relayedHeaders } from './relayed-request.js';
export { lazyDecode, serveExchange, tryEach, tryTargets } from './serve.js';
export type { ExchangeServices } from './services.js';
export { drawnTargets, restedFirst } from './target.js';
export { unknownModel } from './unknown-model.js';
