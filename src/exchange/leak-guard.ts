import type { BackendConfig } from '../config/index.js';
import { secretFinder } from '../ground/index.js';

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
  /** What passed last, as Latin-1; undefined where there are no secrets to look for. */
  readonly text: string | undefined;
}

/** Looks at each byte once for each secret: what is held back between two pieces is shorter than a secret, as it may be written. */
export function createLeakGuard(backend: BackendConfig): LeakGuard {
  const finder = secretFinder(backend);
  const idle = finder.longest === 0;
  let held: Uint8Array | undefined;
  let leaked = false;
  /** How many bytes at the end may begin a secret. Lines end with none. */
  const beginningAt = (text: string): number =>
    text.endsWith('\n') ? 0 : finder.beginning(text.slice(-finder.longest)).tail.length;
  const guard: LeakGuard & { text: string | undefined } = {
    text: undefined,
    pass(piece) {
      if (leaked || idle) return leaked ? undefined : piece;
      const all = held === undefined ? piece : Buffer.concat([held, piece]);
      const text = latin1(all);
      leaked = finder.within(text);
      if (leaked) return undefined;
      const begins = beginningAt(text);
      held = begins === 0 ? undefined : all.subarray(all.length - begins);
      if (begins === all.length) return undefined;
      guard.text = begins === 0 ? text : text.slice(0, -begins);
      return begins === 0 ? all : all.subarray(0, all.length - begins);
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
  return guard;
}

/** Bytes as characters, each of which is one byte again. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
