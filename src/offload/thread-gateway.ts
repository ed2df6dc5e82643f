import { createTargets } from '../config/index.js';
import { type BackgroundJobs, openArchive } from '../conversations/index.js';
import type { Gateway } from '../gateway/index.js';
import { createLogRedactor, createRedactor } from '../ground/index.js';
import { createAccess, createHeldPlaces, createOpenCalls, createTurns, type GatewayState } from '../http/index.js';
import type { Limiter } from '../limits/index.js';
import type { Live } from '../live/index.js';
import { createMedia } from '../media/index.js';
import { createModels } from '../models/index.js';
import type { Meter, Recorder, Tracer } from '../observe/index.js';
import type { Usage } from '../usage/index.js';
import type { Begin, GivenState, ThreadData } from './messages.js';
import { NotHere } from './not-here.js';
import type { RemoteBackends } from './thread-backends.js';
import type { Link } from './thread-link.js';

/** What the requests of a thread share of their gateway. */
export type Shared = Omit<Gateway, 'backends' | 'catalog' | 'models' | 'state' | 'meter' | 'tracer'>;

/** The parts of a gateway that are made from a configuration alone, and those over the process. */
export function createShared({ config, stores }: ThreadData, link: Link): Shared {
  const { logger, videoKey } = link;
  const storage = stores ? link.storage : undefined;
  return {
    config,
    storage,
    files: link.files,
    archive: storage === undefined ? undefined : openArchive(storage, config.store, logger),
    jobs: NO_JOBS,
    videoKey,
    limiter: NO_LIMITER,
    logger,
    recorder: NO_RECORDER,
    states: { watch: () => {}, read: notHere, forget: notHere },
    usage: NO_USAGE,
    live: NO_LIVE,
    hideInLog: () => {},
    pressure: { check: () => {} },
    access: createAccess(config, { insecure: false }),
    targets: createTargets(config),
    redact: createRedactor(config),
    hide: createLogRedactor(config),
    media: createMedia(config, { files: link.files, videoKey, logger }),
    offload: undefined,
    enter: () => {},
    leave: () => {},
    retire: () => {},
    close: async () => {},
  };
}

/** The gateway of one request. */
export function gatewayOf(shared: Shared, begin: Begin, backends: RemoteBackends): Gateway {
  const { port, state } = begin;
  const models = createModels(shared.config, shared.targets, () => state.told);
  return {
    ...shared,
    backends,
    state: stateOf(state),
    catalog: {
      list: notHere,
      find: notHere,
      discover: notHere,
      known: () => state.names,
      told: () => state.told,
      models,
    },
    models,
    tracer: tracerOf(backends),
    meter: { ...NO_METER, passed: (backend, reason) => port.postMessage({ kind: 'passed', backend, reason }) },
  };
}

function stateOf({ url, listening, insecure }: GivenState): GatewayState {
  return {
    open: createOpenCalls(),
    places: createHeldPlaces(),
    inflated: new Map(),
    turns: createTurns(),
    requests: 1,
    served: 0,
    get startedAt() {
      return notHere();
    },
    draining: false,
    url,
    listening,
    insecure,
  };
}

/** The process writes the traces: it gets the model of the next call. */
function tracerOf(backends: RemoteBackends): Tracer {
  return {
    begin: () => {},
    called(_call, { model }) {
      backends.expect(model);
      return { headers: undefined, ended: () => {} };
    },
    ended: () => {},
    close: async () => {},
  };
}

function notHere(): never {
  throw new NotHere();
}

/** Answers in the background outlive their request: the process makes them. */
const NO_JOBS: BackgroundJobs = {
  get size() {
    return notHere();
  },
  held: notHere,
  get: () => undefined,
  add: notHere,
  close: async () => {},
};

/** Requests were admitted before they came here. */
const NO_LIMITER: Limiter = { admit: () => undefined, close: async () => {} };

/** What was said is recorded where the client's connection is. */
const NO_RECORDER: Recorder = { bytes: 0, use: () => {}, add: () => {}, close: async () => {} };

/** Exchanges are counted where the client's connection is. */
const NO_USAGE: Usage = {
  on: false,
  ended: () => {},
  made: () => {},
  report: notHere,
  use: () => {},
  close: async () => {},
};

/** The process keeps its exchanges, those of threads as well. */
const NO_LIVE: Live = {
  on: false,
  bodies: false,
  source: { after: notHere, detail: notHere },
  use: () => {},
  add: () => {},
  made: () => {},
  follow: notHere,
  close: () => {},
};

const NO_METER: Meter = {
  passed: () => {},
  learned: () => {},
  limited: () => {},
  unrecorded: () => {},
  called: () => {},
  reloaded: () => {},
  ended: () => {},
  made: () => {},
  watch: () => {},
  render: notHere,
};
