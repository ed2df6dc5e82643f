import type { Data } from '../../support/frames.js';

/** A list of `n` entries. */
export function times<T>(n: number, entry: (index: number) => T): T[] {
  return Array.from({ length: n }, (_, index) => entry(index));
}

/**
 * A body of a data file in which something comes `n` times: the entry `{ each: X }` of a list stands for `n` times X (or the
 * entries of X, where it is a list), a member whose name has `@` for `n` members, and `{ repeat: X }` for a text. In what is
 * repeated `@` is the place: a text of it alone is the number, and so is `@ * 6`, `@ % 100`, or `@ * 6 + 5`.
 */
export function grown(node: Data, n: number, place?: number): Data {
  if (typeof node === 'string') return place === undefined ? node : placed(node, place);
  if (Array.isArray(node)) {
    return node.flatMap((entry) =>
      entry?.each === undefined ? [grown(entry, n, place)] : times(n, (index) => grown(entry.each, n, index)).flat(),
    );
  }
  if (typeof node !== 'object' || node === null) return node;
  if (node.repeat !== undefined) return node.repeat.repeat(n);
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, member]) =>
      place === undefined && key.includes('@')
        ? times(n, (index) => [placed(key, index), grown(member, n, index)])
        : [[grown(key, n, place), grown(member, n, place)]],
    ),
  );
}

function placed(text: string, place: number): string | number {
  const [found, sign, by = '1', more = '0'] = /^@(?: ([*%]) (\d+))?(?: \+ (\d+))?$/.exec(text) ?? [];
  if (found === undefined) return text.replaceAll('@', String(place));
  return (sign === '%' ? place % Number(by) : place * Number(by)) + Number(more);
}
