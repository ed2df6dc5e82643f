export { admitCall, settleCall } from './admission.js';
export { withoutOwnKinds } from './headers.js';
export { createLimiter, type Limiter } from './limiter.js';
export { createLimitsAnswerer } from './primary.js';
export { estimateTokens } from './tokens.js';
