/**
 * What the services refuse, as plain functions over request bodies. This room imports nothing, so that the fakes of the
 * tests hold requests to the same rules without knowing the product (docs/internals/decisions/0007-service-rules.md).
 */
export { checkChatCompletions } from './chat-completions/rules.js';
export { checkCount, checkGenerate } from './generate-content/rules.js';
export { bindingOf } from './generate-content/turn-rules.js';
export { isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from './json.js';

export { type Generation, REDACTED_BINDING } from './messages/limit-rules.js';
export { checkMessages, type MessagesReading } from './messages/rules.js';
export { checkBetas } from './messages/tool-rules.js';
export { type ServiceRefusal, serviceRefusal } from './refusals.js';
export { itemsOf } from './responses/item-rules.js';
export { checkResponses } from './responses/rules.js';
export { createResponseStore, type StoredResponse } from './responses/stored.js';
export { findProblems, readShapes, type Shapes } from './shape.js';
export type { StateKeeper } from './state.js';
export type { Violation } from './violation.js';
