import { parentOf, type Spans, segment } from '../spans.js';
import type { Side } from './messages.js';
import { createAlignment, leavesOf, MOST_PLACES, placesWithout, valueAt } from './trace.js';

/** Finds the counterparts of values between a body and its translation. */
export interface Follower {
  /** Pointers on the other side; undefined = none is known. `nowhere` says that there is none. */
  follow(side: Side, path: string): { readonly places: readonly string[]; readonly nowhere: boolean };
}

/** How long one search may translate, in ms. */
const SEARCH_MS = 250;

/** Follows values from `source` to `target` and back. `translate` gives the translation of a changed source, or throws. */
export function createFollower(source: unknown, target: unknown, translate: (body: unknown) => unknown): Follower {
  const there = uniqueLeaves(target);
  const here = uniqueLeaves(source);
  const align = createAlignment(source, target);
  const known = new Map<string, readonly string[] | undefined>();
  const without = (path: string): readonly string[] | undefined => {
    if (!known.has(path)) known.set(path, placesWithout(source, target, path, translate));
    return known.get(path);
  };

  const forward = (path: string) => {
    const same = counterpart(valueAt(source, path), here, there);
    if (same !== undefined) return found(same);
    // The name of a model is said anew for each target.
    if (path === '/model' && valueAt(target, '/model') !== undefined) return found('/model');
    // What cannot be taken away alone goes with what holds it.
    for (let near: string | undefined = path; near !== undefined && near !== ''; near = parentOf(near)) {
      const places = without(near);
      if (places === undefined) continue;
      if (places.length === 0 && near === path) return { places, nowhere: true };
      if (places.length > 0 && places.length <= MOST_PLACES) return { places, nowhere: false };
      break;
    }
    const place = align(path);
    return place === '' ? UNKNOWN : found(place);
  };

  /** Looks down the source for the smallest value without which the place of the target is another. */
  const back = (path: string) => {
    const same = counterpart(valueAt(target, path), there, here);
    if (same !== undefined) return found(same);
    if (path === '/model' && valueAt(source, '/model') !== undefined) return found('/model');
    const end = performance.now() + SEARCH_MS;
    let best: string | undefined;
    let complete = true;
    for (let near = ''; ; near = best ?? '') {
      const inner = childrenOf(valueAt(source, near), near);
      const next = inner.find((child) => {
        if (performance.now() > end) complete = false;
        return complete && without(child)?.some((place) => touches(place, path));
      });
      if (next === undefined) break;
      best = next;
    }
    return best === undefined ? { places: [], nowhere: complete } : found(best);
  };
  return { follow: (side, path) => (side === 'source' ? forward(path) : back(path)) };
}

const UNKNOWN = { places: [], nowhere: false } as const;
const found = (place: string) => ({ places: [place], nowhere: false });

/** Whether two places are the same, or one lies in the other. */
const touches = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

type Leaves = ReadonlyMap<string | number, string | undefined>;

/** The leaves of a body by their values; undefined for a value that occurs twice. */
function uniqueLeaves(body: unknown): Leaves {
  const leaves = new Map<string | number, string | undefined>();
  for (const { path, value } of leavesOf(body)) leaves.set(value, leaves.has(value) ? undefined : path);
  return leaves;
}

/** Where the other side has the very value, when both have it once. */
function counterpart(value: unknown, own: Leaves, others: Leaves): string | undefined {
  const isLeaf = typeof value === 'string' || typeof value === 'number';
  return isLeaf && own.get(value) !== undefined ? others.get(value) : undefined;
}

/** So many values of one container are tried. */
const MOST_CHILDREN = 100;

function childrenOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value)
    .slice(0, MOST_CHILDREN)
    .map((key) => path + segment(key));
}

/** The innermost value of a text at an offset; undefined outside of all but the whole. */
export function pathAt(spans: Spans, offset: number): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [path, { start, end }] of spans) {
    if (path === '' || start > offset || end < offset || end - start >= least) continue;
    best = path;
    least = end - start;
  }
  return best;
}
