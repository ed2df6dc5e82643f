import { createHash } from 'node:crypto';
import { type Bill, bytesOf, tokensOf } from './bill.js';

/** A prompt as a service reads it: a later one that goes on from it begins with the same bytes. */
export interface PlainPrompt {
  readonly text: Buffer;
  /** Prompts that differ in it share nothing. */
  readonly apart: string;
  /** The least prefix that is read, in tokens. */
  readonly least: number;
}

/** Requests go to machines by so many tokens at their beginning. */
const ROUTED = 256;

/** Writes every prompt, each machine its own, and reads the longest common prefix in multiples of `step` tokens. Nothing expires. */
export function createAutomaticCache(step: number): (prompt: PlainPrompt) => Bill {
  const machines = new Map<string, Buffer[]>();
  return ({ text, apart, least }) => {
    const machine = createHash('sha256')
      .update(apart)
      .update(text.subarray(0, bytesOf(ROUTED)))
      .digest('base64');
    const known = machines.get(machine) ?? [];
    const longest = Math.max(0, ...known.map((earlier) => commonPrefix(earlier, text)));
    const read = Math.floor(tokensOf(longest) / step) * step;
    machines.set(machine, [...known, text]);
    return { input: tokensOf(text.length), cached: read < least ? 0 : read, cacheWritten: 0 };
  };
}

/** How many bytes two texts have in common at their beginning, found by halving. */
function commonPrefix(one: Buffer, other: Buffer): number {
  let equal = 0;
  let unequal = Math.min(one.length, other.length) + 1;
  while (unequal - equal > 1) {
    const middle = (equal + unequal) >> 1;
    if (one.compare(other, equal, middle, equal, middle) === 0) equal = middle;
    else unequal = middle;
  }
  return equal;
}
