import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * IPv4 blocks that are not the public Internet (the IANA special-purpose registry, and multicast), and one address that looks
 * public but belongs to the host below a virtual machine.
 */
const NOT_PUBLIC = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Of IPv6 only global unicast is public; these blocks inside it are not: protocol assignments with Teredo, documentation, 6to4. */
const GLOBAL_UNICAST = ['2000::', 3] as const;
const NOT_PUBLIC_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const refused = new BlockList();
for (const [address, prefix] of NOT_PUBLIC) refused.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of NOT_PUBLIC_6) refused.addSubnet(address, prefix, 'ipv6');
const unicast = new BlockList();
unicast.addSubnet(...GLOBAL_UNICAST, 'ipv6');

/** Whether an address is one of the public Internet. What is no address is not; IPv4 inside IPv6 is not either. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  // A zone (`fe80::1%eth0`) never belongs to a public address.
  return isIPv6(address) && !address.includes('%') && unicast.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

/** Exceptions to the guard: hosts by name, and addresses. */
export interface Exemptions {
  /** There are none. */
  readonly empty: boolean;
  host(name: string): boolean;
  address(address: string): boolean;
}

/** Exemptions from the values of `media.allowPrivate`, which passed `isExemption`. */
export function createExemptions(values: readonly string[]): Exemptions {
  const hosts = new Set<string>();
  const blocks = new BlockList();
  for (const value of values) {
    const block = readBlock(value);
    if (block === undefined) hosts.add(value.toLowerCase());
    else blocks.addSubnet(block.address, block.prefix, block.family);
  }
  return {
    empty: values.length === 0,
    host: (name) => hosts.has(name.toLowerCase()),
    address: (address) => !address.includes('%') && blocks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'),
  };
}

/** Whether a value is valid in `media.allowPrivate`: a host name, an address or a CIDR block. */
export function isExemption(value: string): boolean {
  return readBlock(value) !== undefined || (/[a-z]/i.test(value) && HOST.test(value));
}

const HOST = /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/i;

function readBlock(value: string) {
  const [address = '', length, ...more] = value.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return undefined;
  const most = version === 4 ? 32 : 128;
  if (length === undefined) return { address, prefix: most, family: `ipv${version}` as 'ipv4' | 'ipv6' };
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  return prefix >= 0 && prefix <= most ? { address, prefix, family: `ipv${version}` as 'ipv4' | 'ipv6' } : undefined;
}

/** The URL of a server that listens on an address. */
export function baseOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** An address without what sockets for both families put in front of one of version 4; '' where there is none. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

/** True for addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
