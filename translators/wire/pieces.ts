import { deflateSync, inflateSync } from 'fflate';
import { createGatheredText, type Packed, type Packing, type Pieces } from './gathered-text.js';

export type { Pieces };

/** Empty pieces of a text that waits for its end as long as its reader lets it: a long one is packed while it grows. */
export function createPieces(): Pieces {
  return createGatheredText(PACKING);
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
