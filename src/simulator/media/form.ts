import { parseBody } from '../errors.js';
import type { Exchange } from '../http.js';

/** One file of a form. */
export interface SentFile {
  readonly name: string;
  /** No more than its bytes: they come as text, in which several may be one character. */
  readonly size: number;
  /** By its first bytes. */
  readonly type: 'png' | 'jpeg' | 'webp' | undefined;
}

/** The body of a media route: a form, or JSON. */
export type MediaBody =
  | { readonly form: readonly (readonly [name: string, text: string])[]; readonly files: readonly SentFile[] }
  | { readonly json: Readonly<Record<string, unknown>> };

/** Reads the body of a media route. */
export function readMediaBody({ requestHeaders, text }: Exchange): MediaBody {
  const boundary = /boundary="?([^";]+)/.exec(requestHeaders['content-type'] ?? '')?.[1];
  if (boundary === undefined) return { json: parseBody(text) };
  const form: [string, string][] = [];
  const files: SentFile[] = [];
  for (const part of text.split(`--${boundary}`)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, Math.max(0, end));
    const name = /name="([^"]*)"/.exec(head)?.[1];
    if (name === undefined) continue;
    const body = part.slice(end + 4).replace(/\r\n$/, '');
    if (/filename="/.test(head)) files.push({ name, size: body.length, type: typeOf(body) });
    else form.push([name, body]);
  }
  return { form, files };
}

/** Bytes that are no text have become the replacement character. */
function typeOf(text: string): SentFile['type'] {
  if (text.startsWith('\ufffdPNG\r\n')) return 'png';
  if (text.startsWith('\ufffd\ufffd\ufffd')) return 'jpeg';
  return text.startsWith('RIFF') && text.slice(4, 16).includes('WEBP') ? 'webp' : undefined;
}
