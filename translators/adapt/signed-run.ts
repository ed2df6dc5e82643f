import type { Part, TextPart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import { growingSha256, hex } from '../wire/hash.js';
import { dropForeign } from './losses.js';

/** How much of a digest a signature names, in hexadecimal digits. */
const DIGITS = 16;

/**
 * The texts from `start` on that citations made of one (translation.md 5.5): together their words have the fingerprint
 * `h`, the first 8 bytes of their SHA-256 in hex. Undefined when no run of adjacent texts has it.
 */
export function signedRun(h: string, parts: readonly Part[], start: number): readonly TextPart[] | undefined {
  const run: TextPart[] = [];
  const digest = growingSha256();
  for (let index = start; index < parts.length; index += 1) {
    const part = parts[index];
    const follows = index === start || (part?.carrier === undefined && part?.state === undefined);
    if (part?.kind !== 'text' || !follows) return undefined;
    run.push(part);
    if (hex(digest(part.text)).slice(0, DIGITS) === h) return run;
  }
  return undefined;
}

/** The texts of a run as the one that they were; what other dialects keep next to the later ones is reported. */
export function joinRun([first, ...rest]: readonly TextPart[], dialect: string, losses: Losses): TextPart | undefined {
  if (first === undefined || rest.length === 0) return first;
  for (const part of rest) dropForeign(part, dialect, losses);
  const run = [first, ...rest];
  const citations = run.flatMap((part) => part.citations ?? []);
  const cache = run.find((part) => part.cache !== undefined)?.cache;
  return {
    ...first,
    text: run.map(({ text }) => text).join(''),
    ...(citations.length > 0 && { citations }),
    ...(cache !== undefined && { cache }),
  };
}
