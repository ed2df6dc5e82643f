import { readData } from '../../support/frames.js';

const blocks: Readonly<Record<'ipv4' | 'ipv6', readonly string[][]>> = readData('attacks/security/blocks.yaml');

/** Blocks whose addresses are not globally reachable. */
export const [BLOCKS_4, BLOCKS_6] = [blocks.ipv4.flat(), blocks.ipv6.flat()];

/** The number of an address. */
export function numberOf(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [left = '', right] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const head = groups(left);
  const tail = right === undefined ? [] : groups(right);
  const fill = right === undefined ? [] : new Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...fill, ...tail].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

export function address4(number: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join('.');
}

export function address6(number: bigint): string {
  return Array.from({ length: 8 }, (_, index) => ((number >> BigInt(112 - index * 16)) & 65535n).toString(16)).join(
    ':',
  );
}

/** The first, a middle and the last address of a block. */
export function edgesOf(block: string): bigint[] {
  const [address = '', prefix = ''] = block.split('/');
  const bits = address.includes(':') ? 128n : 32n;
  const size = 1n << (bits - BigInt(prefix));
  const first = numberOf(address);
  return [first, first + size / 2n, first + size - 1n];
}

/** Ways to write an IPv4 address as one of IPv6 that leads, or led, to it. */
export const EMBEDDED: Readonly<Record<string, (address: bigint) => string>> = {
  mapped: (address) => `::ffff:${address4(address)}`,
  'mapped, in hex': (address) => address6((0xffffn << 32n) | address),
  compatible: (address) => `::${address4(address)}`,
  translated: (address) => `::ffff:0:${address4(address)}`,
  NAT64: (address) => `64:ff9b::${address4(address)}`,
  'local NAT64': (address) => address6((0x64ff9b0001n << 80n) | address),
  '6to4': (address) => address6((0x2002n << 112n) | (address << 80n)),
  Teredo: (address) => address6((0x20010000n << 96n) | (address ^ 0xffffffffn)),
  ISATAP: (address) => address6((0xfe80n << 112n) | (0x5efen << 32n) | address),
};
