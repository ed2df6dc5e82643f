import type { Loss } from '../library.js';
import { parentOf, segment } from '../spans.js';

/**
 * Where losses are in the translated body. A loss names a place in the source alone; its place on the other side is found by
 * what changes there when that part of the source is taken away, else by what the two bodies have in common around it.
 */
export interface Trace {
  readonly loss: Loss;
  /** JSON Pointers into the translated body. */
  readonly places: readonly string[];
  /** There is nothing of it: the places are what would hold it. */
  readonly around: boolean;
}

/** More places than these say nothing: the whole changed. */
export const MOST_PLACES = 6;

type Body = unknown;

/**
 * Traces losses from `source` into `target`.
 * @param translate gives the translation of a changed source; what it throws means that the part cannot be taken away
 * @param mayTry whether there is time for one more translation
 */
export function traceLosses(
  source: Body,
  target: Body,
  losses: readonly Loss[],
  translate: (source: Body) => Body,
  mayTry: () => boolean,
): Trace[] {
  const align = createAlignment(source, target);
  const known = new Map<string, readonly string[]>();
  const changed = (path: string): readonly string[] => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const found = mayTry() ? (placesWithout(source, target, path, translate) ?? []) : [];
    known.set(path, found);
    return found;
  };
  return losses.map((loss) => {
    const path = meantBy(source, loss);
    const places = changed(path);
    if (places.length > 0 && places.length <= MOST_PLACES) return { loss, places, around: false };
    const holder = align(parentOf(path) ?? '');
    const added = loss.kind === 'dropped' ? undefined : addedFor(loss, target, holder);
    if (added !== undefined) return { loss, places: [added], around: false };
    return { loss, places: [holder], around: true };
  });
}

/**
 * The pointers of what a body has only because its source has the value at `path`; undefined where the value cannot be taken away.
 * @param translate gives the translation of a changed source; what it throws means that the part cannot be taken away
 */
export function placesWithout(
  source: Body,
  target: Body,
  path: string,
  translate: (source: Body) => Body,
): string[] | undefined {
  const without = path === '' ? undefined : removed(source, path.split('/').slice(1).map(plain));
  if (without === undefined) return undefined;
  try {
    const places: string[] = [];
    compare(target, translate(without), '', places);
    return places;
  } catch {
    return undefined;
  }
}

const plain = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy of a value without one part; undefined when it has no such part. */
function removed(value: unknown, [head, ...rest]: readonly string[]): unknown {
  if (head === undefined) return undefined;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const index = Number(head);
    if (!(index in list)) return undefined;
    if (rest.length === 0) return list.toSpliced(index, 1);
    const inner = removed(list[index], rest);
    return inner === undefined ? undefined : list.with(index, inner);
  }
  if (!isObject(value) || !Object.hasOwn(value, head)) return undefined;
  const { [head]: gone, ...others } = value;
  if (rest.length === 0) return others;
  const inner = removed(gone, rest);
  return inner === undefined ? undefined : { ...value, [head]: inner };
}

/** Adds the pointers of what `before` has and `after` has not, or has otherwise. */
function compare(before: unknown, after: unknown, path: string, places: string[]): void {
  if (places.length > MOST_PLACES || same(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const [key, value] of Object.entries(before)) compare(value, after[key], path + segment(key), places);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, path, places);
  } else {
    places.push(path);
  }
}

/** Lists have their ends in common; what is between them has changed. */
function compareLists(before: readonly unknown[], after: readonly unknown[], path: string, places: string[]): void {
  let head = 0;
  while (head < Math.min(before.length, after.length) && same(before[head], after[head])) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && same(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  const paired = before.length === after.length;
  for (let index = head; index < before.length - tail; index++) {
    if (paired) compare(before[index], after[index], path + segment(index), places);
    else places.push(path + segment(index));
  }
}

const same = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

/** A leaf of a body: a text or a number. */
interface Leaf {
  readonly path: string;
  readonly value: string | number;
}

export function leavesOf(body: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const open: (readonly [string, unknown])[] = [['', body]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, value] = next;
    if (typeof value === 'string' || typeof value === 'number') leaves.push({ path, value });
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) open.push([path + segment(key), inner]);
  }
  return leaves;
}

/** Gives, for a container of the source, the container of the target that holds what only these two have in common. */
export function createAlignment(source: Body, target: Body): (path: string) => string {
  const there = new Map<string | number, string | undefined>();
  // A value that occurs twice leads nowhere.
  for (const { path, value } of leavesOf(target)) there.set(value, there.has(value) ? undefined : path);
  const met = new Map<string, string>();
  for (const { path, value } of leavesOf(source)) {
    const other = there.get(value);
    if (other === undefined) continue;
    let held = parentOf(other) ?? '';
    for (let near = parentOf(path); near !== undefined; near = parentOf(near)) {
      held = common(met.get(near) ?? held, held);
      met.set(near, held);
    }
  }
  return (path) => {
    for (let near: string | undefined = path; near !== undefined && near !== ''; near = parentOf(near)) {
      const found = met.get(near);
      if (found !== undefined) return found;
    }
    return '';
  };
}

/** The deepest container that holds both. */
function common(one: string, other: string): string {
  const [a, b] = [one.split('/'), other.split('/')];
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length += 1;
  return a.slice(0, length).join('/');
}

/** The path of what a loss is about: of an object that it names, the one member that shares a word with its feature. */
export function meantBy(source: Body, { path, feature }: Loss): string {
  const [member, ...others] = path === '' ? [] : membersLike(source, path, wordsOf(feature));
  return member === undefined || others.length > 0 ? path : member;
}

/** The members of an object whose keys have one of `words`. */
function membersLike(body: Body, path: string, words: readonly string[]): string[] {
  const object = valueAt(body, path);
  if (!isObject(object)) return [];
  const alike = Object.keys(object).filter((key) => wordsOf(key).some((word) => words.includes(word)));
  return alike.map((key) => path + segment(key));
}

/** What was added or changed in a container or in the whole, by its name. */
function addedFor({ feature, path }: Loss, target: Body, holder: string): string | undefined {
  const words = [...wordsOf(feature), ...wordsOf(path.slice(path.lastIndexOf('/') + 1))];
  return [holder, ''].flatMap((place) => membersLike(target, place, words))[0];
}

function wordsOf(name: string): string[] {
  return name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);
}

export function valueAt(body: Body, path: string): unknown {
  let value = body;
  for (const part of path.split('/').slice(1).map(plain)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}
