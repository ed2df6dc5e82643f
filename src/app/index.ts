export {
  type CloseOptions,
  createGateway,
  type GatewayApp,
  type GatewayHandler,
  type GatewayServer,
  type ListenOptions,
} from './server.js';
