/** The responses dialect for users of the library: whole, by halves, and what translates requests of each. */
export { responsesBackend } from './backend.js';
export { responsesBackendRequests } from './backend-requests.js';
export { responsesClient } from './client.js';
export { responsesClientRequests } from './client-requests.js';
export { responsesRequests } from './requests.js';
export { responses } from './translation.js';
