import { isDeepStrictEqual } from 'node:util';
import type { BackendConfig, Config } from '../config/index.js';
import { addSecret, type Credentials, credentialsOf, type Logger } from '../ground/index.js';
import { isWorker } from '../workers/index.js';
import { type BackendCall, type CallOptions, callBackend } from './call.js';
import { type Authority, authorized } from './clouds/authority.js';
import { createAwsAuthority } from './clouds/aws.js';
import { createGoogleAuthority } from './clouds/google.js';
import { type Cooling, createCooling } from './cooling.js';
import { createGate, type Status, shareOf } from './gate.js';
import { type Connector, createHttpTransport } from './http.js';
import { type BackendAsk, createRequests } from './request.js';
import { createRestrictions, type Restrictions } from './restrictions.js';
import { createSimulatorTransport } from './simulated.js';
import type { Transport } from './transport.js';

/** A server that we call. */
export interface Backend {
  readonly config: BackendConfig;
  /**
   * Calls it once, when its breaker lets calls of this kind through and there is a place for one more. `ended` is called
   * once when the call is over.
   */
  call(ask: BackendAsk, options?: Pick<CallOptions, 'kind' | 'key' | 'begun' | 'ended'>): BackendCall;
  status(): Status;
  /** It refused our own credentials: its status says so until it answers. */
  noteRefusedKey(): void;
  /** Models of it that asked to be left alone. */
  readonly cooling: Cooling;
  /** What its refusals revealed. */
  readonly restrictions: Restrictions;
  /** The same server by its other endpoints: all but what is asked and what was learned is shared. */
  readonly endpoints: readonly Backend[];
}

/** Which endpoint of which backend. */
type EndpointName = Pick<BackendConfig, 'name' | 'dialect'>;

/** All backends of a configuration. */
export interface Backends {
  /** Throws for a name that the configuration does not have. */
  get(name: string): Backend;
  /** The same at an endpoint of a backend. */
  at(endpoint: EndpointName): Backend;
  all(): Iterable<Backend>;
  /** What may be taken over by the backends of a later configuration. */
  readonly held: ReadonlyMap<string, SharedBackend>;
  /** Lets go of all of them; what nobody else holds ends at once. */
  close(): Promise<void>;
}

/** A backend with its connections, which several configurations may hold. */
interface SharedBackend {
  readonly backend: Backend;
  hold(): void;
  release(): Promise<void>;
}

/**
 * Those that `before` has with an equal configuration are taken over, without what they learned. With a `connector` they are reached in
 * this process.
 */
export function createBackends(config: Config, logger: Logger, before?: Backends, connector?: Connector): Backends {
  const simulator = once(createSimulatorTransport);
  const google = once(createGoogleAuthority);
  const processes = isWorker ? config.workers : 1;
  const held = new Map<string, SharedBackend>();
  for (const [name, backend] of Object.entries(config.backends)) {
    const known = before?.held.get(name);
    const one =
      known !== undefined && isDeepStrictEqual(known.backend.config, backend)
        ? known
        : createSharedBackend(backend, processes, transportOf(backend, simulator, google, connector), logger);
    one.hold();
    if (one === known) for (const endpoint of allEndpoints(one.backend)) endpoint.restrictions.forget();
    held.set(name, one);
  }
  const get = (name: string): Backend => {
    const one = held.get(name);
    if (one === undefined) throw new Error(`no backend ${name}`);
    return one.backend;
  };
  return {
    get,
    at: (endpoint) => backendAt(get(endpoint.name), endpoint),
    all: () => [...held.values()].map(({ backend }) => backend),
    held,
    close: async () => {
      await Promise.all([...held.values()].map((one) => one.release()));
    },
  };
}

/** A backend by all of its endpoints, the first of which is its own. */
export function allEndpoints(backend: Backend): readonly Backend[] {
  return backend.endpoints.length === 0 ? [backend] : [backend, ...backend.endpoints];
}

/** A backend at one of its endpoints; itself where it has no such one. */
export function backendAt(backend: Backend, { dialect }: EndpointName): Backend {
  if (backend.config.dialect === dialect) return backend;
  return backend.endpoints.find(({ config }) => config.dialect === dialect) ?? backend;
}

function transportOf(
  config: BackendConfig,
  simulator: () => Transport,
  google: () => Authority,
  connector: Connector | undefined,
): Transport {
  if (config.baseUrl === undefined) return simulator();
  const { origin } = new URL(config.baseUrl);
  const http = createHttpTransport(origin, config.timeouts.connect, connector);
  const learn = (secret: string): void => addSecret(config, secret);
  if (config.auth === 'google') return authorized(http, google(), learn);
  return config.signing === undefined ? http : authorized(http, createAwsAuthority(origin, config.signing), learn);
}

function createSharedBackend(
  config: BackendConfig,
  processes: number,
  transport: Transport,
  logger: Logger,
): SharedBackend {
  let holders = 0;
  return {
    backend: createBackend(config, processes, transport, logger),
    hold() {
      holders += 1;
    },
    async release() {
      holders -= 1;
      if (holders === 0) await transport.close();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function createBackend(config: BackendConfig, processes: number, transport: Transport, logger: Logger): Backend {
  const credentials = watchedCredentials(config, logger);
  const gate = createGate(shareOf(config, processes), {
    onOut: (kind, ms, key) =>
      logger.warn(
        { backend: config.name, kind, key, ms: Math.ceil(ms) },
        'the backend failed and is not called for a while',
      ),
    onBack: (kind, key) => logger.info({ backend: config.name, kind, key }, 'the backend answers again'),
  });
  const cooling = createCooling();
  const at = (endpoint: BackendConfig, endpoints: readonly Backend[]): Backend => {
    const requestOf = createRequests(endpoint);
    return {
      config: endpoint,
      call(ask, options = {}) {
        const { kind, key, begun, ended } = options;
        const request = requestOf(ask, credentials());
        return callBackend(transport, request, config.timeouts, { gate, kind, key, begun, ended });
      },
      status: gate.status,
      noteRefusedKey: gate.noteRefusedKey,
      cooling,
      restrictions: createRestrictions(),
      endpoints,
    };
  };
  return at(
    config,
    config.endpoints.map((endpoint) => at(endpoint, [])),
  );
}

/** The credentials of a call; a file that cannot be read any more is logged once. */
function watchedCredentials(config: BackendConfig, logger: Logger): () => Credentials {
  let told = '';
  return () => {
    const credentials = credentialsOf(config);
    const reason = credentials.faults.join('; ');
    if (reason !== told) {
      told = reason;
      if (reason === '') logger.info({ backend: config.name }, 'the files of the credentials can be read again');
      else logger.warn({ backend: config.name, reason }, 'a credential in a file cannot be used; the last one stays');
    }
    return credentials;
  };
}
