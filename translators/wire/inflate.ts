import { Inflate, inflateSync } from 'fflate/browser';

/** How many bytes may still be inflated. Shared and counted down by everything that inflates. */
export type InflationBudget = { left: number };

/** Input read between two looks at the size of what came out. */
const SLICE = 16 * 1024;
/** The most that one byte of deflate data can become. */
const BEST_RATIO = 1032;

/**
 * Inflates raw deflate data that claims to give exactly `size` bytes; `undefined` when it gives more, less or is
 * malformed, or when the budget does not cover it. A false claim is found after at most 16 KiB too much were read, and
 * the most that can have cost is taken from the budget, so that many false claims cost no more than a few.
 */
export function inflateExactly(deflated: Uint8Array, size: number, budget: InflationBudget): Uint8Array | undefined {
  if (size > budget.left || size > deflated.length * BEST_RATIO) return undefined;
  try {
    const out = deflated.length <= SLICE ? inflateWhole(deflated, size) : inflateSlices(deflated, size);
    if (out !== undefined) {
      budget.left -= size;
      return out;
    }
  } catch {
    // Malformed data gives no other reason.
  }
  budget.left -= size + Math.min(deflated.length, SLICE) * BEST_RATIO;
  return undefined;
}

function inflateWhole(deflated: Uint8Array, size: number): Uint8Array | undefined {
  // Never grows the buffer; the byte too many shows data that is longer than it declared.
  const out = inflateSync(deflated, { out: new Uint8Array(size + 1) });
  return out.length === size ? out : undefined;
}

function inflateSlices(deflated: Uint8Array, size: number): Uint8Array | undefined {
  const out = new Uint8Array(size);
  let length = 0;
  const stream = new Inflate((part) => {
    if (length + part.length <= size) out.set(part, length);
    length += part.length;
  });
  for (let at = 0; at < deflated.length && length <= size; at += SLICE) {
    stream.push(deflated.subarray(at, at + SLICE), at + SLICE >= deflated.length);
  }
  return length === size ? out : undefined;
}
