import type { CanonicalError, Watcher } from '../../translators/index.js';
import type { BackendConfig } from '../config/index.js';
import { secretsOf } from '../ground/index.js';
import type { Stage } from './persister.js';

/** Watches bytes that pass from a backend to a client for the secrets with which the backend is called. */
export interface LeakGuard {
  /**
   * What may leave: a piece, but for an end that may be the beginning of a secret; undefined = nothing. From the first secret on
   * nothing leaves any more.
   */
  pass(piece: Uint8Array): Uint8Array | undefined;
  /** What was held back at the end of everything. */
  rest(): Uint8Array | undefined;
  /** A secret was found. */
  readonly leaked: boolean;
  /** Something is held back. */
  readonly holds: boolean;
}

/** The error for a client whose answer is cut off (contract.md 3). */
export const LEAKED: CanonicalError & { readonly kind: 'upstream' } = {
  kind: 'upstream',
  message: 'the answer of the backend contains a secret of the gateway',
  retry: false,
};

/** Looks at each byte once for each secret: what is held back between two pieces is shorter than a secret. */
export function createLeakGuard(backend: BackendConfig): LeakGuard {
  const secrets = formsOf(backend);
  let held: Buffer | undefined;
  let leaked = false;
  return {
    pass(piece) {
      if (leaked || secrets.length === 0) return leaked ? undefined : piece;
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      const all = held === undefined ? bytes : Buffer.concat([held, bytes]);
      leaked = secrets.some((secret) => all.includes(secret));
      if (leaked) return undefined;
      const begins = Math.max(...secrets.map((secret) => beginningOf(secret, all)));
      held = begins === 0 ? undefined : all.subarray(all.length - begins);
      return begins === all.length ? undefined : all.subarray(0, all.length - begins);
    },
    rest() {
      const last = leaked ? undefined : held;
      held = undefined;
      return last;
    },
    get leaked() {
      return leaked;
    },
    get holds() {
      return held !== undefined;
    },
  };
}

/** The last thing that the bytes of a relayed stream pass. */
export interface Exit {
  write(piece: Uint8Array | undefined): void;
  /** Lets go what was held back: nothing more comes. */
  flush(): void;
  readonly leaked: boolean;
  /** What was written ends between two events. */
  readonly between: boolean;
  /** Everything up to the last word was written. */
  readonly whole: boolean;
}

/** Writes to `stage` what holds no secret of the backend; the watcher has seen what is written. */
export function createExit(
  backend: BackendConfig,
  watcher: Pick<Watcher, 'between' | 'whole'>,
  stage: Pick<Stage, 'write'>,
): Exit {
  const guard = createLeakGuard(backend);
  let between = false;
  let whole = false;
  return {
    write(piece) {
      const safe = piece && guard.pass(piece);
      if (safe !== undefined) stage.write(safe);
      if (guard.leaked) return;
      between = watcher.between && !guard.holds;
      whole = watcher.whole && !guard.holds;
    },
    flush() {
      const rest = guard.rest();
      if (rest !== undefined) stage.write(rest);
    },
    get leaked() {
      return guard.leaked;
    },
    get between() {
      return between;
    },
    get whole() {
      return whole;
    },
  };
}

/** Whether a whole text tells a secret with which its backend is called. */
export function leaks(backend: BackendConfig, bytes: Buffer): boolean {
  return formsOf(backend).some((secret) => bytes.includes(secret));
}

/** The forms of the secrets that a backend had when they were made. */
interface Known {
  readonly secrets: readonly string[];
  readonly forms: readonly Buffer[];
}

const known = new WeakMap<BackendConfig, Known>();

/** The secrets as they are, and as JSON has them within a text. */
function formsOf(backend: BackendConfig): readonly Buffer[] {
  const secrets = secretsOf(backend);
  let found = known.get(backend);
  if (found?.secrets !== secrets) {
    const texts = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
    found = { secrets, forms: [...new Set(texts)].map((text) => Buffer.from(text)) };
    known.set(backend, found);
  }
  return found.forms;
}

/** How many bytes at the end are a beginning of the secret. */
function beginningOf(secret: Buffer, bytes: Buffer): number {
  const first = secret[0] ?? 0;
  const from = Math.max(0, bytes.length - secret.length + 1);
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    const length = bytes.length - at;
    if (bytes.compare(secret, 0, length, at) === 0) return length;
  }
  return 0;
}
