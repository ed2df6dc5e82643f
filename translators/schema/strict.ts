export { removeAddedNulls } from './added-nulls.js';
export { countOptional, toStrictMessages } from './strict-messages.js';
export { type StrictResult, toStrictResponses } from './strict-responses.js';
