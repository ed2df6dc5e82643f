export { createGatewayParts, type Gateway, type Offload } from './gateway.js';
export { createServices, type Services } from './services.js';
