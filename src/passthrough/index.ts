export { relayRoute } from './serve.js';
