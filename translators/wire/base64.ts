import { WireError } from './errors.js';

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = new TextEncoder().encode(STANDARD);
const INVALID = 0xff;
const VALUES = decodingTable();
const PAD = 0x3d;

/**
 * True for base64 in the standard or the URL-safe alphabet (or both), with padding or without; the empty text is
 * base64 of nothing. White space is not accepted. Linear and without backtracking.
 */
export function isBase64(text: string): boolean {
  const digits = text.search(/[^A-Za-z0-9+/_-]/);
  if (digits === -1) return text.length % 4 !== 1;
  const padding = text.length - digits;
  return text.length % 4 === 0 && padding <= 2 && text.endsWith('=='.slice(0, padding));
}

/** The same base64 in the standard alphabet with padding; the very same string when it already is so. Does not validate. */
export function toStandardBase64(text: string): string {
  let standard = text;
  if (standard.includes('-')) standard = standard.replaceAll('-', '+');
  if (standard.includes('_')) standard = standard.replaceAll('_', '/');
  const missing = -standard.length & 3;
  return missing === 0 || missing === 3 ? standard : standard + '=='.slice(0, missing);
}

/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const whole = bytes.length - (bytes.length % 3);
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let to = 0;
  for (let from = 0; from < whole; from += 3) {
    const bits = (at(bytes, from) << 16) | (at(bytes, from + 1) << 8) | at(bytes, from + 2);
    out[to] = at(CODES, bits >> 18);
    out[to + 1] = at(CODES, (bits >> 12) & 63);
    out[to + 2] = at(CODES, (bits >> 6) & 63);
    out[to + 3] = at(CODES, bits & 63);
    to += 4;
  }
  if (whole < bytes.length) {
    const bits = (at(bytes, whole) << 16) | (at(bytes, whole + 1) << 8);
    out[to] = at(CODES, bits >> 18);
    out[to + 1] = at(CODES, (bits >> 12) & 63);
    out[to + 2] = bytes.length - whole === 2 ? at(CODES, (bits >> 6) & 63) : PAD;
    out[to + 3] = PAD;
  }
  return new TextDecoder().decode(out);
}

/** The bytes of base64 in either alphabet, padded or not. Throws {@link WireError} `bad_base64`. */
export function decodeBase64(text: string): Uint8Array {
  let digits = text.length;
  if (digits % 4 === 0) {
    if (text.charCodeAt(digits - 1) === PAD) digits -= 1;
    if (text.charCodeAt(digits - 1) === PAD) digits -= 1;
  }
  if (digits % 4 === 1) throw badBase64();
  const out = new Uint8Array(Math.floor((digits * 3) / 4));
  const whole = digits - (digits % 4);
  let to = 0;
  let seen = 0;
  for (let from = 0; from < whole; from += 4) {
    const a = value(text, from);
    const b = value(text, from + 1);
    const c = value(text, from + 2);
    const d = value(text, from + 3);
    seen |= a | b | c | d;
    out[to] = (a << 2) | (b >> 4);
    out[to + 1] = (b << 4) | (c >> 2);
    out[to + 2] = (c << 6) | d;
    to += 3;
  }
  if (whole < digits) {
    const a = value(text, whole);
    const b = value(text, whole + 1);
    const c = digits - whole === 3 ? value(text, whole + 2) : 0;
    seen |= a | b | c;
    out[to] = (a << 2) | (b >> 4);
    if (digits - whole === 3) out[to + 1] = (b << 4) | (c >> 2);
  }
  // Only the marker of a character outside the alphabet has a bit above the six of a digit.
  if (seen > 63) throw badBase64();
  return out;
}

/** The text whose UTF-8 the base64 holds, a leading BOM included; `undefined` when it is not base64 or not UTF-8. */
export function base64ToUtf8(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decodeBase64(base64));
  } catch {
    return undefined;
  }
}

function decodingTable(): Uint8Array {
  const table = new Uint8Array(256).fill(INVALID);
  for (let digit = 0; digit < 64; digit += 1) table[STANDARD.charCodeAt(digit)] = digit;
  table[0x2d] = 62;
  table[0x5f] = 63;
  return table;
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

function value(text: string, index: number): number {
  return VALUES[text.charCodeAt(index)] ?? INVALID;
}

function badBase64(): WireError {
  return new WireError('bad_base64', 'not base64');
}
