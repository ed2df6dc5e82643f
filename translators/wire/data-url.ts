import { encodeBase64, isBase64, toStandardBase64 } from './base64.js';
import { WireError } from './errors.js';

/** The content of a data URL (RFC 2397). */
export type DataUrl = {
  /** Media type in lower case, without parameters; `text/plain` when the URL names none. */
  mime: string;
  /** Standard base64 with padding. */
  base64: string;
  /** Parameters of the media type, names in lower case. Has no prototype. */
  parameters: Record<string, string>;
};

const MIME = /^[\w!#$&^.+*'`|~%-]+\/[\w!#$&^.+*'`|~%-]+$/;

/**
 * Takes a data URL apart. `undefined` when the text is no data URL; throws {@link WireError} `bad_data_url` when it is
 * one but has no comma, no proper media type or data that is not base64. A percent sign that begins no escape stands
 * for itself, and white space inside base64 is skipped, as in the WHATWG fetch standard.
 */
export function parseDataUrl(url: string): DataUrl | undefined {
  if (url.slice(0, 5).toLowerCase() !== 'data:') return undefined;
  const comma = url.indexOf(',');
  if (comma === -1) throw badDataUrl('a data URL has a comma before its data');
  const head = url
    .slice(5, comma)
    .split(';')
    .map((field) => field.trim());
  const encoded = head.length > 1 && head.at(-1)?.toLowerCase() === 'base64';
  if (encoded) head.pop();
  const data = url.slice(comma + 1);
  return {
    mime: readMime(head[0] ?? ''),
    base64: encoded ? readBase64(data) : encodeBase64(percentDecode(data)),
    parameters: readParameters(head.slice(1)),
  };
}

/** `data:MIME;base64,DATA`. Bytes under a word that is no media type are bytes of any kind. */
export function formatDataUrl(mime: string, base64: string): string {
  const [type = ''] = mime.split(';', 1);
  return `data:${MIME.test(type.trim()) ? mime : 'application/octet-stream'};base64,${base64}`;
}

function readMime(text: string): string {
  if (text === '') return 'text/plain';
  if (!MIME.test(text)) throw badDataUrl('the media type of a data URL is malformed');
  return text.toLowerCase();
}

function readParameters(fields: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null);
  for (const field of fields) {
    const equals = field.indexOf('=');
    if (equals < 1) continue;
    const value = field.slice(equals + 1);
    const bare = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
    parameters[field.slice(0, equals).toLowerCase()] = new TextDecoder().decode(percentDecode(bare));
  }
  return parameters;
}

/** Has a bound: without one it takes a place on a stack for each character in a process where V8 no longer optimises its patterns. */
const WHITE_SPACE = /[\t\n\f\r ]{1,1000}/g;

function readBase64(data: string): string {
  if (isBase64(data)) return toStandardBase64(data);
  const unescaped = data.includes('%') ? new TextDecoder().decode(percentDecode(data)) : data;
  const dense = unescaped.replace(WHITE_SPACE, '');
  if (!isBase64(dense)) throw badDataUrl('the data of a data URL is not base64');
  return toStandardBase64(dense);
}

function percentDecode(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  let to = bytes.indexOf(0x25);
  if (to === -1) return bytes;
  for (let from = to; from < bytes.length; to += 1) {
    const escaped = bytes[from] === 0x25 ? (hexDigit(bytes[from + 1]) << 4) | hexDigit(bytes[from + 2]) : -1;
    bytes[to] = escaped < 0 ? (bytes[from] ?? 0) : escaped;
    from += escaped < 0 ? 1 : 3;
  }
  return bytes.subarray(0, to);
}

/** The digit's value, or a negative number, which stays negative through shift and or. */
function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function badDataUrl(message: string): WireError {
  return new WireError('bad_data_url', message);
}
