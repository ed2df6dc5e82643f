/** The messages dialect for users of the library: whole, by halves, and what translates requests of each. */
export { messagesBackend } from './backend.js';
export { messagesBackendRequests } from './backend-requests.js';
export { messagesClient } from './client.js';
export { messagesClientRequests } from './client-requests.js';
export { messagesRequests } from './requests.js';
export { messages } from './translation.js';
