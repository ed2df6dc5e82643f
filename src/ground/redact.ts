import { type Confidential, isLong, secretsOf } from './credentials.js';
import { proxyUrls } from './proxies.js';

/** The backends of a configuration, by name. */
type Backends = Readonly<Record<string, Confidential>>;

/** Takes out of a text what a client must not see. */
export type Redact = (text: string) => string;

/** How many characters of a key services show at its two ends when they name a wrong one. */
const SHOWN = 8;

/**
 * A redactor for everything secret in a configuration: keys of backends, whole, in parts that services quote, in base64
 * and percent-encoded; credentials among the configured headers; hosts; and `key=` in any URL (translation.md 7.1).
 */
export function createRedactor(config: { readonly backends: Backends }): Redact {
  const backends = Object.values(config.backends);
  const hosts = backends.flatMap(({ baseUrl }) => (baseUrl === undefined ? [] : hostsOf(baseUrl)));
  return following(backends, (secrets) => [
    ...hosts,
    ...secrets.flatMap((secret) => [...wholeFormsOf(secret), secret.slice(0, SHOWN), secret.slice(-SHOWN)]),
  ]);
}

function hostsOf(url: string): string[] {
  const { host, hostname } = new URL(url);
  return [host, hostname];
}

/** A redactor that is made anew when secrets of the backends have changed. */
function following(backends: readonly Confidential[], needlesOf: (secrets: readonly string[]) => string[]): Redact {
  const make = (lists: readonly (readonly string[])[]): Redact => redactorOf(new Set(needlesOf(lists.flat())));
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
  return following(Object.values(backends), (secrets) => [...secrets, ...passwords].flatMap(wholeFormsOf));
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

function redactorOf(needles: ReadonlySet<string>): Redact {
  const sorted = [...needles].sort((a, b) => b.length - a.length);
  const known = sorted.length === 0 ? undefined : new RegExp(sorted.map(anySpelling).join('|'), 'gi');
  return (text) => {
    const clean = text.replace(/([?&](?:api_?)?key=)[^&\s"'\\]+/gi, '$1[redacted]');
    return known === undefined ? clean : clean.replace(known, '[redacted]');
  };
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
