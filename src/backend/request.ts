import type { BackendConfig } from '../config/index.js';
import { type Credentials, credentialsOf, secretsOf, VERSION } from '../ground/index.js';
import { createHostRequests } from '../protocol/index.js';
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

/** A compressed answer that was cut looks like a whole one (hardening.md 2.3), so none is asked for. */
const OWN_HEADERS = { 'accept-encoding': 'identity', 'user-agent': `interlingua/${VERSION}` };

/** Builds the HTTP requests of a backend: what is asked of it, with what every call to it has. */
export function createRequests(config: BackendConfig): (ask: BackendAsk, credentials: Credentials) => BackendRequest {
  return createHostRequests(config, OWN_HEADERS);
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
