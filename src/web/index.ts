export { answerGuard } from './answer-guard.js';
export {
  answerHeaders,
  type ClientCall,
  type Clients,
  idHeaders,
  jsonAnswer,
  jsonText,
  openCall,
  Refusal,
  randomHex,
} from './call.js';
export { GUARDED_RELAYS } from './guarded-relays.js';
export { limited, ownerOf, readModel, readModels } from './models.js';
export type { CallPlan, Relays, Task, WebOutcome } from './plan.js';
export { lossesIn, refused } from './refused.js';
export { RELAYS } from './relayed.js';
export { decode, type WebRequest } from './request.js';
export { ASKING, routeOf, type WebRoute } from './routes.js';
export { type Answered, DEPTH, unlessAborted } from './send.js';
export { planFor, WEB_STEPS } from './serve.js';
export {
  checkApiKey,
  checkFunctions,
  checkModel,
  checkNumbers,
  type Fault,
  hostOf,
  type LossOption,
  MAX_ANSWER_BYTES,
  policyIn,
  type Settings,
} from './settings.js';
