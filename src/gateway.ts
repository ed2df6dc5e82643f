import { type Access, createAccess } from './access.js';
import { type Backends, createBackends } from './backend.js';
import { type Catalog, createCatalog } from './catalog.js';
import type { Config, StoreConfig } from './config.js';
import { type Archive, createArchive } from './conversations/archive.js';
import { createRuns, type Runs } from './conversations/runs.js';
import { createLog, type Logger } from './log.js';
import { createMedia, type Media } from './media/parts.js';
import { createRedactor, type Redact } from './redact.js';
import { baseOf } from './server.js';
import { createStorage, reachable, type Storage } from './store.js';
import { createTargets, type Targets } from './target.js';

/** The parts of a gateway that its routes share. */
export interface Gateway {
  readonly config: Config;
  readonly access: Access;
  readonly backends: Backends;
  readonly targets: Targets;
  readonly catalog: Catalog;
  readonly redact: Redact;
  /** Where what outlives an exchange is kept; undefined when nothing is. */
  readonly storage: Storage | undefined;
  /** Conversations; undefined when none are kept. */
  readonly archive: Archive | undefined;
  /** Answers that are made in the background. */
  readonly runs: Runs;
  readonly media: Media;
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
  /** Where this gateway is reached, without a trailing slash; until it listens, what the configuration says. */
  url: string;
}

const MB = 1024 * 1024;
const DAY_MS = 86_400_000;

/** Builds the parts from a configuration. */
export function createGatewayParts(config: Config): Gateway {
  const { logger, flush } = createLog(config.log.level);
  const backends = createBackends(config);
  const targets = createTargets(config);
  const storage = createStorage(config.store, (reason) => logger.warn({ reason }, 'the store cannot be reached'));
  const runs = createRuns();
  const state: GatewayState = { exchanges: 0, draining: false, url: baseOf(config.listen.host, config.listen.port) };
  const media = createMedia(config, storage, () => state.url, logger);
  return {
    config,
    runs,
    access: createAccess(config.keys),
    backends,
    targets,
    catalog: createCatalog(config, backends, targets, logger),
    redact: createRedactor(config),
    storage,
    archive: storage === undefined ? undefined : openArchive(storage, config.store),
    media,
    logger,
    state,
    async close() {
      await runs.close(0);
      await backends.close();
      media.close();
      await storage?.close();
      flush();
    },
  };
}

function openArchive(storage: Storage, { ttlDays, maxMb, entryMb }: StoreConfig): Archive {
  const ttlMs = ttlDays * DAY_MS;
  const area = storage.area('conversations', { ttlMs, maxBytes: maxMb * MB, entryBytes: entryMb * MB });
  return createArchive(reachable(area), ttlMs);
}
