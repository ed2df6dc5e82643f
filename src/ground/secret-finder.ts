import { type Confidential, secretsOf } from './credentials.js';
import { finderOf, type SecretFinder } from './plain/index.js';

interface Known {
  readonly secrets: readonly string[];
  readonly finder: SecretFinder;
}

const ofBackends = new WeakMap<Confidential, Known>();

/** The finder of what a backend is called with now. The same one as long as that has not changed. */
export function secretFinder(backend: Confidential): SecretFinder {
  const secrets = secretsOf(backend);
  let known = ofBackends.get(backend);
  if (known?.secrets !== secrets) {
    known = { secrets, finder: finderOf(secrets) };
    ofBackends.set(backend, known);
  }
  return known.finder;
}
