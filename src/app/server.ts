import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config, type ConfigInput, checkExposure, followable, parseConfig } from '../config/index.js';
import { createGatewayParts, createServices, type Gateway, type Services } from '../gateway/index.js';
import type { Logger } from '../ground/index.js';
import {
  type Address,
  connectionsOfSystem,
  createHttpServer,
  limitConnections,
  startListening,
} from '../http/index.js';
import { type Meter, type MetricsListener, startMetricsListener } from '../observe/index.js';
import { createOffload, createRoom, type OffloadOptions, ROOM, type RoomSizes } from '../offload/index.js';
import { isWorker } from '../workers/index.js';
import { createApp, createHandler } from './application.js';
import { drain, hangUp } from './drain.js';
import { trimWhenIdle } from './idle-memory.js';
import type { Clients } from './warm-up.js';

export interface ListenOptions {
  /** Default: the configuration's. */
  readonly host?: string;
  /** Default: the configuration's; 0 takes a free one. */
  readonly port?: number;
  /** Listens beyond loopback although no keys are configured. */
  readonly insecure?: boolean;
  /**
   * For a process that serves and does nothing else. It goes through small exchanges once it listens, so that the first requests need not
   * wait for code that never ran, which takes up to 1.5 s of processor time while no request is open; and memory that load needed goes
   * back to the system when nothing is asked any more.
   */
  readonly warmUp?: boolean;
}

/**
 * An Express application, as a function that servers and other applications take. Its type is told without the types of
 * Express, which a user need not have.
 */
export type GatewayApp = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** Answers a request of a server that runs already. */
export type GatewayHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A running or mountable gateway. */
export interface GatewayServer {
  /** To be mounted in an Express application of your own; needs no body parser in front. */
  readonly app: GatewayApp;
  /**
   * The same without Express: for `createServer` of node:http, and for every framework that gives the request and the response of
   * Node.js. The body must not have been read before. Every path is answered, unknown ones with 404.
   */
  readonly handler: GatewayHandler;
  /** Where the gateway logs, for what its host has to say in the same lines. */
  readonly logger: Logger;
  /** Starts an HTTP server. Rejects when the address is taken, and beyond loopback when anybody could call. */
  listen(options?: ListenOptions): Promise<Address>;
  /**
   * Serves what begins from now on with another configuration; what is open goes on with the one it began with.
   * `listen`, `workers`, `store` and `metrics` stay as they are: gives the names of those that differ. Throws ConfigError,
   * or what reading the configuration throws, and then nothing has changed.
   */
  reload(config: Config | ConfigInput | (() => Config)): readonly string[];
  /**
   * Lets open exchanges finish, at most for `limits.drainSeconds`, then tells the clients of the others that they were cut
   * short, and ends everything that was opened.
   */
  close(options?: CloseOptions): Promise<void>;
}

export interface CloseOptions {
  /**
   * Seconds, at most a tenth of those for finishing, in which `/readyz` tells already that this gateway will be gone while everything is
   * still served. Default 0.
   */
  readonly noticeSeconds?: number;
}

/** A gateway for a configuration: one of `loadConfig`, or a value with the same keys. Throws ConfigError. */
export function createGateway(config: Config | ConfigInput, options?: OffloadOptions): GatewayServer {
  const checked = parseConfig(config);
  const services = createServices(checked, process.env);
  const room = createRoom(roomOf(checked));
  const partsOf = (next: Config, before?: Gateway): Gateway =>
    createGatewayParts(next, services, before, createOffload({ ...services, config: next }, room, options));
  let current = partsOf(checked);
  const handler = createHandler(() => current);
  const server = createHttpServer(handler, checked.limits, () => services.state.draining);
  const most = connectionsOfSystem() ?? Number.POSITIVE_INFINITY;
  const connections = limitConnections(server, Math.min(checked.limits.connections, most));
  /** Where it listens, unless everybody there may call. */
  let exposed: string | undefined;
  let metrics: MetricsListener | undefined;
  let app: GatewayApp | undefined;
  const ending = new AbortController();
  let warming: Promise<void> | undefined;
  return {
    get app() {
      app ??= createApp(handler);
      return app;
    },
    handler,
    logger: services.logger,
    async listen({
      host = checked.listen.host,
      port = checked.listen.port,
      insecure = false,
      warmUp: warms = false,
    } = {}) {
      exposed = insecure ? undefined : host;
      checkExposure(checked, exposed);
      metrics = await listenForMetrics(services, checked);
      if (most < checked.limits.connections) {
        services.logger.warn(
          { connections: most },
          'the system allows fewer open files than limits.connections needs (ulimit -n)',
        );
      }
      const address = await startListening(server, host, port);
      Object.assign(services.state, { url: address.url, listening: true, insecure });
      if (warms) {
        warming = warm(checked, services.state, ending.signal, services.logger);
        trimWhenIdle(ending.signal);
      }
      return address;
    },
    reload(input) {
      const { config: next, kept } = countFaults(services.meter, () => {
        const followed = followable(current.config, parseConfig(typeof input === 'function' ? input() : input));
        checkExposure(followed.config, exposed);
        return followed;
      });
      const before = current;
      current = partsOf(next, before);
      before.retire();
      services.logger.level = next.log.level;
      server.headersTimeout = next.limits.headersSeconds * 1000;
      connections.limitTo(Math.min(next.limits.connections, most));
      services.meter.reloaded(true);
      return kept;
    },
    async close({ noticeSeconds = 0 } = {}) {
      const { drainSeconds } = current.config.limits;
      const end = performance.now() + drainSeconds * 1000;
      hangUp(services);
      ending.abort();
      const notice = Math.min(noticeSeconds, drainSeconds / 10);
      if (notice > 0) await delay(notice * 1000);
      await drain(server, services, Math.max(0, end - performance.now()) / 1000);
      await Promise.all([current.close(), metrics?.close(), warming]);
      await services.close();
    },
  };
}

/** Nobody waits for it: what goes wrong in it is told and no more. */
async function warm(config: Config, clients: Clients, signal: AbortSignal, logger: Logger): Promise<void> {
  try {
    const { warmUp } = await import('./warm-up.js');
    await warmUp(config, clients, signal);
  } catch (error) {
    logger.warn({ err: error }, 'the warm-up failed: the first requests will be slower');
  }
}

/** The part of one of several processes of the room for large bodies. */
function roomOf({ workers }: Config): RoomSizes {
  return { work: ROOM.work / workers, open: ROOM.open / workers, waiting: ROOM.waiting / workers };
}

/** The listener for the metrics alone, where the configuration names a port for it. Workers leave it to their primary. */
async function listenForMetrics(
  { meter, logger }: Services,
  { metrics }: Config,
): Promise<MetricsListener | undefined> {
  const { host, port } = metrics;
  if (port === undefined || isWorker) return undefined;
  const listener = await startMetricsListener({ host, port }, meter.render);
  logger.info({ url: `${listener.address.url}/metrics` }, 'metrics are served');
  return listener;
}

/** Counts a configuration that cannot be followed. */
function countFaults<T>(meter: Meter, check: () => T): T {
  try {
    return check();
  } catch (error) {
    meter.reloaded(false);
    throw error;
  }
}
