import { type CanonicalError, encodeBase64 } from '../../../translators/index.js';
import { finderOf, REDACTED } from './key-finder.js';

/** Takes out of a text what a reader must not see. */
export type Redact = (text: string) => string;

/** A redactor for what a client is shown. */
export interface ClientRedactor extends Redact {
  /** Takes out whole keys alone, for words that are the client's own, such as a prompt or a path. */
  readonly keys: Redact;
}

/** An error without secrets, wherever a backend may have quoted one. */
export function withoutSecrets(error: CanonicalError, redact: ClientRedactor): CanonicalError {
  const { message, code, path, hint, model } = error;
  return {
    ...error,
    message: redact(message),
    ...(code !== undefined && { code: redact(code) }),
    ...(path !== undefined && { path: redact.keys(path) }),
    ...(hint !== undefined && { hint: redact.keys(hint) }),
    ...(model !== undefined && { model: redact.keys(model) }),
  };
}

/** How errors may name the host of a URL. */
export function hostsIn(url: string): string[] {
  const { host, hostname } = new URL(url);
  return [host, hostname];
}

/** How many characters of a key services show at its two ends when they name a wrong one. */
const SHOWN = 8;

/** So many characters a key has at least whose ends are no words, and which is no word itself in other capitals. */
const RANDOM = 20;

/** What is looked for in a text. */
export interface Needles {
  readonly secrets: readonly string[];
  /** In any capitals. */
  readonly hosts?: readonly string[];
  /** Of long keys their ends too. */
  readonly ends?: boolean;
}

/** Takes texts out of a text, however they are written in it. */
export function redactorOf({ secrets, hosts = [], ends = false }: Needles): Redact {
  const random = secrets.filter(({ length }) => length >= RANDOM);
  const words = secrets.filter(({ length }) => length < RANDOM);
  const parts = ends ? random.flatMap((secret) => [secret.slice(0, SHOWN), secret.slice(-SHOWN)]) : [];
  const inAnyCapitals = patternOf([...hosts, ...random.flatMap(wholeFormsOf), ...parts], 'gi');
  const asWritten = patternOf(words.flatMap(wholeFormsOf), 'g');
  const finder = finderOf([...secrets, ...parts]);
  return (text) => {
    let clean = text.replace(/([?&](?:api_?)?key=)[^&\s"'\\]+/gi, `$1${REDACTED}`);
    if (inAnyCapitals !== undefined) clean = clean.replace(inAnyCapitals, REDACTED);
    if (asWritten !== undefined) clean = clean.replace(asWritten, REDACTED);
    return finder.without(clean);
  };
}

/** A pattern for any of these texts, the longest first; undefined = there are none. */
function patternOf(texts: readonly string[], flags: 'g' | 'gi'): RegExp | undefined {
  const sorted = [...new Set(texts)].sort((a, b) => b.length - a.length);
  return sorted.length === 0 ? undefined : new RegExp(sorted.map(anySpelling).join('|'), flags);
}

function wholeFormsOf(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const base64 = encodeBase64(bytes);
  const bare = base64.replace(/(?<!=)=+$/, '');
  return [
    secret,
    encodeURIComponent(secret),
    base64,
    bare,
    inUrls(bare),
    ...[0, 1, 2].flatMap((before) => inBase64(bytes, before)),
  ];
}

/** The part of a base64 text that is the same whatever surrounds a secret, when `before` bytes modulo 3 precede it. */
function inBase64(bytes: Uint8Array, before: number): string[] {
  const length = Math.floor(((before + bytes.length) * 8) / 6);
  const shifted = new Uint8Array(before + bytes.length);
  shifted.set(bytes, before);
  const part = encodeBase64(shifted).slice(Math.ceil((before * 8) / 6), length);
  return [part, inUrls(part)];
}

/** Base64 in the alphabet of URLs. */
function inUrls(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** A pattern for a text as it is and as it may be written in JSON, where printers escape slashes and signs each in their own way. */
function anySpelling(text: string): string {
  return text.replace(/[^\w-]/g, (sign) => {
    const code = sign.charCodeAt(0).toString(16).padStart(4, '0');
    return `(?:\\\\?\\u${code}|\\\\u${code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
  });
}
