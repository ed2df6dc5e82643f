/** Joins small pieces of a body. */
export interface Joiner {
  /** Takes a piece; gives what is ready, which is nothing while only little came. */
  add(piece: Buffer): Buffer | undefined;
  /** What was still held back. */
  rest(): Buffer | undefined;
}

/** A body on its way into memory, in as few pieces as its size needs. */
export interface Gathered {
  add(piece: Uint8Array): void;
  /** Bytes so far. */
  readonly length: number;
  /** What came so far, which is forgotten here. */
  take(): readonly Buffer[];
  /** The same in one piece. */
  join(): Buffer;
}

/** Pieces of at least so many bytes are passed on as they are. */
const ENOUGH = 8 * 1024;

/**
 * A joiner for a body that is kept in pieces. Each piece costs some hundred bytes beside its own, so that a client or a backend
 * that sends single bytes as chunks of their own would fill the memory long before a limit of size is reached.
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

/** Keeps a body, or a part of one, in pieces as {@link createJoiner} joins them. */
export function createGathered(): Gathered {
  return new Pieces();
}

/** No closures: each exchange has several of these. */
class Pieces implements Gathered {
  length = 0;
  #pieces: Buffer[] = [];
  /** Of the last pieces those that are still to be joined: from which on, and their bytes. */
  #from = 0;
  #small = 0;

  add(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.length += piece.byteLength;
    this.#small += piece.byteLength;
    this.#pieces.push(asBuffer(piece));
    if (this.#small >= ENOUGH) this.#joinSmall();
  }

  take(): readonly Buffer[] {
    this.#joinSmall();
    const taken = this.#pieces;
    this.#pieces = [];
    this.#from = 0;
    this.length = 0;
    return taken;
  }

  join(): Buffer {
    return joined(this.take());
  }

  #joinSmall(): void {
    const pieces = this.#pieces;
    if (pieces.length - this.#from > 1) pieces.push(Buffer.concat(pieces.splice(this.#from), this.#small));
    this.#from = pieces.length;
    this.#small = 0;
  }
}

function asBuffer(piece: Uint8Array): Buffer {
  return Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}

/** All pieces in one; a single piece is not copied. */
export function joined(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

/** The length of all pieces together, in bytes. */
export function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
