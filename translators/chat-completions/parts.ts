/** The chatCompletions dialect for users of the library: whole, by halves, and what translates requests of each. */
export { chatCompletionsBackend } from './backend.js';
export { chatCompletionsBackendRequests } from './backend-requests.js';
export { chatCompletionsClient } from './client.js';
export { chatCompletionsClientRequests } from './client-requests.js';
export { chatCompletionsRequests } from './requests.js';
export { chatCompletions } from './translation.js';
