import type { CanonicalError } from '../../translators/index.js';
import { type Confidential, isLong, secretsOf } from './credentials.js';
import { finderOf, REDACTED } from './key-finder.js';
import { proxyUrls } from './proxies.js';

/** The backends of a configuration, by name. */
type Backends = Readonly<Record<string, Confidential>>;

/** Takes out of a text what a client must not see. */
export type Redact = (text: string) => string;

/** How many characters of a key services show at its two ends when they name a wrong one. */
const SHOWN = 8;

/** So many characters a key has at least whose ends are no words, and which is no word itself in other capitals. */
const RANDOM = 20;

/** What is looked for in a text. */
interface Needles {
  readonly secrets: readonly string[];
  /** In any capitals. */
  readonly hosts?: readonly string[];
  /** Of long keys their ends too. */
  readonly ends?: boolean;
}

/** A redactor for what a client is shown. */
export interface ClientRedactor extends Redact {
  /** Takes out whole keys alone, for words that are the client's own, such as a prompt or a path. */
  readonly keys: Redact;
}

/**
 * A redactor for everything secret in a configuration: keys of backends, whole, in parts that services quote, in base64
 * and percent-encoded; credentials among the configured headers; hosts; and `key=` in any URL (translation.md 7.1).
 */
export function createRedactor(config: { readonly backends: Backends }): ClientRedactor {
  const backends = Object.values(config.backends);
  const hosts = backends.flatMap(({ baseUrl }) => (baseUrl === undefined ? [] : hostsOf(baseUrl)));
  const redact = following(backends, (secrets) => ({ secrets, hosts, ends: true }));
  const keys = following(backends, (secrets) => ({ secrets }));
  return Object.assign((text: string) => redact(text), { keys });
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

function hostsOf(url: string): string[] {
  const { host, hostname } = new URL(url);
  return [host, hostname];
}

/** A redactor that is made anew when secrets of the backends have changed. */
function following(backends: readonly Confidential[], needlesOf: (secrets: readonly string[]) => Needles): Redact {
  const make = (lists: readonly (readonly string[])[]): Redact => redactorOf(needlesOf([...new Set(lists.flat())]));
  let known = backends.map(secretsOf);
  let redact = make(known);
  return (text) => {
    if (backends.some((backend, index) => secretsOf(backend) !== known[index])) {
      known = backends.map(secretsOf);
      redact = make(known);
    }
    return redact(text);
  };
}

/**
 * A redactor for lines of a log: the same secrets and the passwords of store and proxies, but only whole, and no hosts.
 * Operators need to see which host failed, and every line goes through here whose text comes from elsewhere.
 */
export function createLogRedactor({
  backends,
  store,
}: {
  readonly backends: Backends;
  readonly store: { readonly type: string; readonly url?: string };
}): Redact {
  const urls = [...(store.url === undefined ? [] : [store.url]), ...proxyUrls()];
  const passwords = urls.flatMap(passwordsIn).filter(isLong);
  return following(Object.values(backends), (secrets) => ({ secrets: [...secrets, ...passwords] }));
}

/** The password of a URL as it is written, and percent-decoded. */
function passwordsIn(url: string): string[] {
  const { password } = new URL(url);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

function redactorOf({ secrets, hosts = [], ends = false }: Needles): Redact {
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
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/(?<!=)=+$/, ''),
    bytes.toString('base64url'),
    ...[0, 1, 2].flatMap((before) => inBase64(bytes, before)),
  ];
}

/** The part of a base64 text that is the same whatever surrounds a secret, when `before` bytes modulo 3 precede it. */
function inBase64(bytes: Buffer, before: number): string[] {
  const length = Math.floor(((before + bytes.length) * 8) / 6);
  const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
  return (['base64', 'base64url'] as const).map((form) =>
    shifted.toString(form).slice(Math.ceil((before * 8) / 6), length),
  );
}

/** A pattern for a text as it is and as it may be written in JSON, where printers escape slashes and signs each in their own way. */
function anySpelling(text: string): string {
  return text.replace(/[^\w-]/g, (sign) => {
    const code = sign.charCodeAt(0).toString(16).padStart(4, '0');
    return `(?:\\\\?\\u${code}|\\\\u${code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
  });
}

const ofBackends = new WeakMap<Confidential, Redact>();

/** Whether a text, such as a header of an answer, holds what is secret about the backend that sent it. */
export function showsSecret(backend: Confidential, text: string): boolean {
  let redact = ofBackends.get(backend);
  if (redact === undefined) {
    redact = createRedactor({ backends: { [backend.name]: backend } });
    ofBackends.set(backend, redact);
  }
  return redact(text) !== text;
}
