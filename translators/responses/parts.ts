/** The responses dialect for users of the library: whole, and the half that translates requests. */
export { responsesRequests } from './requests.js';
export { responses } from './translation.js';
