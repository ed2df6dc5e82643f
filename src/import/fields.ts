import { isObject } from '../ground/index.js';

/** A value of the source, and where it stands there, such as `model_list[0].model_name`. */
export interface Placed {
  readonly value: unknown;
  readonly path: string;
}

/**
 * A map of the source that remembers which of its members were read: what is left at the end has no place in the new file, and is
 * reported.
 */
export interface Fields {
  readonly path: string;
  /** The path of a member. */
  at(name: string): string;
  /** A member that is not null, by the first of its names that is there. */
  take(...names: readonly string[]): unknown;
  text(...names: readonly string[]): string | undefined;
  /** A number, or digits. */
  number(...names: readonly string[]): number | undefined;
  flag(...names: readonly string[]): boolean | undefined;
  /** A map; an empty one where there is none. */
  map(...names: readonly string[]): Fields;
  /** The elements of a list. */
  list(...names: readonly string[]): readonly Placed[];
  /** The names that are there. */
  names(): readonly string[];
  /** Counts all as read: it is reported as a whole. */
  close(): void;
  /** The members that were not read, those of maps inside too. */
  rest(): readonly Placed[];
}

/** Reads a map. What is none has no members. */
export function fieldsOf({ value, path }: Placed): Fields {
  const members = isObject(value) ? value : {};
  const read = new Set<string>();
  const maps = new Map<string, Fields>();
  let closed = false;
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const find = (names: readonly string[]): string | undefined =>
    names.find((name) => Object.hasOwn(members, name) && members[name] !== null);
  /** A member of a kind: another is left, and so reported. */
  const member = <Kind>(names: readonly string[], narrow: (value: unknown) => Kind | undefined): Kind | undefined => {
    const name = find(names);
    const found = name === undefined ? undefined : narrow(members[name]);
    if (name !== undefined && found !== undefined) read.add(name);
    return found;
  };
  return {
    path,
    at,
    take: (...names) => member(names, (found) => found),
    text: (...names) => member(names, (found) => (typeof found === 'string' ? found : undefined)),
    number: (...names) => member(names, numberOf),
    flag: (...names) => member(names, (found) => (typeof found === 'boolean' ? found : undefined)),
    map(...names) {
      const name = find(names) ?? names[0] ?? '';
      const inner =
        maps.get(name) ??
        fieldsOf({ value: member(names, (found) => (isObject(found) ? found : undefined)), path: at(name) });
      maps.set(name, inner);
      return inner;
    },
    list(...names) {
      const name = find(names) ?? '';
      const found = member(names, (list) => (Array.isArray(list) ? (list as readonly unknown[]) : undefined)) ?? [];
      return found.map((element, index) => ({ value: element, path: `${at(name)}[${index}]` }));
    },
    names: () => Object.keys(members).filter((name) => members[name] !== null),
    close() {
      closed = true;
    },
    rest() {
      if (closed) return [];
      const left = Object.entries(members).filter(([name, found]) => !read.has(name) && found !== null);
      const inside = [...maps.values()].flatMap((inner) => inner.rest());
      return [...left.map(([name, found]) => ({ value: found, path: at(name) })), ...inside];
    },
  };
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return typeof value === 'string' && /^\d+(?:\.\d+)?(?:e-?\d+)?$/i.test(value) ? Number(value) : undefined;
}
