import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import type { Agent } from 'node:http';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { createExemptions, ignore, isPublicAddress } from '../ground/index.js';

/** Resolves a name to all its addresses; the shape of `dns.lookup` with `all`. */
export type Resolve = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Decides where a fetch may go, and connects to no other place. */
export interface Guard {
  /** Why a URL may not be fetched, as far as it tells by itself; undefined when it may. */
  refuse(url: URL): string | undefined;
  /**
   * The same for a URL that goes on to a server which opens it itself: its name is looked up too. A name that cannot be
   * resolved from here may go on; what it leads to when that server asks is beyond our sight.
   */
  refuseHandedOn(url: URL): Promise<string | undefined>;
  /** Who makes the connections, by URL: the address that was checked is the one that is connected. */
  agents(): Promise<(url: URL) => Agent>;
  close(): void;
}

/** Thrown by the agents when a name leads to an address that is not public. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

const systemResolve: Resolve = (host, options, done) => dns.lookup(host, options, done);

/** How long the look-up of a name may take before it counts as one that cannot be resolved, in ms. */
const LOOKUP_MS = 5000;

const NOT_PUBLIC = 'the URL does not lead to a public address';

/** A guard for `media.allowPrivate`. `resolve` is for tests; the system's own resolver otherwise. */
export function createGuard(allowPrivate: readonly string[], resolve: Resolve = systemResolve): Guard {
  const exempt = createExemptions(allowPrivate);
  const allows = (host: string, address: string): boolean =>
    isPublicAddress(address) || exempt.host(host) || exempt.address(address);

  /** Names are checked after they were resolved; one bad address among several refuses them all. */
  const lookup: LookupFunction = (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) return done(error, '', 0);
      if (first === undefined || addresses.some(({ address }) => !allows(host, address))) {
        return done(new AddressRefused('the host has an address that is not public'), '', 0);
      }
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
  /** A host that is an address is never looked up. */
  const checkHost = (host: string | null | undefined): void => {
    const bare = unbracketed(host ?? '');
    if (isIP(bare) !== 0 && !allows(bare, bare)) throw new AddressRefused('the address is not public');
  };

  let agents: Promise<Agents> | undefined;
  const refuse = (url: URL): string | undefined => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https URLs are fetched';
    if (url.username !== '' || url.password !== '') return 'the URL must not contain credentials';
    if (url.port !== '' && url.port !== '80' && url.port !== '443' && Number(url.port) < 1024) {
      return 'the port of the URL is not allowed';
    }
    const host = unbracketed(url.hostname);
    return (isIP(host) !== 0 ? allows(host, host) : !isLocalName(host) || exempt.host(host)) ? undefined : NOT_PUBLIC;
  };
  const leadsInwards = (host: string): Promise<boolean> =>
    new Promise((done) => {
      const timer = setTimeout(() => done(false), LOOKUP_MS);
      resolve(host, { all: true }, (error, addresses) => {
        clearTimeout(timer);
        done(error === null && addresses.some(({ address }) => !allows(host, address)));
      });
    });
  return {
    refuse,
    async refuseHandedOn(url) {
      const reason = refuse(url);
      const host = unbracketed(url.hostname);
      if (reason !== undefined || isIP(host) !== 0) return reason;
      return (await leadsInwards(host)) ? NOT_PUBLIC : undefined;
    },
    async agents() {
      agents ??= createAgents(checkHost, lookup, !exempt.empty);
      const { http, https } = await agents;
      return ({ protocol }) => (protocol === 'https:' ? https : http);
    },
    close() {
      agents?.then(({ http, https }) => {
        http.destroy();
        https.destroy();
      }, ignore);
    },
  };
}

interface Agents {
  readonly http: Agent;
  readonly https: Agent;
}

/** Agents that connect as the guard says. Their package is loaded with them: most gateways fetch nothing at their start. */
async function createAgents(
  checkHost: (host: string | null | undefined) => void,
  lookup: LookupFunction,
  exempting: boolean,
): Promise<Agents> {
  const { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } = await import('request-filtering-agent');
  class HttpAgent extends RequestFilteringHttpAgent {
    override createConnection(options: TcpNetConnectOpts, listener?: Listener): Duplex {
      checkHost(options.host);
      return super.createConnection({ ...options, lookup }, listener);
    }
  }
  class HttpsAgent extends RequestFilteringHttpsAgent {
    override createConnection(options: TcpNetConnectOpts, listener?: Listener): Duplex {
      checkHost(options.host);
      return super.createConnection({ ...options, lookup }, listener);
    }
  }
  // The agents have a list of their own. Exemptions are beyond what it can say, so that with any ours alone decides.
  const own = { allowPrivateIPAddress: exempting, allowMetaIPAddress: exempting, keepAlive: false };
  return { http: new HttpAgent(own), https: new HttpsAgent(own) };
}

type Listener = (error: Error | null, stream: Duplex) => void;

function unbracketed(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

/** Names that no public name server answers for. */
function isLocalName(host: string): boolean {
  return /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/i.test(host) || !host.includes('.');
}
