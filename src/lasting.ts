import type { Config } from './config.js';
import type { Archive } from './conversations/archive.js';
import { openArchive } from './conversations/open-archive.js';
import { createRuns, type Runs } from './conversations/runs.js';
import type { ClientCall } from './http/client-call.js';
import { createPressure, type Pressure } from './http/pressure.js';
import { baseOf } from './http/server.js';
import type { Inflated } from './limits/inflated.js';
import { createShares, type Shares } from './limits/shares.js';
import { createLimiter, type Limiter } from './limits.js';
import { createVideoKey, type VideoKey } from './media/video-key.js';
import { createLog, type Log, type Logger } from './observe/log.js';
import { createMeter, type Meter } from './observe/metrics.js';
import { createTracer, type Tracer } from './observe/tracing.js';
import { createRoom, type Room } from './offload/room.js';
import { createMemoryStorage } from './store/memory.js';
import { createStorage, type Storage } from './store.js';

/** The parts of a gateway that outlive a change of its configuration. */
export interface Lasting {
  /** Where what outlives an exchange is kept; undefined when nothing is. */
  readonly storage: Storage | undefined;
  /** Where files are kept until somebody fetches them: the storage, else this process. */
  readonly files: Storage;
  /** Conversations; undefined when none are kept. */
  readonly archive: Archive | undefined;
  /** Answers that are made in the background. */
  readonly runs: Runs;
  readonly videoKey: VideoKey;
  readonly limiter: Limiter;
  readonly meter: Meter;
  readonly tracer: Tracer;
  readonly logger: Logger;
  /** Keeps the secrets of a configuration out of warnings and errors. */
  readonly hideInLog: Log['hide'];
  readonly state: GatewayState;
  readonly pressure: Pressure;
  /** Memory for large bodies. */
  readonly room: Room;
  /** Ends what was opened, and writes out what is logged. */
  close(): Promise<void>;
}

export interface GatewayState {
  /** Exchanges that are open. */
  readonly open: Set<ClientCall>;
  /** How many of them each key has, by its name. */
  readonly shares: Shares;
  /** What the open requests of each key hold of bodies that came compressed. */
  readonly inflated: Inflated;
  /** Requests that are open, whether they are exchanges or not. */
  requests: number;
  /** This gateway will be gone: no connection is used again, and soon no new ones are taken. */
  draining: boolean;
  /** Where this gateway is reached, without a trailing slash; until it listens, what the configuration says. */
  url: string;
  /** It listens itself; else it is mounted in an application of somebody else. */
  listening: boolean;
  /** Without keys, callers from everywhere are admitted. */
  insecure: boolean;
}

/** Bytes that all large bodies take together while they are worked on. */
const LARGE_BODIES = 640 * 1024 * 1024;

/** Opens them as the configuration of the start says. Throws ConfigError for a store that cannot be used. */
export function createLasting(config: Config): Lasting {
  const { logger, flush, hide, clean } = createLog(config.log.level);
  const storage = createStorage(
    config.store,
    (reason) => logger.warn({ reason }, 'the store cannot be reached'),
    (aside) => logger.error({ aside }, 'the store file was damaged: it was set aside and a new one created'),
  );
  const runs = createRuns();
  const limiter = createLimiter(config, (reason) =>
    reason === undefined
      ? logger.info('limits are shared again')
      : logger.warn({ reason }, 'limits are enforced by this process alone'),
  );
  const tracer = createTracer(process.env, clean, (reason) => logger.warn({ reason }, 'traces cannot be exported'));
  return {
    storage,
    files: storage ?? createMemoryStorage(),
    archive: storage === undefined ? undefined : openArchive(storage, config.store, logger),
    runs,
    videoKey: createVideoKey(config, storage),
    limiter,
    meter: createMeter(),
    tracer,
    logger,
    hideInLog: hide,
    pressure: createPressure(config.workers),
    room: createRoom(LARGE_BODIES / config.workers),
    state: {
      open: new Set(),
      shares: createShares(),
      inflated: new Map(),
      requests: 0,
      draining: false,
      url: baseOf(config.listen.host, config.listen.port),
      listening: false,
      insecure: false,
    },
    async close() {
      await runs.close(0);
      await Promise.all([storage?.close(), limiter.close(), tracer.close()]);
      flush();
    },
  };
}
