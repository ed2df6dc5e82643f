import type { BackendConfig, KeyConfig } from '../config/index.js';
import { type Credentials, secretsOf, VERSION } from '../ground/index.js';
import { createHostRequests } from '../protocol/index.js';
import type { CallKind } from './gate.js';
import type { AnswerHeaders, BackendRequest } from './transport.js';

/** What is asked of a backend. */
export interface BackendAsk {
  readonly method: BackendRequest['method'];
  /** Path with its query, below the service root. */
  readonly path: string;
  /** The path begins beside the version that the service root may end in, and not below it. */
  readonly besideVersion?: boolean;
  readonly body?: BackendRequest['body'];
  /** What the call is for, where the client's route does not tell. */
  readonly kind?: CallKind;
  /** Headers of the call beside those that every call to this backend has. */
  readonly headers?: AnswerHeaders;
}

/** A compressed answer that was cut looks like a whole one (hardening.md 2.3), so none is asked for. */
const OWN_HEADERS = { 'accept-encoding': 'identity', 'user-agent': `interlingua/${VERSION}` };

/** Builds the HTTP requests of a backend: what is asked of it, with what every call to it has. */
export function createRequests(config: BackendConfig): (ask: BackendAsk, credentials: Credentials) => BackendRequest {
  return createHostRequests(config, OWN_HEADERS);
}

/** A request as it may be shown: no credential is in it, and nothing that the configuration gives but the address. */
export interface ShownRequest extends Pick<BackendRequest, 'method' | 'headers'> {
  /** The whole address, of the built-in simulator `simulator:` and the path; or the path alone. */
  readonly url: string;
}

const HIDDEN = '***';

/** How much of the address of a backend is shown. */
export type ShownAddress = NonNullable<KeyConfig['explain']>;

/** A request of `createRequests` as it may be shown. */
export function shownRequest(
  config: BackendConfig,
  { method, path, headers }: Pick<BackendRequest, 'method' | 'path' | 'headers'>,
  address: ShownAddress,
): ShownRequest {
  const secrets = secretsOf(config).flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const hide = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...headers, ...fetched(config) })) {
    if (CREDENTIAL.test(name)) shown[name] = value.replace(/^((?:Bearer|Basic) +)?.*$/is, `$1${HIDDEN}`);
    // What an operator configures may be a secret under any name.
    else shown[name] = Object.hasOwn(config.headers, name) ? HIDDEN : hide(value);
  }
  return { method, url: originOf(config, address) + hide(shownPath(config, path)), headers: shown };
}

function originOf({ baseUrl }: BackendConfig, address: ShownAddress): string {
  if (baseUrl === undefined) return 'simulator:';
  return address === 'full' ? new URL(baseUrl).origin : '';
}

/** A path without values that stand in the query of the configured address, but for those that name a version. */
function shownPath({ query }: BackendConfig, path: string): string {
  const start = path.indexOf('?') + 1;
  if (start === 0) return path;
  const configured = new Set([...new URLSearchParams(query).keys()].filter((name) => name !== 'api-version'));
  const pairs = path
    .slice(start)
    .split('&')
    .map((pair) => {
      const [name = ''] = new URLSearchParams(pair).keys();
      return configured.has(name) || QUERY_CREDENTIAL.test(name) ? `${pair.replace(/=.*$/s, '')}=${HIDDEN}` : pair;
    });
  return path.slice(0, start) + pairs.join('&');
}

/** Headers that hold credentials whoever set them. */
const CREDENTIAL = /^(?:(?:proxy-)?authorization|(?:x-)?(?:goog-)?api-key|cookie)$/;
const QUERY_CREDENTIAL = /^(?:(?:x-)?(?:api[-_]?)?)?key$/i;

/** The credentials that are fetched or made for each call. */
function fetched({ auth }: BackendConfig): Record<string, string> {
  if (auth === 'google') return { authorization: `Bearer ${HIDDEN}` };
  return auth === 'aws' ? { authorization: `AWS4-HMAC-SHA256 ${HIDDEN}` } : {};
}
