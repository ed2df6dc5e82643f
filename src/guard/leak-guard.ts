import type { SecretFinder } from '../ground/plain/index.js';
import type { ByteTools } from './bytes.js';

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
export function createLeakGuard(finder: SecretFinder, { latin1 }: ByteTools): LeakGuard {
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
      const all = held === undefined ? piece : joined(held, piece);
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

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
