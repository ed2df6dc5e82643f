import { deflateSync, inflateSync } from 'fflate/browser';
import { createTextBuffer, type Packed, type Packing, type TextBuffer } from './text-buffer.js';

export type { TextBuffer };

/** An empty buffer for a text whose end may be long in coming: a long text is packed while it grows. */
export function createPackedBuffer(): TextBuffer {
  return createTextBuffer(PACKING);
}

const PACKING: Packing = { pack, unpack };

/** Prose shrinks to 40 per cent at some 20 MB a second; a model writes a thousandth of that. */
const FASTEST = { level: 1 } as const;

function pack(text: string): Packed {
  // A character may be cut in two between pieces.
  if (LONE_SURROGATE.test(text)) return text;
  return deflateSync(new TextEncoder().encode(text), FASTEST);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function unpack(packed: Packed): string {
  return typeof packed === 'string'
    ? packed
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(inflateSync(packed));
}
