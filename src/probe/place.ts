import { isIPv4, isIPv6 } from 'node:net';
import type { DialectId } from '../../translators/index.js';
import { type BackendConfig, ConfigError, parseConfig } from '../config/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { isPublicAddress } from '../ground/index.js';
import { dialectsOf, lookUpHost, type PresetName, presets } from '../presets/index.js';
import { SPEECHES } from './speech/index.js';

/** What is asked to be probed. */
export interface Place {
  /** Its address: a service root, with or without a version, or an endpoint below it. */
  readonly url: string;
  readonly key?: string;
  /** Whose record it is held to; else that of its host, or of the server that it shows to be. */
  readonly preset?: PresetName;
  /** The only dialects that are tried. */
  readonly dialects?: readonly DialectId[];
}

/** Paths that clients append to a root. Without a version `models` is the end of roots that there are. */
const ENDPOINT =
  /\/(?:(?:v1(?:beta)?\/)?(?:messages(?:\/count_tokens)?|responses(?:\/input_tokens)?|chat\/completions|completions)|v1(?:beta)?\/models(?:\/[^/]*)?)\/?$/;

/**
 * The endpoints that a server may have, as backends of a configuration. Those of a known host are the ones of its record, others may have all
 * dialects. Throws ConfigError.
 */
export function hostsAt({ url, key, preset, dialects }: Place): readonly BackendConfig[] {
  const address = new URL(url);
  address.pathname = address.pathname.replace(ENDPOINT, '') || '/';
  const known = preset ?? lookUpHost(address)?.name;
  const spoken = dialects ?? (known === undefined ? ORDER : dialectsOf(presets[known]));
  const isOwn = known === undefined || presets[known].key === 'optional';
  return spoken.map((dialect) => {
    const name = `probe-${dialect}`;
    const isKnown = known !== undefined && presets[known].endpoints[dialect] !== undefined;
    const backend = {
      dialect,
      baseUrl: address.href,
      ...(isKnown && preset !== undefined && { preset }),
      ...(key !== undefined && { apiKey: key }),
      // Servers that people run themselves take the key in one form for all dialects.
      ...(isOwn && gatewayDialect(dialect).keyForm !== 'x-goog-api-key' && { auth: 'bearer' }),
    };
    const { backends } = parseConfig({ backends: { [name]: backend } });
    const host = backends[name];
    if (host === undefined) throw new ConfigError([]);
    return host;
  });
}

/** The dialects in the order in which servers are likely to have them. */
const ORDER: readonly DialectId[] = Object.values(SPEECHES).map(({ dialect }) => dialect);

/** Whether an address leads out of this machine and the networks that are nobody else's, as far as its name says: names are not looked up. */
export function isPublicHost(url: string): boolean {
  const { hostname } = new URL(url);
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIPv4(bare)) return isPublicAddress(bare);
  if (isIPv6(bare)) return isPublic6(bare);
  return bare !== 'localhost' && !bare.endsWith('.localhost');
}

/** Loopback, none, unique local and link local, as URLs write them. */
const PRIVATE_6 = /^(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)$/;
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** The same for IPv6: what is not known to be private may lead anywhere, for gateways reach IPv4 by prefixes of their own. */
function isPublic6(address: string): boolean {
  const [, ...halves] = MAPPED.exec(address) ?? [];
  if (halves.length === 0) return !PRIVATE_6.test(address);
  const bytes = halves.flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]);
  return isPublicAddress(bytes.join('.'));
}
