export { fitEncoded } from './encoded.js';
export { fitHost } from './relayed.js';
