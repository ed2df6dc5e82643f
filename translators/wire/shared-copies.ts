import type { JsonObject } from '../canonical/node.js';
import { isObject } from './json.js';

/** What became of one node of a list: the very node, another in its place, or several; none = it is left out. */
export type Changed = JsonObject | readonly JsonObject[];

/**
 * A list with some of its objects changed: the very list when none is, or when it is no list. What is no object stays as it is.
 */
export function mapNodes(list: unknown, change: (node: JsonObject, index: number) => Changed): unknown {
  if (!Array.isArray(list)) return list;
  let changed = false;
  const out = list.flatMap((node: unknown, index): unknown[] => {
    if (!isObject(node)) return [node];
    const next = change(node, index);
    if (next === node) return [node];
    changed = true;
    return Array.isArray(next) ? next : [next];
  });
  return changed ? out : list;
}

/** The objects in a list; none where it is no list. */
export function nodesIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** An object with another value under `key`, and without it for undefined: the very object when it is the same. */
export function withMember(object: JsonObject, key: string, value: unknown): JsonObject {
  if (object[key] === value) return object;
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _left, ...rest } = object;
  return rest;
}

/** Where nodes of a body that is copied in steps were when it came. */
export interface Places {
  /** The path of a node, or of the one it was made of; `''` where nobody said. */
  of(node: unknown): string;
  /** Notes where a node was. */
  note(node: JsonObject, path: string): void;
  /** Notes that `next` was made of `node`, and returns it. */
  keep<N extends JsonObject>(next: N, node: JsonObject): N;
  /** The body with nodes of one of the lists changed: the very body when none is. `change` is given the path of the node as it came. */
  map(body: JsonObject, list: string, change: (node: JsonObject, path: string) => Changed): JsonObject;
  /** The path in the body as it came of a path in `body`, which was made of it; of the lists that are followed only. */
  original(body: JsonObject, path: string): string;
}

/** Follows the nodes of some lists of a body. */
export function createPlaces(body: JsonObject, lists: readonly string[]): Places {
  const places = new WeakMap<object, string>();
  for (const key of lists) {
    const list = body[key];
    if (!Array.isArray(list)) continue;
    list.forEach((node: unknown, index) => {
      if (isObject(node)) places.set(node, `/${key}/${index}`);
    });
  }
  const of = (node: unknown): string => (isObject(node) ? (places.get(node) ?? '') : '');
  const keep = <N extends JsonObject>(next: N, node: JsonObject): N => {
    if (next !== node) places.set(next, of(node));
    return next;
  };
  return {
    of,
    note: (node, path) => void places.set(node, path),
    keep,
    map(body, list, change) {
      const nodes = mapNodes(body[list], (node) => {
        const next = change(node, of(node));
        return isObject(next) ? keep(next, node) : next;
      });
      return withMember(body, list, nodes);
    },
    original(made, path) {
      const [, key = '', index = '', ...rest] = path.split('/');
      const list = made[key];
      const place = Array.isArray(list) && lists.includes(key) ? of(list[Number(index)]) : '';
      return place === '' ? path : [place, ...rest].join('/');
    },
  };
}
