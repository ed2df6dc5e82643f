import type { Config } from '../config/index.js';
import { Failure, isLoopback } from '../ground/index.js';
import type { ClientCall } from './client-call.js';
import { isLocal } from './server.js';

/**
 * Without keys, anyone who reaches this machine may call; a page of the web may not, although its visitor's browser does
 * reach it. Throws a 403 for a page of a foreign origin that `listen.cors` does not name, and for a `Host` that is
 * neither loopback nor that of `listen.publicUrl`: a name that was bound anew to this machine makes a foreign page its
 * own (attacks.md, finding 9). Only browsers send what is looked at, besides `Host`.
 * @param url where the gateway listens; other than on loopback it has names that are not known here
 */
export function refusePages(call: ClientCall, config: Config, url: string): void {
  const { keys, listen } = config;
  if (keys.length > 0) return;
  const { host, origin, 'sec-fetch-site': site } = call.request.headers;
  if (!config.open && hasForeignHost(call, config, url)) {
    throw forbidden('the Host of this request is not ours: name it in listen.publicUrl, or configure keys');
  }
  if (origin === undefined ? site !== 'cross-site' : isKnown(origin, host, listen)) return;
  throw forbidden('web pages of this origin may not call: name it in listen.cors, or configure keys');
}

/** Whether a gateway on loopback is called by a name that need not be ours. */
export function hasForeignHost({ request: { headers } }: ClientCall, { listen }: Config, url: string): boolean {
  const { host } = headers;
  if (host === undefined || !isLoopback(hostOf(url))) return false;
  return !isOurs(hostOf(`http://${host}`), listen.publicUrl);
}

/** What proxies and tunnels add to what they pass on. */
const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'];

/**
 * Whether a call was made on this machine, by a loopback name: a page whose name was bound anew to this machine calls by another, and
 * what a proxy here passes on tells so (RFC 7239, section 4; RFC 9110, section 7.6.3).
 */
export function isFromHere({ request }: Pick<ClientCall, 'request'>): boolean {
  const { host } = request.headers;
  if (OF_PROXIES.some((name) => request.headers[name] !== undefined)) return false;
  return isLocal(request) && (host === undefined || isOurs(hostOf(`http://${host}`), undefined));
}

/** The hosts of URLs that were read: nearly all requests name the same two. */
const hosts = new Map<string, string>();
/** So many are remembered, none of which is longer than this. */
const MOST_HOSTS = 64;
const LONGEST_URL = 256;

/** The host of a URL without its port; '' where there is none to be read. */
function hostOf(url: string): string {
  const known = hosts.get(url);
  if (known !== undefined) return known;
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : '';
  if (hosts.size >= MOST_HOSTS) hosts.clear();
  if (url.length <= LONGEST_URL) hosts.set(url, host);
  return host;
}

/** Names below `localhost` never lead elsewhere (RFC 6761, section 6.3). */
function isOurs(name: string, publicUrl: string | undefined): boolean {
  return isLoopback(name) || name.endsWith('.localhost') || (publicUrl !== undefined && name === hostOf(publicUrl));
}

/** Pages that are named, and pages that come from here. */
function isKnown(origin: string, host: string | undefined, { cors, publicUrl }: Config['listen']): boolean {
  if (cors.includes(origin) || (host !== undefined && origin.replace(/^https?:\/\//, '') === host)) return true;
  return publicUrl !== undefined && origin === new URL(publicUrl).origin;
}

function forbidden(message: string): Failure {
  return new Failure({ kind: 'permission', message });
}
