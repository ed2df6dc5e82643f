import type { SecretFinder } from '../ground/plain/index.js';

/** Watches the pieces of a stream for secrets. */
export interface Leaks {
  /** What may leave: a piece, but for an end that may be the beginning of a secret; `leaked` = a secret is in it, and nothing may leave any more. */
  pass(piece: Uint8Array): Uint8Array | 'leaked';
  /** What was held back at the end of everything. */
  rest(): Uint8Array;
}

/** Looks for what a finder finds. */
export function createLeaks(finder: SecretFinder): Leaks {
  let held = new Uint8Array();
  return {
    pass(piece) {
      const all = new Uint8Array(held.length + piece.length);
      all.set(held);
      all.set(piece, held.length);
      const text = inLatin1(all);
      if (finder.within(text)) return 'leaked';
      const { tail } = text.endsWith('\n') ? { tail: '' } : finder.beginning(text.slice(-finder.longest));
      held = all.slice(all.length - tail.length);
      return all.subarray(0, all.length - tail.length);
    },
    rest: () => held,
  };
}

/** Whether the bytes of a whole answer hold a secret. */
export function leaksIn(finder: SecretFinder | undefined, bytes: Uint8Array): boolean {
  return finder?.within(inLatin1(bytes)) ?? false;
}

/** How many characters are made at a time: each is an argument of a call. */
const SLICE = 8192;

/** Bytes as text that has a character for each: secrets are ASCII. */
function inLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return text;
}
