/** The generateContent dialect for users of the library: whole, and the half that translates requests. */
export { generateContentRequests } from './requests.js';
export { generateContent } from './translation.js';
