import type { SchemaChange } from './change.js';
import { isObject, type Json, type JsonObject, setKey, stringsOf, without } from './json.js';
import { childAt } from './refs.js';
import { clipLevels, eachNode, mapChildren } from './walk.js';

function hasOldShape(node: JsonObject): boolean {
  return (
    typeof node.exclusiveMinimum === 'boolean' ||
    typeof node.exclusiveMaximum === 'boolean' ||
    Array.isArray(node.items) ||
    node.additionalItems !== undefined ||
    node.dependencies !== undefined ||
    typeof node.required === 'boolean'
  );
}

/** Draft 4 writes `exclusiveMinimum: true` next to `minimum`. */
function modernBound(node: JsonObject, bound: 'minimum' | 'maximum', exclusive: string): void {
  const value = node[exclusive];
  if (typeof value !== 'boolean') {
    return;
  }
  delete node[exclusive];
  if (value && typeof node[bound] === 'number') {
    node[exclusive] = node[bound];
    delete node[bound];
  }
}

/** Before 2020-12 a tuple is a list in `items`, and `additionalItems` speaks about the rest. */
function modernTuple(node: JsonObject): void {
  const { items, additionalItems } = node;
  delete node.additionalItems;
  if (!Array.isArray(items)) {
    return;
  }
  delete node.items;
  if (items.length > 0) {
    node.prefixItems = items;
  }
  if (additionalItems !== undefined) {
    node.items = additionalItems;
  }
}

/** Before 2019-09 `dependencies` held both property lists and schemas. */
function modernDependencies(node: JsonObject): void {
  const { dependencies } = node;
  delete node.dependencies;
  if (!isObject(dependencies)) {
    return;
  }
  const required: JsonObject = {};
  const schemas: JsonObject = {};
  for (const [name, value] of Object.entries(dependencies)) {
    setKey(Array.isArray(value) ? required : schemas, name, value);
  }
  if (Object.keys(required).length > 0) {
    node.dependentRequired ??= required;
  }
  if (Object.keys(schemas).length > 0) {
    node.dependentSchemas ??= schemas;
  }
}

/** Draft 3 marks a required property on the property itself. */
function modernRequired(node: JsonObject): void {
  if (typeof node.required === 'boolean') {
    delete node.required;
  }
  if (!isObject(node.properties)) {
    return;
  }
  const marked = Object.entries(node.properties).filter(([, value]) => isObject(value) && value.required === true);
  if (marked.length > 0) {
    node.required = [...new Set([...stringsOf(node.required), ...marked.map(([name]) => name)])];
  }
}

const MOVED = /\/(?:items\/|additionalItems|dependencies\/)/;

/** A reference into a place that gets another name follows it there. */
function modernRef(root: JsonObject, ref: string): string {
  if (!ref.startsWith('#/') || !MOVED.test(ref)) {
    return ref;
  }
  let node: Json | undefined = root;
  const parts = ref
    .slice(2)
    .split('/')
    .map((part) => {
      const parent = node;
      node = childAt(parent, part);
      if (isObject(parent) && Array.isArray(parent.items)) {
        return part === 'items' ? 'prefixItems' : part === 'additionalItems' ? 'items' : part;
      }
      return part === 'dependencies' && isObject(parent) ? 'dependentSchemas' : part;
    });
  return `#/${parts.join('/')}`;
}

function modernNode(root: JsonObject, node: Json): Json {
  if (!isObject(node)) {
    return node;
  }
  const out = { ...node };
  modernRequired(out);
  modernBound(out, 'minimum', 'exclusiveMinimum');
  modernBound(out, 'maximum', 'exclusiveMaximum');
  modernTuple(out);
  modernDependencies(out);
  if (typeof out.$ref === 'string') {
    out.$ref = modernRef(root, out.$ref);
  }
  return mapChildren(out, '', (child) => modernNode(root, child));
}

/** After the rewriting the draft it names is no longer the right one. */
const DRAFT: ReadonlySet<string> = new Set(['$schema']);

/**
 * A schema written in the manner of an older draft, in the shape of 2020-12: numeric exclusive bounds, `prefixItems`,
 * `dependentRequired` and `dependentSchemas`, lists in `required`. The accepted values stay the same. What is nested
 * too deeply to be followed is cut and reported. A schema that needs nothing of this is returned as it is.
 */
export function toCurrentShape(schema: JsonObject, changes: SchemaChange[]): JsonObject {
  let old = false;
  const complete = eachNode(schema, (node) => {
    old ||= hasOldShape(node);
  });
  const whole = complete ? schema : clipLevels(schema, changes);
  const modern = old ? modernNode(whole, without(whole, DRAFT)) : whole;
  return isObject(modern) ? modern : whole;
}
