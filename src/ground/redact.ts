import { type Confidential, isLong, secretsOf } from './credentials.js';
import { type ClientRedactor, hostsIn, type Needles, type Redact, redactorOf } from './plain/index.js';
import { proxyUrls } from './proxies.js';

/** The backends of a configuration, by name. */
type Backends = Readonly<Record<string, Confidential>>;

/**
 * A redactor for everything secret in a configuration: keys of backends, whole, in parts that services quote, in base64
 * and percent-encoded; credentials among the configured headers; hosts; and `key=` in any URL (translation.md 7.1).
 */
export function createRedactor(config: { readonly backends: Backends }): ClientRedactor {
  const backends = Object.values(config.backends);
  const hosts = backends.flatMap(({ baseUrl }) => (baseUrl === undefined ? [] : hostsIn(baseUrl)));
  const redact = following(backends, (secrets) => ({ secrets, hosts, ends: true }));
  const keys = following(backends, (secrets) => ({ secrets }));
  return Object.assign((text: string) => redact(text), { keys });
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
