import { unescapeSegment } from '../wire/pointer.js';
import { intersect } from './all-of.js';
import { isObject, type Json, type JsonObject, only, ownValue, without } from './json.js';
import { ANNOTATIONS, DEFINITIONS, keywords } from './keywords.js';
import { eachNode, MAX_LEVELS, mapChildren } from './walk.js';

/** A schema found by its reference, and the pointer of where it is in its document. */
export interface Target {
  schema: Json;
  pointer: string;
}

/** Resolves local references of one document: `#`, any JSON pointer, `$anchor`, or these after the root's own `$id`. */
export interface Resolver {
  (ref: string): Target | undefined;
  /** Schemas whose references were followed already: a schema named many times is expanded once, and shared. */
  readonly expanded: WeakMap<JsonObject, Json>;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Characters that a URI fragment cannot hold (RFC 3986 section 3.5); a lone surrogate has no encoding. */
const NO_FRAGMENT = /[^\w.~!$&'()*+,;=:@/?\p{Cs}-]/gu;

/** The reference to a place of its own document: a URI fragment, in which a pointer is percent-encoded (RFC 6901 section 6). */
export function refTo(pointer: string): string {
  return `#${pointer.replaceAll(NO_FRAGMENT, encodeURIComponent)}`;
}

/** The value one step down a JSON pointer; `part` is the escaped reference token. */
export function childAt(node: Json | undefined, part: string): Json | undefined {
  const key = unescapeSegment(part);
  if (Array.isArray(node)) {
    return /^\d{1,9}$/.test(key) ? node[Number(key)] : undefined;
  }
  return isObject(node) ? ownValue(node, key) : undefined;
}

/** The value at a JSON pointer of a document. */
export function follow(root: Json | undefined, pointer: string): Json | undefined {
  return pointer.split('/').slice(1).reduce(childAt, root);
}

function findAnchors(root: JsonObject): Map<string, string> {
  const anchors = new Map<string, string>();
  const visit = (node: Json, pointer: string, level: number): Json => {
    if (isObject(node) && level <= MAX_LEVELS) {
      const legacy = typeof node.$id === 'string' && node.$id.startsWith('#') ? node.$id.slice(1) : undefined;
      for (const anchor of [node.$anchor, node.$dynamicAnchor, legacy]) {
        if (typeof anchor === 'string' && anchor !== '' && !anchors.has(anchor)) {
          anchors.set(anchor, pointer);
        }
      }
      mapChildren(node, pointer, (child, at) => visit(child, at, level + 1));
    }
    return node;
  };
  visit(root, '', 0);
  return anchors;
}

/** A resolver for one document; anchors are looked up only when a reference names one. */
export function createResolver(root: JsonObject): Resolver {
  const known = new Map<string, Target | undefined>();
  let anchors: Map<string, string> | undefined;
  const base = typeof root.$id === 'string' ? root.$id.replace(/#$/, '') : undefined;
  const pointerOf = (ref: string): string | undefined => {
    const local = base !== undefined && base !== '' && ref.startsWith(base) ? ref.slice(base.length) : ref;
    if (local === '' || local === '#') {
      return '';
    }
    if (!local.startsWith('#')) {
      return undefined;
    }
    const fragment = decodeFragment(local.slice(1));
    if (fragment.startsWith('/')) {
      return fragment;
    }
    anchors ??= findAnchors(root);
    return anchors.get(fragment);
  };
  const resolve = (ref: string): Target | undefined => {
    const pointer = pointerOf(ref);
    const schema = pointer === undefined ? undefined : follow(root, pointer);
    return pointer !== undefined && (isObject(schema) || typeof schema === 'boolean') ? { schema, pointer } : undefined;
  };
  const lookup = (ref: string): Target | undefined => {
    if (!known.has(ref)) {
      known.set(ref, resolve(ref));
    }
    return known.get(ref);
  };
  return Object.assign(lookup, { expanded: new WeakMap<JsonObject, Json>() });
}

/** A readable name for a referenced schema: the last part of its pointer, or the title of the root. */
export function nameOf(pointer: string, root: JsonObject): string {
  const last = pointer.split('/').pop();
  if (last !== undefined && last !== '') {
    return unescapeSegment(last);
  }
  return typeof root.title === 'string' ? root.title : 'schema';
}

/** The reference keyword alone. */
export const REF = keywords('$ref');

/** What is next to a `$ref`: annotations, and whether there is more than that. */
export function refSiblings(node: JsonObject): { siblings: JsonObject; constrains: boolean } {
  const siblings = without(without(node, REF), DEFINITIONS);
  return { siblings, constrains: Object.keys(siblings).some((key) => !ANNOTATIONS.has(key)) };
}

/** A referenced schema together with the keywords next to its reference, which apply as well; theirs are the annotations. */
export function withSiblings(target: Json, siblings: JsonObject): Json {
  if (Object.keys(siblings).length === 0 || target === false) {
    return target;
  }
  if (!isObject(target)) {
    return siblings;
  }
  if (Object.keys(siblings).every((key) => ANNOTATIONS.has(key))) {
    return { ...target, ...siblings };
  }
  const merged = intersect(siblings, target);
  if (isObject(merged)) {
    return merged;
  }
  return { ...only(siblings, ANNOTATIONS), allOf: [target, without(siblings, ANNOTATIONS)] };
}

/** How many references that lead straight to references are followed. */
const CHAIN = 32;

/**
 * The schema without a `$ref` at its top, `allOf` branches included: references there are replaced by what they name.
 * Deeper ones stay. Undefined when a reference leads nowhere or only to itself.
 */
export function dereferenced(schema: Json | undefined, resolve: Resolver, steps = 0): Json | undefined {
  if (!isObject(schema) || (typeof schema.$ref !== 'string' && !Array.isArray(schema.allOf))) {
    return schema;
  }
  const known = resolve.expanded.get(schema);
  if (known !== undefined || steps > CHAIN) {
    return known;
  }
  const found = expanded(schema, resolve, steps);
  if (found !== undefined) {
    resolve.expanded.set(schema, found);
  }
  return found;
}

function expanded(schema: JsonObject, resolve: Resolver, steps: number): Json | undefined {
  if (typeof schema.$ref === 'string') {
    const target = resolve(schema.$ref);
    const found = target === undefined ? undefined : dereferenced(target.schema, resolve, steps + 1);
    return found === undefined ? undefined : withSiblings(found, without(schema, REF));
  }
  const allOf: Json[] = [];
  for (const branch of Array.isArray(schema.allOf) ? schema.allOf : []) {
    const found = dereferenced(branch, resolve, steps + 1);
    if (found === undefined) {
      return undefined;
    }
    allOf.push(found);
  }
  return { ...schema, allOf };
}

/**
 * Whether a schema refers to itself, directly or through others; a chain of references too long to follow counts.
 * Definitions that nothing uses do not.
 */
export function isRecursive(root: JsonObject): boolean {
  const resolve = createResolver(root);
  const done = new Set<string>();
  const open = new Set<string>();
  const visit = (schema: Json | undefined, pointer: string): boolean => {
    if (open.has(pointer)) return true;
    if (done.has(pointer) || !isObject(schema)) return false;
    if (open.size > MAX_LEVELS) return true;
    open.add(pointer);
    const refs = new Set<string>();
    eachNode(without(schema, DEFINITIONS), (node) => {
      if (typeof node.$ref === 'string') refs.add(node.$ref);
    });
    const found = [...refs].some((ref) => {
      const target = resolve(ref);
      return target !== undefined && visit(target.schema, target.pointer);
    });
    open.delete(pointer);
    done.add(pointer);
    return found;
  };
  return visit(root, '');
}
