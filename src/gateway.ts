import { type Access, createAccess } from './access.js';
import { type Backends, createBackends } from './backend.js';
import { type Catalog, createCatalog } from './catalog.js';
import type { Config } from './config.js';
import { createTargets, type Targets } from './exchange/target.js';
import type { Lasting } from './lasting.js';
import { createMedia, type Media } from './media/parts.js';
import { createOffload, type Offload, type OffloadOptions } from './offload.js';
import { createLogRedactor, createRedactor, type Redact } from './redact.js';

/** What routes work with: one configuration with the parts made from it, and the parts that outlive it. */
export interface Gateway extends Omit<Lasting, 'close'> {
  readonly config: Config;
  readonly access: Access;
  readonly backends: Backends;
  readonly targets: Targets;
  readonly catalog: Catalog;
  readonly redact: Redact;
  /** Takes out of a text what must not stand in a log. */
  readonly hide: Redact;
  readonly media: Media;
  /** Threads for large bodies; undefined where there are none, and in those themselves. */
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

/** Builds the parts from a configuration. Backends that `before` has alike are taken over with their connections. */
export function createGatewayParts(
  config: Config,
  lasting: Lasting,
  before?: Gateway,
  options?: OffloadOptions,
): Gateway {
  const backends = createBackends(config, lasting.logger, before?.backends);
  const targets = createTargets(config);
  const media = createMedia(config, lasting);
  const hide = createLogRedactor(config);
  const offload = createOffload({ ...lasting, config }, options);
  lasting.hideInLog(hide);
  if (config.log.content && before?.config.log.content !== true) {
    lasting.logger.warn('log.content is on: prompts and answers are logged');
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
    ...lasting,
    config,
    access: createAccess(config, lasting.state),
    backends,
    targets,
    catalog: createCatalog(config, backends, targets, lasting.logger),
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
  lasting.meter.watch(gateway);
  return gateway;
}
