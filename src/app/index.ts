export { type CloseOptions, createGateway, type GatewayServer, type ListenOptions } from './server.js';
