import type { Express } from 'express';
import { createApp } from './app.js';
import { type Config, ConfigError, type ConfigInput, parseConfig } from './config.js';
import { createGatewayParts } from './gateway.js';
import { type Address, createHttpServer, isLoopback, startListening, stopListening } from './server.js';

export { type Config, ConfigError, type ConfigInput, loadConfig, type Problem } from './config.js';
export type { Address } from './server.js';

export interface ListenOptions {
  /** Default: the configuration's. */
  readonly host?: string;
  /** Default: the configuration's; 0 takes a free one. */
  readonly port?: number;
  /** Listens beyond loopback although no keys are configured. */
  readonly insecure?: boolean;
}

/** A running or mountable gateway. */
export interface GatewayServer {
  /** To be mounted in an Express application of your own; needs no body parser in front. */
  readonly app: Express;
  /** Starts an HTTP server. Rejects when the address is taken, and beyond loopback when anybody could call. */
  listen(options?: ListenOptions): Promise<Address>;
  /** Lets open exchanges finish, at most for `limits.drainSeconds`, and ends everything that was opened. */
  close(): Promise<void>;
}

/** A gateway for a configuration: one of `loadConfig`, or a value with the same keys. Throws ConfigError. */
export function createGateway(config: Config | ConfigInput): GatewayServer {
  const checked = parseConfig(config);
  const gateway = createGatewayParts(checked);
  const app = createApp(gateway);
  const server = createHttpServer(app, gateway);
  return {
    app,
    async listen({ host = checked.listen.host, port = checked.listen.port, insecure = false } = {}) {
      if (checked.keys.length === 0 && !insecure && !isLoopback(host)) throw new ConfigError([openToAll(host)]);
      const address = await startListening(server, host, port);
      gateway.state.url = address.url;
      return address;
    },
    async close() {
      gateway.state.draining = true;
      const { drainSeconds } = checked.limits;
      await Promise.all([stopListening(server, drainSeconds), gateway.runs.close(drainSeconds)]);
      await gateway.close();
    },
  };
}

function openToAll(host: string) {
  return {
    path: 'keys',
    reason: `none are configured, so anyone who reaches ${host} could use the backends; configure keys, listen on 127.0.0.1, or give --insecure`,
  };
}
