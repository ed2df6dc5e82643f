export { type Backend, type BackendAsk, type Backends, createBackends, credentialHeader } from './backends.js';
export { createBackoff } from './backoff.js';
export { type BackendAnswer, type BackendCall, type BodySink, callBackend, collectBody } from './call.js';
export { type Catalog, createCatalog } from './catalog.js';
export type { CallKind } from './gate.js';
export type { Lesson, ModelLessons } from './lessons.js';
export type { AnswerHeaders, Transport } from './transport.js';
