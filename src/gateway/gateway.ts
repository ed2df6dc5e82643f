import { type Backends, type Connector, createBackends } from '../backend/index.js';
import { type Config, createTargets, type Targets } from '../config/index.js';
import { type ClientRedactor, createLogRedactor, createRedactor, type Redact } from '../ground/index.js';
import { type Access, type ClientCall, createAccess, type Offloader, type OffloadRequest } from '../http/index.js';
import { createMedia, type Media } from '../media/index.js';
import { type Catalog, createCatalog, type Models } from '../models/index.js';
import type { Services } from './services.js';

/** Serves requests in threads, so that work on large bodies keeps nobody waiting. */
export interface Offload extends Offloader {
  /**
   * Serves a request by the route with that number. Resolves with its body when the process has to serve it itself. Rejects
   * with Failure (503) when there is no room for it, or its thread ended before its time.
   */
  serve(gateway: Gateway, call: ClientCall, route: number, request: OffloadRequest): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/** What routes work with: one configuration with the parts made from it, and the parts that outlive it. */
export interface Gateway extends Omit<Services, 'close'> {
  readonly config: Config;
  readonly access: Access;
  readonly backends: Backends;
  readonly targets: Targets;
  readonly catalog: Catalog;
  readonly models: Models;
  readonly redact: ClientRedactor;
  /** Removes from a text what must not be logged. */
  readonly hide: Redact;
  readonly media: Media;
  readonly offload: Offload | undefined;
  /** Something works with these parts from now on: an exchange, or an answer in the background. */
  enter(): void;
  /** It does no more. */
  leave(): void;
  /** Nothing new begins with these parts: they close when the last of what works with them has left. */
  retire(): void;
  /** Ends connections to backends at once. */
  close(): Promise<void>;
}

/**
 * Builds the parts from a configuration. Backends that `before` has alike are taken over with their connections. With a `connector`
 * they are reached in this process.
 */
export function createGatewayParts(
  config: Config,
  services: Services,
  before?: Gateway,
  offload?: Offload,
  connector?: Connector,
): Gateway {
  const backends = createBackends(config, services.logger, before?.backends, connector);
  const targets = createTargets(config);
  const catalog = createCatalog(config, backends, targets, services.logger);
  const media = createMedia(config, services);
  const hide = createLogRedactor(config);
  services.hideInLog(hide);
  services.recorder.use(config.record);
  services.usage.use(config);
  services.live.use(config.live);
  if (config.log.content && before?.config.log.content !== true) {
    services.logger.warn('log.content is on: prompts and answers are logged');
  }
  let inside = 0;
  let retired = false;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= Promise.all([backends.close(), offload?.close()]).then(() => {});
    media.close();
    return closed;
  };
  const closeUnused = (): void => {
    if (retired && inside === 0) void close();
  };
  const gateway: Gateway = {
    ...services,
    config,
    access: createAccess(config, services.state),
    backends,
    targets,
    catalog,
    models: catalog.models,
    redact: createRedactor(config),
    hide,
    media,
    offload,
    enter() {
      inside += 1;
    },
    leave() {
      inside -= 1;
      closeUnused();
    },
    retire() {
      retired = true;
      closeUnused();
    },
    close,
  };
  services.meter.watch(gateway);
  services.states.watch(backends);
  return gateway;
}
