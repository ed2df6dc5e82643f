import { sha256 as digest } from '@noble/hashes/sha2.js';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const encoder = /* @__PURE__ */ new TextEncoder();

/** What a digest is made of is made once, and begun anew for each: that is half of the time of a short text. */
const BLANK = /* @__PURE__ */ digest.create();
const work = /* @__PURE__ */ digest.create();

/** SHA-256 of the bytes, or of the text's UTF-8. */
export function sha256(text: string | Uint8Array): Uint8Array {
  return BLANK._cloneInto(work)
    .update(typeof text === 'string' ? encoder.encode(text) : text)
    .digest();
}

/** SHA-256 of a text that grows: takes the next piece, gives the digest of all so far. */
export function growingSha256(): (piece: string) => Uint8Array {
  const whole = digest.create();
  return (piece) => whole.update(encoder.encode(piece)).clone().digest();
}

/** Lower-case hexadecimal, two digits per byte. */
export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Base32 of RFC 4648 in lower case without padding (translation.md 0.12). */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (held += 8; held >= 5; held -= 5) text += BASE32.charAt((bits >> (held - 5)) & 31);
  }
  return held > 0 ? text + BASE32.charAt((bits << (5 - held)) & 31) : text;
}

/** The first `length` (at most 52) base32 characters of the text's SHA-256. */
export function hash32(text: string, length: number): string {
  return base32(sha256(text).subarray(0, Math.ceil((length * 5) / 8))).slice(0, length);
}

/** The first `length` (at most 64) hexadecimal digits of the text's SHA-256. */
export function hashHex(text: string, length: number): string {
  return hex(sha256(text).subarray(0, Math.ceil(length / 2))).slice(0, length);
}

/** The text's SHA-256 as a number of about 43 base62 digits, the last digit first. */
export function hash62(text: string): string {
  let digits = '';
  for (let left = BigInt(`0x${hex(sha256(text))}`); left > 0n; left /= 62n) digits += BASE62.charAt(Number(left % 62n));
  return digits;
}
