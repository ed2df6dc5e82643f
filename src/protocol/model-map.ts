import { matchesName, starOf } from '../ground/plain/index.js';

/** What a model name leads to, with what the `*` of its pattern stands for; '' where it is an exact name. */
interface FoundModel<T> {
  readonly name: string;
  readonly value: T;
  readonly star: string;
}

/** Finds what model names lead to: the exact name, the longest pattern, then `*` (configuration.md#rules). */
export function createModelMap<T>(models: Readonly<Record<string, T>>): (model: string) => FoundModel<T> | undefined {
  const entries = Object.entries(models);
  const exact = new Map(entries.filter(([name]) => !name.endsWith('*')));
  const patterns = entries.filter(([name]) => name.endsWith('*')).sort(([a], [b]) => b.length - a.length);
  return (model) => {
    const value = exact.get(model);
    if (value !== undefined) return { name: model, value, star: '' };
    const found = patterns.find(([pattern]) => model.startsWith(pattern.slice(0, -1)));
    return found && { name: found[0], value: found[1], star: starOf(found[0], model) };
  };
}

/**
 * Those with weights first: each of them comes first as often as its weight says, and the others follow as if they had
 * been drawn among themselves. Then the rest in its order. `random` gives numbers from 0 to below 1.
 */
export function weighted<T extends { readonly weight?: number | undefined }>(
  targets: readonly T[],
  random: () => number,
): readonly T[] {
  if (targets.every(({ weight }) => weight === undefined)) return targets;
  // Of several exponential waiting times the one with rate w is the shortest in w of all cases.
  const timed = targets.map((target) => ({
    target,
    time: target.weight === undefined ? Number.POSITIVE_INFINITY : -Math.log(1 - random()) / target.weight,
  }));
  timed.sort((a, b) => (a.time === b.time ? 0 : a.time - b.time));
  return timed.map(({ target }) => target);
}

/** The name under which a client gets the backend's model `id` through a pattern. */
export function clientName(pattern: string, target: { readonly model?: string }, id: string): string | undefined {
  if (target.model === undefined) return matchesName(pattern, id) ? id : undefined;
  const [before = '', after] = target.model.split('*');
  if (after === undefined) return undefined;
  if (!id.startsWith(before) || !id.endsWith(after) || id.length < before.length + after.length) return undefined;
  return pattern.slice(0, -1) + starOf(`${before}*`, id.slice(0, id.length - after.length));
}
