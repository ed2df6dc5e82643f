/** Joins small pieces of a body. */
export interface Joiner {
  /** Takes a piece; gives what is ready, which is nothing while only little came. */
  add(piece: Buffer): Buffer | undefined;
  /** What was still held back. */
  rest(): Buffer | undefined;
}

/** Pieces of at least so many bytes are passed on as they are. */
const ENOUGH = 8 * 1024;

/**
 * A joiner for a body that is kept in pieces. Each piece costs some hundred bytes beside its own, so that a client that sends
 * single bytes as chunks of their own would fill the memory long before a limit of size is reached.
 */
export function createJoiner(): Joiner {
  let held: Buffer[] = [];
  let length = 0;
  const release = (): Buffer | undefined => {
    if (length === 0) return undefined;
    const [only] = held;
    const joined = only !== undefined && held.length === 1 ? only : Buffer.concat(held, length);
    held = [];
    length = 0;
    return joined;
  };
  return {
    add(piece) {
      if (length === 0 && piece.length >= ENOUGH) return piece;
      held.push(piece);
      length += piece.length;
      return length < ENOUGH ? undefined : release();
    },
    rest: release,
  };
}
