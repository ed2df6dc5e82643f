import type { Json } from './json.js';

/** JSON as a text that is ASCII, and how many characters the text has that it stands for. */
export interface AsciiJson {
  readonly text: string;
  readonly length: number;
}

/** Bytes of a text that are decoded at once. */
const BLOCK = 1 << 16;

/** Room behind a block for what a step writes at most: the two escapes of a character beyond U+FFFF. */
const STEP = 16;

/** So many characters beyond ASCII are escaped wherever they are; of the bytes read, one in `1 << SHARE` may begin another. */
const FREE = 16;
const SHARE = 5;

const BEYOND_ASCII = 0x80_80_80_80;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `\u`. */
const ESCAPE = 0x5c75;

const decoder = new TextDecoder();

/** Engines that have it, V8 from 13 on among them, decode many bytes at once. */
const DECODES_SLOWLY = !('escape' in RegExp);

/** What a block is written to, of each caller in turn: it is decoded before the function returns. */
let scratch: DataView<ArrayBuffer> | undefined;

/**
 * JSON that is UTF-8, with `\uXXXX` in place of each character beyond ASCII, of which it has a few. What is no JSON is none in this form either,
 * but for what an engine would say of it.
 *
 * Undefined where the text would be the same or cost more: for ASCII alone, for what is no UTF-8, and for text of which much is beyond ASCII.
 * So it is where a key is beyond ASCII: V8 13 and later may read a key with an escape as another (https://github.com/nodejs/node/issues/63785).
 */
export function escapedJson(bytes: Uint8Array): AsciiJson | undefined {
  const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (isAscii(source)) return undefined;
  scratch ??= new DataView(new ArrayBuffer(BLOCK + STEP));
  const room = scratch;
  const lastWord = bytes.length - 8;
  let text = '';
  let length = bytes.length;
  let escapes = 0;
  let stringEnd = 0;
  let at = 0;
  while (at < bytes.length) {
    let to = 0;
    while (to < BLOCK && at < bytes.length) {
      if (at <= lastWord) {
        const first = source.getInt32(at);
        const second = source.getInt32(at + 4);
        if (((first | second) & BEYOND_ASCII) === 0) {
          room.setInt32(to, first);
          room.setInt32(to + 4, second);
          at += 8;
          to += 8;
          continue;
        }
      }
      const byte = source.getUint8(at);
      if (byte < 0x80) {
        room.setUint8(to, byte);
        at += 1;
        to += 1;
        continue;
      }
      if (at > stringEnd) {
        stringEnd = endOfString(bytes, at);
        if (isKey(bytes, stringEnd)) return undefined;
      }
      const point = characterAt(bytes, at);
      escapes += 1;
      // A backslash would take that of the escape for what it escapes.
      if (point === -1 || bytes[at - 1] === BACKSLASH || escapes > FREE + (at >> SHARE)) return undefined;
      const size = sizeOf(point);
      at += size;
      length -= size - 1;
      if (point > 0xffff) {
        const beyond = point - 0x1_00_00;
        escapeAt(room, to, 0xd800 | (beyond >> 10));
        to += 6;
        escapeAt(room, to, 0xdc00 | (beyond & 0x3ff));
        length += 1;
      } else escapeAt(room, to, point);
      to += 6;
    }
    text += decoder.decode(new Uint8Array(room.buffer, 0, to));
  }
  return { text, length };
}

/**
 * {@link escapedJson} where parsing that takes less than decoding: up to V8 12 (Node.js 20 and 22) UTF-8 is decoded one byte after the other, into
 * a text of two bytes a character, as soon as one character asks for it. Undefined in later engines (docs/internals/decisions/0050-bodies-beyond-ascii.md).
 */
export function asciiJson(bytes: Uint8Array): AsciiJson | undefined {
  return DECODES_SLOWLY ? escapedJson(bytes) : undefined;
}

/**
 * The value of JSON that is UTF-8: what `JSON.parse` gives of the decoded text, in less time where that has a few characters beyond ASCII and the
 * engine decodes slowly ({@link asciiJson}). Throws SyntaxError for what is no JSON.
 */
export function parseJsonBytes(bytes: Uint8Array): Json {
  const ascii = asciiJson(bytes);
  if (ascii !== undefined) {
    try {
      return JSON.parse(ascii.text);
    } catch {
      // The message names places of the text itself.
    }
  }
  return JSON.parse(decoder.decode(bytes));
}

function isAscii(source: DataView): boolean {
  const lastWord = source.byteLength - 8;
  let at = 0;
  for (; at <= lastWord; at += 8) {
    if (((source.getInt32(at) | source.getInt32(at + 4)) & BEYOND_ASCII) !== 0) return false;
  }
  for (; at < source.byteLength; at += 1) if (source.getUint8(at) >= 0x80) return false;
  return true;
}

/** The character of two bytes and more that begins at a place; -1 where the bytes are none (Unicode 16, table 3-7). */
function characterAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const second = tail(bytes[at + 1]);
  if (lead < 0xe0) return lead < 0xc2 || second === -1 ? -1 : ((lead & 0x1f) << 6) | second;
  const third = tail(bytes[at + 2]);
  if (second === -1 || third === -1) return -1;
  if (lead < 0xf0) {
    const point = ((lead & 0x0f) << 12) | (second << 6) | third;
    return point < 0x800 || (point & 0xf800) === 0xd800 ? -1 : point;
  }
  const fourth = tail(bytes[at + 3]);
  const point = ((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth;
  return lead > 0xf4 || fourth === -1 || point < 0x1_00_00 || point > 0x10_ff_ff ? -1 : point;
}

/** Where the string ends of which a character is at a place: its closing quote, or the end of the bytes. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let quote = bytes.indexOf(QUOTE, from); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let start = quote;
    while (bytes[start - 1] === BACKSLASH) start -= 1;
    if ((quote - start) % 2 === 0) return quote;
  }
  return bytes.length;
}

/** Whether a colon is what comes next behind the end of a string, after white space. */
function isKey(bytes: Uint8Array, end: number): boolean {
  let at = end + 1;
  for (let byte = bytes[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at])
    at += 1;
  return bytes[at] === 0x3a;
}

function tail(byte = 0): number {
  return (byte & 0xc0) === 0x80 ? byte & 0x3f : -1;
}

function sizeOf(point: number): number {
  return point < 0x800 ? 2 : point < 0x1_00_00 ? 3 : 4;
}

function escapeAt(room: DataView, at: number, unit: number): void {
  room.setUint16(at, ESCAPE);
  room.setUint16(at + 2, (digit(unit >> 12) << 8) | digit((unit >> 8) & 15));
  room.setUint16(at + 4, (digit((unit >> 4) & 15) << 8) | digit(unit & 15));
}

/** The character of a hexadecimal digit. */
function digit(value: number): number {
  return value < 10 ? 0x30 + value : 0x57 + value;
}
