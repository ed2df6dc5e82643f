import type { Archive } from '../archive/index.js';
import type { Config } from '../config/index.js';
import { type BackgroundJobs, createBackgroundJobs, openArchive } from '../conversations/index.js';
import { baseOf, type Logger } from '../ground/index.js';
import {
  createHeldPlaces,
  createOpenCalls,
  createPressure,
  createTurns,
  type GatewayState,
  type Pressure,
} from '../http/index.js';
import { createLimiter, type Limiter } from '../limits/index.js';
import { createLive, type Live } from '../live/index.js';
import { createVideoKey, type VideoKey } from '../media/index.js';
import { createModelStates, type ModelStates } from '../models/index.js';
import {
  createLog,
  createMeter,
  createRecorder,
  createTracer,
  type Log,
  type Meter,
  type Recorder,
  type Tracer,
} from '../observe/index.js';
import { createMemoryStorage, createMemoryTallies, createStorage, type Storage, type Tallies } from '../store/index.js';
import { createUsage, createWorkerTallies, SUBJECTS, type Usage } from '../usage/index.js';
import { isWorker, primaryStartedAt } from '../workers/index.js';

/** The parts of a gateway that outlive a change of its configuration. */
export interface Services {
  /** Where what outlives an exchange is kept; undefined when nothing is. */
  readonly storage: Storage | undefined;
  /** Where files are kept until somebody fetches them: the storage, else this process. */
  readonly files: Storage;
  /** Conversations; undefined when none are kept. */
  readonly archive: Archive | undefined;
  /** Answers that are made in the background. */
  readonly jobs: BackgroundJobs;
  readonly videoKey: VideoKey;
  readonly limiter: Limiter;
  readonly meter: Meter;
  readonly tracer: Tracer;
  /** Keeps exchanges in a file, as the configuration in force says. */
  readonly recorder: Recorder;
  /** What is believed of backends and models, by all processes that share the port. */
  readonly states: ModelStates;
  /** Sums of what is used, where the configuration in force wants them. */
  readonly usage: Usage;
  /** The last exchanges, for who may look. */
  readonly live: Live;
  readonly logger: Logger;
  /** Keeps the secrets of a configuration out of warnings and errors. */
  readonly hideInLog: Log['hide'];
  readonly state: GatewayState;
  readonly pressure: Pressure;
  /** Ends what was opened, and writes out what is logged. */
  close(): Promise<void>;
}

/**
 * Opens them as the configuration of the start says. Throws ConfigError for a store that cannot be used. `environment`: says where traces
 * go; without one nothing of it is told outside, neither traces nor counts.
 */
export function createServices(config: Config, environment?: NodeJS.ProcessEnv): Services {
  const { logger, flush, hide, clean } = createLog(config.log.level);
  const storage = createStorage(
    config.store,
    (reason) => logger.warn({ reason }, 'the store cannot be reached'),
    (aside) => logger.error({ aside }, 'the store file was damaged: it was set aside and a new one created'),
  );
  const jobs = createBackgroundJobs();
  const limiter = createLimiter(config, (reason) =>
    reason === undefined
      ? logger.info('limits are shared again')
      : logger.warn({ reason }, 'limits are enforced by this process alone'),
  );
  const tracer = createTracer(environment ?? {}, clean, (reason) =>
    logger.warn({ reason }, 'traces cannot be exported'),
  );
  const meter = createMeter(environment !== undefined);
  const live = createLive(config.workers, clean, environment !== undefined);
  const recorder = createRecorder(logger, (reason) => meter.unrecorded(reason));
  const usage = createUsage(
    {
      hours: () => storage?.tallies() ?? ownTallies('hours'),
      minutes: () => ownTallies('minutes'),
    },
    (reason) =>
      reason === undefined
        ? logger.info('usage is written again')
        : logger.warn({ reason }, 'usage cannot be written; it waits'),
  );
  return {
    storage,
    files: storage ?? createMemoryStorage(),
    archive: storage === undefined ? undefined : openArchive(storage, config.store, logger),
    jobs,
    videoKey: createVideoKey(config, storage),
    limiter,
    meter,
    tracer,
    recorder,
    states: createModelStates(environment !== undefined),
    usage,
    live,
    logger,
    hideInLog: hide,
    pressure: createPressure(config.workers),
    state: {
      open: createOpenCalls(),
      places: createHeldPlaces(),
      inflated: new Map(),
      turns: createTurns(),
      startedAt: primaryStartedAt ?? Date.now(),
      requests: 0,
      served: 0,
      draining: false,
      url: baseOf(config.listen.host, config.listen.port),
      listening: false,
      insecure: false,
    },
    async close() {
      live.close();
      await jobs.close(0);
      await usage.close();
      await Promise.all([storage?.close(), limiter.close(), tracer.close(), recorder.close()]);
      flush();
    },
  };
}

/** Sums that no store keeps: those of this process, or of all workers, which the primary keeps. */
function ownTallies(of: keyof typeof SUBJECTS): Tallies {
  return isWorker ? createWorkerTallies(SUBJECTS[of]) : createMemoryTallies();
}
