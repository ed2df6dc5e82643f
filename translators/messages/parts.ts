/** The messages dialect for users of the library: whole, and the half that translates requests. */
export { messagesRequests } from './requests.js';
export { messages } from './translation.js';
