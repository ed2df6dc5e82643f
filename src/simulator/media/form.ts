import type { Exchange } from '../exchange.js';
import type { JsonObject } from '../json.js';

/** One file of a form. */
export interface SentFile {
  readonly name: string;
  /** No more than its bytes: they come as text, in which several may be one character. */
  readonly size: number;
  /** What its first bytes say that it is. */
  readonly kind: 'png' | 'jpeg' | 'webp' | undefined;
}

/** A request that may be a form or JSON. */
export interface MediaForm {
  readonly fields: JsonObject;
  readonly files: readonly SentFile[];
  readonly isForm: boolean;
}

/** Reads a request of a media route. */
export function readForm(exchange: Exchange): MediaForm {
  const boundary = /boundary="?([^";]+)/.exec(exchange.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return { fields: exchange.readBody(), files: [], isForm: false };
  const fields: Record<string, unknown> = {};
  const files: SentFile[] = [];
  for (const part of exchange.text.split(`--${boundary}`)) {
    const end = part.indexOf('\r\n\r\n');
    const head = end === -1 ? '' : part.slice(0, end);
    const name = /name="([^"]*)"/.exec(head)?.[1];
    if (name === undefined) continue;
    const body = part.slice(end + 4).replace(/\r\n$/, '');
    if (/filename="/.test(head)) files.push({ name, size: body.length, kind: kindOf(body) });
    else fields[name] = body;
  }
  return { fields, files, isForm: true };
}

/** Bytes that are no text have become the replacement character. */
function kindOf(text: string): SentFile['kind'] {
  if (text.startsWith('\ufffdPNG\r\n')) return 'png';
  if (text.startsWith('\ufffd\ufffd\ufffd')) return 'jpeg';
  return text.startsWith('RIFF') && text.slice(4, 16).includes('WEBP') ? 'webp' : undefined;
}
