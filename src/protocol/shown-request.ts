import type { Host } from './host.js';
import type { HostRequest } from './request.js';

/** A request as it may be shown: no credential is in it, and nothing that the configuration gives but the address. */
export interface ShownRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole address, of the built-in simulator `simulator:` and the path; or the path alone. */
  readonly url: string;
}

const HIDDEN = '***';

/** How much of the address of a backend is shown. */
export type ShownAddress = 'path' | 'full';

/** A request of a host as it may be shown. `known` = what else of it is secret. */
export function shownRequest(
  config: Host,
  { method, path, headers }: Pick<HostRequest<string, unknown>, 'method' | 'path' | 'headers'>,
  { address, known }: { readonly address: ShownAddress; readonly known: readonly string[] },
): ShownRequest {
  const secrets = known.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const hide = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...headers, ...fetched(config) })) {
    if (CREDENTIAL.test(name)) shown[name] = value.replace(/^((?:Bearer|Basic) +)?.*$/is, `$1${HIDDEN}`);
    // What an operator configures may be a secret under any name.
    else shown[name] = Object.hasOwn(config.headers, name) ? HIDDEN : hide(value);
  }
  return { method, url: originOf(config, address) + hide(shownPath(config, path)), headers: shown };
}

function originOf({ baseUrl }: Host, address: ShownAddress): string {
  if (baseUrl === undefined) return 'simulator:';
  return address === 'full' ? new URL(baseUrl).origin : '';
}

/** A path without values that stand in the query of the configured address, but for those that name a version. */
function shownPath({ query }: Host, path: string): string {
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
function fetched({ auth }: Host): Record<string, string> {
  if (auth === 'google') return { authorization: `Bearer ${HIDDEN}` };
  return auth === 'aws' ? { authorization: `AWS4-HMAC-SHA256 ${HIDDEN}` } : {};
}
