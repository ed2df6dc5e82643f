import { type DialectId, dialectIds, isDialectId } from '../../translators/index.js';
import { runs, SHORT } from './runs.js';

export type Pair<Id extends DialectId = DialectId> = readonly [from: Id, to: Id];

/** Every two of some dialects, and each with itself. */
export function pairsOf<Id extends DialectId>(ids: readonly Id[]): readonly Pair<Id>[] {
  return ids.flatMap((from) => ids.map((to): Pair<Id> => [from, to]));
}

/** Every two of some dialects that differ. */
export function crossPairsOf<Id extends DialectId>(ids: readonly Id[]): readonly Pair<Id>[] {
  return pairsOf(ids).filter(([from, to]) => from !== to);
}

/**
 * Pairs in which each of some dialects is once on each side: what a test of sockets takes in the short run in place of all
 * pairs, for the translation between them is tested without sockets.
 */
export function ringOf<Id extends DialectId>(ids: readonly Id[]): readonly Pair<Id>[] {
  const all = crossPairsOf(ids);
  return SHORT ? all.filter(([from, to]) => (ids.indexOf(from) + 1) % ids.length === ids.indexOf(to)) : all;
}

/** The dialect that a variable of the environment names. */
function named(variable: string): DialectId | undefined {
  const id = process.env[variable];
  if (id === undefined || isDialectId(id)) return id;
  throw new Error(`${variable} names no dialect: ${id}`);
}

/** `LAW_DIALECT` restricts the pairs to those with one dialect. */
const ONLY = named('LAW_DIALECT');

/** `LAW_WITHOUT` leaves out those with another: laws presuppose that the wires of two dialects differ. */
const WITHOUT = named('LAW_WITHOUT');

/** The dialects that laws of one dialect alone are tried on: all of them, or that of `LAW_DIALECT`. */
export const TRIED: readonly DialectId[] = dialectIds.filter((id) => ONLY === undefined || id === ONLY);

function isTried(pair: Pair): boolean {
  return pair.some((id) => TRIED.includes(id)) && !pair.some((id) => id === WITHOUT);
}

/** Every two dialects, and each with itself: a client and a backend, or a source and a target. */
export const PAIRS = pairsOf(dialectIds).filter(isTried);

/** Every two dialects that differ. */
export const CROSS_PAIRS = crossPairsOf(dialectIds).filter(isTried);

/** The dialects that one is paired with. */
export function partnersOf(id: DialectId): readonly DialectId[] {
  return CROSS_PAIRS.flatMap(([from, to]) => (from === id ? [to] : []));
}

/** In the short run each dialect once on each side, in the long one all that differ. */
export const CROSS_RING = ringOf(dialectIds).filter(isTried);

/** Tried values of a law for each pair: `base` times `LAW_RUNS` with nine pairs, and no more altogether with sixteen. */
export function runsOfPair(base: number): number {
  return runs((base * 9) / dialectIds.length ** 2);
}
