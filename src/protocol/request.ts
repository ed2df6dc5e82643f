import type { Headers } from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { credentialHeader } from './credentials.js';
import type { Host } from './host.js';

/** What is asked of a host. */
export interface HostAsk<Method, Body> {
  readonly method: Method;
  /** Path with its query, below the service root. */
  readonly path: string;
  /** The path begins beside the version that the service root may end in, and not below it. */
  readonly besideVersion?: boolean;
  readonly body?: Body;
  /** Headers of the call beside those that every call to this host has. */
  readonly headers?: Headers;
}

/** What is sent: `path` begins at the origin of the host. */
export interface HostRequest<Method, Body> {
  readonly method: Method;
  readonly path: string;
  readonly body?: Body;
  readonly headers: Record<string, string>;
}

/** With what a host is called at the moment. */
export interface HostCredentials {
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes the HTTP requests for a host: what is asked of it, with what every call to it has. `own` = headers of the caller. */
export function createHostRequests(
  host: Host,
  own: Readonly<Record<string, string>> = {},
): <M, B>(ask: HostAsk<M, B>, credentials: HostCredentials) => HostRequest<M, B> {
  const root = host.baseUrl === undefined ? '' : new URL(host.baseUrl).pathname.replace(/\/$/, '');
  const common = commonHeaders(host, own);
  const { betaHeader } = gatewayDialect(host.dialect);
  return ({ method, path, besideVersion, body, headers }, { apiKey, headers: configured }) => {
    const ours = apiKey === undefined ? common : { ...common, ...credentialHeader(host.auth, apiKey) };
    return {
      method,
      path: withQuery((besideVersion ? root.replace(/\/v1$/, '') : root) + belowRoot(host, path), host.query),
      body,
      headers: ownHeaders(host, mergeHeaders(ours, headers, configured, betaHeader)),
    };
  };
}

/** What stands in front of a model in a path: the version, and the whole place where its name is that of a resource. */
const BEFORE_MODELS = /^\/v1(?:beta1?|alpha)?(?:\/projects\/[^?:]*\/publishers\/google)?(?=\/models\/)/;

/** The path of a call; below a publisher nothing stands in front of its models, and no version where the query tells it. */
function belowRoot({ publisher, apiVersion }: Host, path: string): string {
  if (apiVersion?.dated === true) return path.replace(/^\/v1(?=\/)/, '');
  return publisher === 'google' ? path.replace(BEFORE_MODELS, '') : path;
}

/** The headers without those that the backend must not get: publishers read the version in the body. */
function ownHeaders({ publisher, dialect }: Host, headers: Record<string, string>): Record<string, string> {
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

/** Later ones win, but for feature names, which are joined (configuration.md#rules); undefined takes nothing away. */
function mergeHeaders(
  common: Readonly<Record<string, string>>,
  call: Headers | undefined,
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

/** What every call says. */
function commonHeaders({ dialect, version }: Host, own: Readonly<Record<string, string>>): Record<string, string> {
  const { versionHeader } = gatewayDialect(dialect);
  return {
    ...own,
    'content-type': 'application/json',
    ...(versionHeader !== undefined && { [versionHeader]: version }),
  };
}
