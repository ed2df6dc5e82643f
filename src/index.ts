import { setTimeout as delay } from 'node:timers/promises';
import type { Express } from 'express';
import { createApp } from './app.js';
import { type Config, ConfigError, type ConfigInput, parseConfig } from './config.js';
import { createGatewayParts } from './gateway.js';
import { createLasting } from './lasting.js';
import { followable } from './reload.js';
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
  /**
   * Serves what begins from now on with another configuration; what is open goes on with the one it began with.
   * `listen`, `workers`, `store` and `metrics` stay as they are: gives the paths of those that differ. Throws ConfigError,
   * and then nothing has changed.
   */
  reload(config: Config | ConfigInput): readonly string[];
  /** Lets open exchanges finish, at most for `limits.drainSeconds`, and ends everything that was opened. */
  close(options?: CloseOptions): Promise<void>;
}

export interface CloseOptions {
  /** Seconds in which `/readyz` tells already that this gateway will be gone, and everything is still served. Default 0. */
  readonly noticeSeconds?: number;
}

/** A gateway for a configuration: one of `loadConfig`, or a value with the same keys. Throws ConfigError. */
export function createGateway(config: Config | ConfigInput): GatewayServer {
  const checked = parseConfig(config);
  const lasting = createLasting(checked);
  let current = createGatewayParts(checked, lasting);
  const app = createApp(() => current);
  const server = createHttpServer(app, checked.limits);
  let open = false;
  return {
    app,
    async listen({ host = checked.listen.host, port = checked.listen.port, insecure = false } = {}) {
      open = !insecure && !isLoopback(host);
      if (checked.keys.length === 0 && open) throw new ConfigError([openToAll(host)]);
      const address = await startListening(server, host, port);
      lasting.state.url = address.url;
      return address;
    },
    reload(input) {
      const { config: next, kept } = followable(current.config, parseConfig(input));
      if (next.keys.length === 0 && open) throw new ConfigError([openToAll('this gateway')]);
      const before = current;
      current = createGatewayParts(next, lasting, before);
      before.retire();
      lasting.logger.level = next.log.level;
      server.headersTimeout = next.limits.headersSeconds * 1000;
      return kept;
    },
    async close({ noticeSeconds = 0 } = {}) {
      lasting.state.draining = true;
      if (noticeSeconds > 0) await delay(noticeSeconds * 1000);
      const { drainSeconds } = current.config.limits;
      await Promise.all([stopListening(server, drainSeconds), lasting.runs.close(drainSeconds)]);
      await current.close();
      await lasting.close();
    },
  };
}

function openToAll(host: string) {
  return {
    path: 'keys',
    reason: `none are configured, so anyone who reaches ${host} could use the backends; configure keys, listen on 127.0.0.1, or give --insecure`,
  };
}
