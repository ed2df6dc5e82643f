export { type CloseOptions, createGateway, type GatewayApp, type GatewayServer, type ListenOptions } from './server.js';
