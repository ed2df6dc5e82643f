export { allEndpoints, type Backend, type Backends, backendAt, createBackends } from './backends.js';
export { createBackoff } from './backoff.js';
export { type BackendAnswer, type BackendCall, type BodySink, callBackend, collectBody } from './call.js';
export type { CallKind } from './gate.js';
export { type Connector, createHttpTransport } from './http.js';
export { type BackendAsk, createRequests } from './request.js';
export {
  type KnownRestriction,
  type Learner,
  type ModelRestrictions,
  type Restriction,
  restrictionText,
} from './restrictions.js';
export type { AnswerHeaders, Transport } from './transport.js';
