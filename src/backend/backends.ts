import { isDeepStrictEqual } from 'node:util';
import type { BackendConfig, Config } from '../config/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { addSecret, type Credentials, credentialsOf, type Logger, VERSION } from '../ground/index.js';
import { isWorker } from '../workers/index.js';
import { type BackendCall, type CallOptions, callBackend } from './call.js';
import { type Authority, authorized } from './clouds/authority.js';
import { createAwsAuthority } from './clouds/aws.js';
import { createGoogleAuthority } from './clouds/google.js';
import { type Cooling, createCooling } from './cooling.js';
import { type CallKind, createGate, type Status, shareOf } from './gate.js';
import { createHttpTransport } from './http.js';
import { createLessons, type Lessons } from './lessons.js';
import { createSimulatorTransport } from './simulated.js';
import type { AnswerHeaders, BackendRequest, Transport } from './transport.js';

/** What is asked of a backend. */
export interface BackendAsk {
  readonly method: BackendRequest['method'];
  /** Path with its query, below the service root. */
  readonly path: string;
  readonly body?: BackendRequest['body'];
  /** What the call is for, where the client's route does not tell. */
  readonly kind?: CallKind;
  /** Headers of the call beside those that every call to this backend has. */
  readonly headers?: AnswerHeaders;
}

/** A server that we call. */
export interface Backend {
  readonly config: BackendConfig;
  /**
   * Calls it once, when its breaker lets calls of this kind through and there is a place for one more. `ended` is called
   * once when the call is over.
   */
  call(ask: BackendAsk, options?: Pick<CallOptions, 'kind' | 'key' | 'ended'>): BackendCall;
  status(): Status;
  /** Models of it that asked to be left alone. */
  readonly cooling: Cooling;
  /** What its refusals taught. */
  readonly lessons: Lessons;
}

/** All backends of a configuration. */
export interface Backends {
  /** Throws for a name that the configuration does not have. */
  get(name: string): Backend;
  all(): Iterable<Backend>;
  /** What may be taken over by the backends of a later configuration. */
  readonly held: ReadonlyMap<string, Held>;
  /** Lets go of all of them; what nobody else holds ends at once. */
  close(): Promise<void>;
}

/** A backend with its connections, which several configurations may hold. */
interface Held {
  readonly backend: Backend;
  hold(): void;
  release(): Promise<void>;
}

/** Those that `before` has with an equal configuration are taken over. */
export function createBackends(config: Config, logger: Logger, before?: Backends): Backends {
  const simulator = once(createSimulatorTransport);
  const google = once(createGoogleAuthority);
  const processes = isWorker ? config.workers : 1;
  const held = new Map<string, Held>();
  for (const [name, backend] of Object.entries(config.backends)) {
    const known = before?.held.get(name);
    const one =
      known !== undefined && isDeepStrictEqual(known.backend.config, backend)
        ? known
        : createHeld(backend, processes, transportOf(backend, simulator, google), logger);
    one.hold();
    held.set(name, one);
  }
  return {
    get(name) {
      const one = held.get(name);
      if (one === undefined) throw new Error(`no backend ${name}`);
      return one.backend;
    },
    all: () => [...held.values()].map(({ backend }) => backend),
    held,
    close: async () => {
      await Promise.all([...held.values()].map((one) => one.release()));
    },
  };
}

function transportOf(config: BackendConfig, simulator: () => Transport, google: () => Authority): Transport {
  if (config.baseUrl === undefined) return simulator();
  const { origin } = new URL(config.baseUrl);
  const http = createHttpTransport(origin, config.timeouts.connect);
  const learn = (secret: string): void => addSecret(config, secret);
  if (config.auth === 'google') return authorized(http, google(), learn);
  return config.signing === undefined ? http : authorized(http, createAwsAuthority(origin, config.signing), learn);
}

function createHeld(config: BackendConfig, processes: number, transport: Transport, logger: Logger): Held {
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
  const root = config.baseUrl === undefined ? '' : new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const common = commonHeaders(config);
  const credentials = watchedCredentials(config, logger);
  const { betaHeader } = gatewayDialect(config.dialect);
  const gate = createGate(shareOf(config, processes), {
    onOut: (kind, ms, key) =>
      logger.warn(
        { backend: config.name, kind, key, ms: Math.ceil(ms) },
        'the backend failed and is not called for a while',
      ),
    onBack: (kind, key) => logger.info({ backend: config.name, kind, key }, 'the backend answers again'),
  });
  return {
    config,
    call({ method, path, body, headers }, options) {
      const { apiKey, headers: configured } = credentials();
      const own = apiKey === undefined ? common : { ...common, ...credentialHeader(config.auth, apiKey) };
      return callBackend(
        transport,
        {
          method,
          path: withQuery(root + belowRoot(config, path), config.query),
          body,
          headers: ownHeaders(config, mergeHeaders(own, headers, configured, betaHeader)),
        },
        config.timeouts,
        { ...options, gate },
      );
    },
    status: gate.status,
    cooling: createCooling(),
    lessons: createLessons(),
  };
}

/** What stands in front of a model in a path: the version, and the whole place where its name is that of a resource. */
const BEFORE_MODELS = /^\/v1(?:beta1?|alpha)?(?:\/projects\/[^?:]*\/publishers\/google)?(?=\/models\/)/;

/** The path of a call; below a publisher nothing stands in front of its models, and no version where the query tells it. */
function belowRoot({ publisher, apiVersion }: BackendConfig, path: string): string {
  if (apiVersion?.dated === true) return path.replace(/^\/v1(?=\/)/, '');
  return publisher === 'google' ? path.replace(BEFORE_MODELS, '') : path;
}

/** The headers without those that the backend must not get: publishers read the version in the body. */
function ownHeaders({ publisher, dialect }: BackendConfig, headers: Record<string, string>): Record<string, string> {
  const { versionHeader } = gatewayDialect(dialect);
  if (publisher === undefined || versionHeader === undefined) return headers;
  const { [versionHeader]: _version, ...others } = headers;
  return others;
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

/** A path with what the address of the backend has in its query, but for what the call names itself. */
function withQuery(path: string, query: string | undefined): string {
  if (query === undefined) return path;
  const asked = new URLSearchParams(path.split('?')[1]);
  const added = query.split('&').filter((pair) => !asked.has([...new URLSearchParams(pair).keys()][0] ?? ''));
  if (added.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${added.join('&')}`;
}

/** Later ones win, but for feature names, which are joined (contract.md 3.1); undefined takes nothing away. */
function mergeHeaders(
  common: Readonly<Record<string, string>>,
  call: AnswerHeaders | undefined,
  configured: Readonly<Record<string, string>>,
  betaHeader: string | undefined,
): Record<string, string> {
  const merged: Record<string, string> = { ...common };
  for (const name in call) {
    const value = call[name];
    if (value !== undefined) merged[name] = value;
  }
  const asked = betaHeader === undefined ? undefined : merged[betaHeader];
  Object.assign(merged, configured);
  if (betaHeader !== undefined && asked !== undefined) merged[betaHeader] = joinBetas(asked, configured[betaHeader]);
  return merged;
}

/** Feature names of two headers, each once. */
function joinBetas(asked: string, configured: string | undefined): string {
  if (configured === undefined) return asked;
  const names = `${configured},${asked}`.split(',').map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '').join(',');
}

/** A compressed answer that was cut looks like a whole one (hardening.md 2.3), so none is asked for. */
function commonHeaders(config: BackendConfig): Record<string, string> {
  const { versionHeader } = gatewayDialect(config.dialect);
  return {
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'user-agent': `interlingua/${VERSION}`,
    ...(versionHeader !== undefined && { [versionHeader]: config.version }),
  };
}

/** A key in one of the forms that services take. */
export function credentialHeader(form: BackendConfig['auth'], key: string): Record<string, string> {
  switch (form) {
    case 'bearer':
      return { authorization: `Bearer ${key}` };
    case 'x-api-key':
    case 'api-key':
    case 'x-goog-api-key':
      return { [form]: key };
    case 'client':
    case 'google':
    case 'aws':
      return {};
  }
}
