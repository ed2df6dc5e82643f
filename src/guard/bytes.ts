/** What a platform does with bytes, as fast as it can. */
export interface ByteTools {
  /** Bytes as characters, each of which is one byte again: all of them, or those of a part. */
  latin1(bytes: Uint8Array, from?: number, to?: number): string;
  /** Whether some ASCII text stands in the bytes. */
  includes(bytes: Uint8Array, text: string): boolean;
}

/** How many characters are made at a time: each is an argument of a call. */
const SLICE = 8192;

/** By web standards alone. */
export const WEB_BYTES: ByteTools = {
  latin1(bytes, from = 0, to = bytes.length) {
    let text = '';
    for (let at = from; at < to; at += SLICE)
      text += String.fromCharCode(...bytes.subarray(at, Math.min(at + SLICE, to)));
    return text;
  },
  includes: (bytes, text) => WEB_BYTES.latin1(bytes).includes(text),
};

/** The bytes of a text in which each character is one. */
export function bytesOfLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Bytes that wait, in one piece whatever pieces they came in: a backend may send each as a chunk of its own. */
export interface ByteQueue {
  add(piece: Uint8Array): void;
  readonly length: number;
  /** What waits, which is forgotten here. */
  take(): Uint8Array;
}

const NONE = new Uint8Array();

export function createByteQueue(): ByteQueue {
  let bytes: Uint8Array = NONE;
  /** Whether `bytes` was made here; a single piece is not copied. */
  let own = false;
  const queue = {
    length: 0,
    add(piece: Uint8Array) {
      const length = queue.length + piece.length;
      if (queue.length === 0) {
        bytes = piece;
        own = false;
      } else {
        if (!own || length > bytes.length) {
          const grown = new Uint8Array(Math.max(length, 2 * queue.length));
          grown.set(bytes.subarray(0, queue.length));
          bytes = grown;
          own = true;
        }
        bytes.set(piece, queue.length);
      }
      queue.length = length;
    },
    take() {
      const taken = queue.length === bytes.length ? bytes : bytes.subarray(0, queue.length);
      bytes = NONE;
      queue.length = 0;
      return taken;
    },
  };
  return queue;
}
