export { type Backend, type Backends, createBackends } from './backends.js';
export { createBackoff } from './backoff.js';
export { type BackendAnswer, type BackendCall, type BodySink, callBackend, collectBody } from './call.js';
export { type Catalog, createCatalog, type Windows } from './catalog.js';
export type { CallKind } from './gate.js';
export { type KnownLesson, type Learner, type Lesson, lessonText, type ModelLessons } from './lessons.js';
export { type BackendAsk, createRequests, type ShownAddress, shownRequest } from './request.js';
export type { AnswerHeaders, Transport } from './transport.js';
