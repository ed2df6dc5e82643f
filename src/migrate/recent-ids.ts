import { createHash } from 'node:crypto';

/** So many lines back ids are remembered at least: batches have 100,000 requests at most [M §1.4]. */
const REMEMBERED = 524_288;

/** Words of 32 bits for each id: 64 bits of its hash, and its line. */
const WORDS = 3;

/** Ids that were there, in a table that is half empty. */
interface Table {
  slots: Uint32Array;
  size: number;
}

const emptyTable = (): Table => ({ slots: new Uint32Array(WORDS * 1024), size: 0 });

/** Knows ids again. */
export interface RecentIds {
  /** The line that had an id, undefined where none had; it is remembered as that of `line`, from 1. */
  lineOf(id: string, line: number): number | undefined;
}

/**
 * Remembers ids in 25 MB at most, however many there are: 12 bytes each in a table of a power of two, and when one is full, only the full
 * one before it is kept. Two ids of which 64 bits of SHA-256 are the same are taken for one.
 */
export function createRecentIds(remembered: number = REMEMBERED): RecentIds {
  let now = emptyTable();
  let before = emptyTable();
  return {
    lineOf(id, line) {
      const hash = createHash('sha256').update(id).digest();
      const [low, high] = [hash.readUInt32LE(0), hash.readUInt32LE(4)];
      const known = lineIn(before, low, high) ?? lineIn(now, low, high);
      if (known !== undefined) return known;
      if (now.size === remembered) [before, now] = [now, emptyTable()];
      if (2 * (now.size + 1) * WORDS > now.slots.length) grow(now);
      put(now, low, high, line);
      return undefined;
    },
  };
}

/** The first word of the slot of a hash, or of the empty one where it belongs. */
function slotOf({ slots }: Table, low: number, high: number): number {
  const mask = slots.length / WORDS - 1;
  for (let at = low & mask; ; at = (at + 1) & mask) {
    const from = WORDS * at;
    if (slots[from + 2] === 0 || (slots[from] === low && slots[from + 1] === high)) return from;
  }
}

function lineIn(table: Table, low: number, high: number): number | undefined {
  return table.slots[slotOf(table, low, high) + 2] || undefined;
}

function put(table: Table, low: number, high: number, line: number): void {
  table.slots.set([low, high, line], slotOf(table, low, high));
  table.size += 1;
}

function grow(table: Table): void {
  const { slots } = table;
  table.slots = new Uint32Array(2 * slots.length);
  table.size = 0;
  for (let from = 0; from < slots.length; from += WORDS) {
    const [low = 0, high = 0, line = 0] = slots.subarray(from, from + WORDS);
    if (line > 0) put(table, low, high, line);
  }
}
