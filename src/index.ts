/** The gateway as a part of another program. */
export {
  type CloseOptions,
  createGateway,
  type GatewayApp,
  type GatewayHandler,
  type GatewayServer,
  type ListenOptions,
} from './app/index.js';
export { type Config, ConfigError, type ConfigInput, loadConfig, type Problem } from './config/index.js';
export type { Address } from './http/index.js';
export type { OffloadOptions } from './offload/index.js';
