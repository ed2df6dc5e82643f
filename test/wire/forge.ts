import { deflateSync } from 'fflate';
import { encodeBase64 } from '../../translators/wire/base64.js';
import { sha256 } from '../../translators/wire/hash.js';

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A carrier with a right checksum and any content, as a hostile client can write it. */
export function forge(header: unknown, payloads: Uint8Array = new Uint8Array(), magic = '8a58a782e6b5'): string {
  const head = utf8(typeof header === 'string' ? header : JSON.stringify(header));
  const body = Buffer.concat([
    Buffer.from(magic, 'hex'),
    Uint8Array.of(head.length >> 8, head.length & 255),
    head,
    payloads,
  ]);
  return encodeBase64(Buffer.concat([body, sha256(body).subarray(0, 4)]));
}

/** A carrier of `size` bytes, deflated, that claims to hold `claim`. */
export function deflated(size: number, claim: number, packed = deflateSync(new Uint8Array(size).fill(48))): string {
  return forge({ d: 'm', b: 'x', e: [{ k: 'reasoning', n: packed.length, u: claim }] }, packed);
}
