import { type Access, createAccess } from './access.js';
import { type Backends, createBackends } from './backend.js';
import { type Catalog, createCatalog } from './catalog.js';
import type { Config } from './config.js';
import { createLog, type Logger } from './log.js';
import { createRedactor, type Redact } from './redact.js';
import { createTargets, type Targets } from './target.js';

/** The parts of a gateway that its routes share. */
export interface Gateway {
  readonly config: Config;
  readonly access: Access;
  readonly backends: Backends;
  readonly targets: Targets;
  readonly catalog: Catalog;
  readonly redact: Redact;
  readonly logger: Logger;
  readonly state: GatewayState;
  /** Ends connections to backends and writes out what is logged. */
  close(): Promise<void>;
}

export interface GatewayState {
  /** Exchanges that are open. */
  exchanges: number;
  /** No new connections are taken. */
  draining: boolean;
}

/** Builds the parts from a configuration. */
export function createGatewayParts(config: Config): Gateway {
  const { logger, flush } = createLog(config.log.level);
  const backends = createBackends(config);
  const targets = createTargets(config);
  return {
    config,
    access: createAccess(config.keys),
    backends,
    targets,
    catalog: createCatalog(config, backends, targets, logger),
    redact: createRedactor(config),
    logger,
    state: { exchanges: 0, draining: false },
    async close() {
      await backends.close();
      flush();
    },
  };
}
