/** The generateContent dialect for users of the library: whole, by halves, and what translates requests of each. */
export { generateContentBackend } from './backend.js';
export { generateContentBackendRequests } from './backend-requests.js';
export { generateContentClient } from './client.js';
export { generateContentClientRequests } from './client-requests.js';
export { generateContentRequests } from './requests.js';
export { generateContent } from './translation.js';
