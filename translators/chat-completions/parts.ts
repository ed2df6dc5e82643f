/** The chatCompletions dialect for users of the library: whole, and the half that translates requests. */
export { chatCompletionsRequests } from './requests.js';
export { chatCompletions } from './translation.js';
