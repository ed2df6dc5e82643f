import { join } from '../wire/pointer.js';
import { isObject, type Json, type JsonObject, setKey, without } from './json.js';
import { DEFINITIONS } from './keywords.js';
import { createResolver, follow, nameOf, type Resolver, refTo } from './refs.js';
import { MAX_LEVELS, mapChildren } from './walk.js';

const NAMED = /^\/(?:\$defs|definitions)\/[^/]+$/;

interface Hoisting {
  root: JsonObject;
  resolve: Resolver;
  self: boolean;
  /** Names given so far, by the pointer of what they name. */
  names: Map<string, string>;
  taken: Set<string>;
}

function freeName(hoisting: Hoisting, pointer: string): string {
  const wanted = nameOf(pointer, hoisting.root).replaceAll(/[^A-Za-z0-9_.-]/g, '_');
  let name = wanted;
  for (let count = 2; hoisting.taken.has(name); count++) {
    name = `${wanted}_${count}`;
  }
  hoisting.taken.add(name);
  return name;
}

/** The reference under which a schema is found after hoisting. */
function hoistedRef(hoisting: Hoisting, ref: string): string {
  const pointer = hoisting.resolve(ref)?.pointer;
  if (pointer === undefined) {
    return ref;
  }
  if (NAMED.test(pointer) || (pointer === '' && !hoisting.self)) {
    return ref.startsWith('#/') ? ref : refTo(pointer);
  }
  const name = hoisting.names.get(pointer) ?? freeName(hoisting, pointer);
  hoisting.names.set(pointer, name);
  return join('#/$defs', name);
}

function renameRefs(hoisting: Hoisting, node: Json, level: number): Json {
  if (!isObject(node) || level > MAX_LEVELS) {
    return node;
  }
  const renamed = mapChildren(node, '', (child) => renameRefs(hoisting, child, level + 1));
  const ref = typeof node.$ref === 'string' ? hoistedRef(hoisting, node.$ref) : undefined;
  return ref === undefined || ref === node.$ref ? renamed : { ...renamed, $ref: ref };
}

/** What only the root of a document has. */
const ROOT_ONLY: ReadonlySet<string> = new Set([...DEFINITIONS, '$schema', '$id']);

/**
 * Gives every referenced schema a name of its own under the root's `$defs`, so that the rest of the document can be
 * rearranged. With `self`, `#` gets one too. References that lead nowhere stay as they are.
 */
export function hoistRefs(root: JsonObject, self: boolean): JsonObject {
  const taken = new Set(Object.keys(isObject(root.$defs) ? root.$defs : {}));
  const hoisting: Hoisting = { root, resolve: createResolver(root), self, names: new Map(), taken };
  const renamed = renameRefs(hoisting, root, 0);
  const hoisted: JsonObject = {};
  // Renaming a hoisted schema can name further ones; a Map hands out what is added while it is walked.
  for (const [pointer, name] of hoisting.names) {
    const found = follow(root, pointer);
    setKey(hoisted, name, renameRefs(hoisting, isObject(found) ? without(found, ROOT_ONLY) : (found ?? true), 0));
  }
  if (!isObject(renamed) || hoisting.names.size === 0) {
    return isObject(renamed) ? renamed : root;
  }
  return { ...renamed, $defs: { ...(isObject(renamed.$defs) ? renamed.$defs : {}), ...hoisted } };
}
