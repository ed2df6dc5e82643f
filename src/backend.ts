import { type BackendCall, callBackend } from './backend/call.js';
import { createHttpTransport } from './backend/http.js';
import { createSimulatorTransport } from './backend/simulated.js';
import type { AnswerHeaders, BackendRequest, Transport } from './backend/transport.js';
import type { BackendConfig, Config } from './config.js';
import { httpDialect } from './http-dialects.js';
import { VERSION } from './version.js';

export { type BackendAnswer, type BackendCall, type BodySink, collectBody } from './backend/call.js';
export { CallFailure } from './backend/call-failure.js';
export type { AnswerHeaders } from './backend/transport.js';

/** What is asked of a backend. */
export interface BackendAsk {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with its query, below the service root. */
  readonly path: string;
  readonly body?: BackendRequest['body'];
  /** Headers of the call beside those that every call to this backend has. */
  readonly headers?: AnswerHeaders;
}

/** A server that we call. */
export interface Backend {
  readonly config: BackendConfig;
  /** Calls it once. */
  call(ask: BackendAsk): BackendCall;
}

/** All backends of a configuration. */
export interface Backends {
  get(name: string): Backend;
  close(): Promise<void>;
}

export function createBackends(config: Config): Backends {
  const simulator = once(createSimulatorTransport);
  const transports: Transport[] = [];
  const backends = new Map<string, Backend>();
  for (const [name, backend] of Object.entries(config.backends)) {
    const transport =
      backend.baseUrl === undefined
        ? simulator()
        : createHttpTransport(new URL(backend.baseUrl).origin, backend.timeouts.connect);
    transports.push(transport);
    backends.set(name, createBackend(backend, transport));
  }
  return {
    get(name) {
      const backend = backends.get(name);
      if (backend === undefined) throw new Error(`no backend ${name}`);
      return backend;
    },
    close: async () => {
      await Promise.all(transports.map((transport) => transport.close()));
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

function createBackend(config: BackendConfig, transport: Transport): Backend {
  const root = config.baseUrl === undefined ? '' : new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const common = commonHeaders(config);
  return {
    config,
    call: ({ method, path, body, headers }) =>
      callBackend(
        transport,
        { method, path: root + path, body, headers: mergeHeaders(common, headers, config.headers) },
        config.timeouts,
      ),
  };
}

/** Later ones win; undefined takes nothing away. */
function mergeHeaders(
  common: Readonly<Record<string, string>>,
  call: AnswerHeaders | undefined,
  configured: Readonly<Record<string, string>>,
): Record<string, string> {
  const merged: Record<string, string> = { ...common };
  for (const name in call) {
    const value = call[name];
    if (value !== undefined) merged[name] = value;
  }
  return Object.assign(merged, configured);
}

/** A compressed answer that was cut looks like a whole one (hardening.md 2.3), so none is asked for. */
function commonHeaders(config: BackendConfig): Record<string, string> {
  const { versionHeader } = httpDialect(config.dialect);
  return {
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'user-agent': `interlingua/${VERSION}`,
    ...(config.apiKey !== undefined && credentialHeader(config.auth, config.apiKey)),
    ...(versionHeader !== undefined && { [versionHeader]: config.version }),
  };
}

/** A key in one of the forms that services take. */
export function credentialHeader(form: BackendConfig['auth'], key: string): Record<string, string> {
  switch (form) {
    case 'bearer':
      return { authorization: `Bearer ${key}` };
    case 'x-api-key':
    case 'x-goog-api-key':
      return { [form]: key };
    case 'client':
      return {};
  }
}
