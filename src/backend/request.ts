import type { BackendConfig } from '../config/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { type Credentials, credentialsOf, secretsOf, VERSION } from '../ground/index.js';
import type { CallKind } from './gate.js';
import type { AnswerHeaders, BackendRequest } from './transport.js';

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

/** Builds the HTTP requests of a backend: what is asked of it, with what every call to it has. */
export function createRequests(config: BackendConfig): (ask: BackendAsk, credentials: Credentials) => BackendRequest {
  const root = config.baseUrl === undefined ? '' : new URL(config.baseUrl).pathname.replace(/\/$/, '');
  const common = commonHeaders(config);
  const { betaHeader } = gatewayDialect(config.dialect);
  return ({ method, path, body, headers }, { apiKey, headers: configured }) => {
    const own = apiKey === undefined ? common : { ...common, ...credentialHeader(config.auth, apiKey) };
    return {
      method,
      path: withQuery(root + belowRoot(config, path), config.query),
      body,
      headers: ownHeaders(config, mergeHeaders(own, headers, configured, betaHeader)),
    };
  };
}

/** A request as it may be shown: every credential in it is `***`. */
export interface ShownRequest extends Pick<BackendRequest, 'method' | 'headers' | 'body'> {
  /** The whole address; of the built-in simulator `simulator:` and the path. */
  readonly url: string;
}

const HIDDEN = '***';

/** The request that a backend would get for what is asked of it. Nothing is called. */
export function shownRequest(config: BackendConfig, ask: BackendAsk): ShownRequest {
  const { method, path, body, headers } = createRequests(config)(ask, credentialsOf(config));
  const origin = config.baseUrl === undefined ? 'simulator:' : new URL(config.baseUrl).origin;
  const secrets = secretsOf(config).flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const hide = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...headers, ...fetched(config) })) {
    const secret = CREDENTIAL.test(name) || (Object.hasOwn(config.headers, name) && CONFIGURED.test(name));
    shown[name] = secret ? value.replace(/^((?:Bearer|Basic) +)?.*$/is, `$1${HIDDEN}`) : hide(value);
  }
  return { method, url: hide(origin + path).replace(IN_QUERY, `$1${HIDDEN}`), headers: shown, body };
}

/** Headers that hold credentials whoever set them; among the configured ones those whose names say so. */
const CREDENTIAL = /^(?:(?:proxy-)?authorization|(?:x-)?(?:goog-)?api-key|cookie)$/;
const CONFIGURED = /auth|key|token|secret|cookie/;
const IN_QUERY = /([?&](?:(?:x-)?api[-_]?)?key=)[^&]+/gi;

/** The credentials that are fetched or made for each call. */
function fetched({ auth }: BackendConfig): Record<string, string> {
  if (auth === 'google') return { authorization: `Bearer ${HIDDEN}` };
  return auth === 'aws' ? { authorization: `AWS4-HMAC-SHA256 ${HIDDEN}` } : {};
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
