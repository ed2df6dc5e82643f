import type { Place, RefusalRow } from './report.js';

/** Counts refusals by their reasons. What it keeps does not grow with their number. */
export interface Reasons {
  add(place: Place, refusal: Pick<RefusalRow, 'by' | 'path' | 'reason'>): void;
  /** The most frequent first, and how many refusals had further reasons. */
  rows(): { readonly rows: readonly RefusalRow[]; readonly beyond: number };
}

/** The most reasons that are distinguished. */
const NAMED = 100;

export function createReasons(): Reasons {
  const known = new Map<string, RefusalRow & { exchanges: number }>();
  let beyond = 0;
  return {
    add(place, { by, path, reason }) {
      // The same fault at another place, or with another number, is the same reason.
      const key = `${by} ${path} ${reason}`.replace(/\d+/g, '#');
      const row = known.get(key);
      if (row !== undefined) row.exchanges += 1;
      else if (known.size < NAMED) known.set(key, { by, exchanges: 1, ...place, path, reason });
      else beyond += 1;
    },
    rows: () => ({ rows: [...known.values()].sort((a, b) => b.exchanges - a.exchanges), beyond }),
  };
}

/** A reason without what it quotes of the body that was refused, and without the ids and names in it. */
export function withoutValues(reason: string, body: unknown): string {
  const named = namesIn(body).filter((name) => reason.includes(name));
  const plain = named.sort((a, b) => b.length - a.length).reduce((text, name) => text.replaceAll(name, '…'), reason);
  return plain.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)|`[^`]*`|'[^']*'/gs, '"…"');
}

/** The values of members that hold an id or a name. */
function namesIn(body: unknown): string[] {
  const names = new Set<string>();
  const open: unknown[] = [body];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'object') open.push(value);
      else if (typeof value === 'string' && value !== '' && /(?:id|name)$/i.test(key)) names.add(value);
    }
  }
  return [...names];
}
