import { mergeAllOf } from './all-of.js';
import type { ObjectSchemaResult, SchemaChange } from './change.js';
import { foldRootCombinators, hasRootCombinator } from './fold.js';
import { hoistRefs } from './hoist-refs.js';
import { isObject, type Json, type JsonObject, only, without } from './json.js';
import { DEFINITIONS } from './keywords.js';
import { createResolver, dereferenced, REF } from './refs.js';
import { allowedValues, declaredTypes, impliedType } from './types.js';

/** A schema whose root is an object, and whether that took the wrapping of translation.md 3.4. */
export interface RootResult extends ObjectSchemaResult {
  /** Arguments or answers have the form `{value: ...}` and need {@link unwrapValue}; values sent back {@link wrapValue}. */
  wrapped: boolean;
}

/** What a target demands of the root. */
export interface RootRules {
  /** `allOf`, `anyOf`, `oneOf` at the root: allowed, wrapped into a property, or folded into one object. */
  combinators: 'keep' | 'wrap' | 'fold';
  /**
   * What the schema describes. Arguments of a tool are always objects, so that a root without a type needs no change
   * of meaning; an answer can be anything.
   */
  of?: 'arguments' | 'answer';
  /** `enum` and `not` may not be at the root either: what has one is wrapped. */
  bare?: boolean;
  /** What properties at the root may be called: a root with others is wrapped. */
  names?: RegExp;
}

const LIFTED: ReadonlySet<string> = new Set(['$schema', '$id', ...DEFINITIONS]);

function wrapRoot(schema: JsonObject | true): RootResult {
  const root = isObject(schema) ? hoistRefs(schema, true) : schema;
  const lifted = isObject(root) ? only(root, LIFTED) : {};
  const value = isObject(root) ? without(root, LIFTED) : root;
  const wrapper = { type: 'object', properties: { value }, required: ['value'] };
  return { schema: { ...wrapper, ...lifted }, changes: [], wrapped: true };
}

/** A `$ref` at the root is replaced by what it names, so that the type is at the root. */
function expandRootRef(schema: JsonObject): JsonObject | undefined {
  if (typeof schema.$ref !== 'string') {
    return schema;
  }
  const root = hoistRefs(schema, false);
  const expanded = dereferenced(root, createResolver(root));
  if (!isObject(expanded)) {
    return undefined;
  }
  return { ...without(without(expanded, REF), DEFINITIONS), ...only(root, DEFINITIONS) };
}

function canBeObject(branch: Json | undefined, root: JsonObject): boolean {
  const node = dereferenced(branch, createResolver(root));
  if (!isObject(node)) {
    return node === true;
  }
  const types = declaredTypes(node);
  return types === undefined || types.includes('object');
}

/** Combinators brought into a form the target takes; undefined when only wrapping is left. */
function settleCombinators(schema: JsonObject, rules: RootRules): ObjectSchemaResult | undefined {
  if (!hasRootCombinator(schema)) {
    return { schema, changes: [] };
  }
  switch (rules.combinators) {
    case 'keep': {
      const branches = [schema.allOf, schema.anyOf, schema.oneOf].filter(Array.isArray).flat();
      return branches.every((branch) => canBeObject(branch, schema)) ? { schema, changes: [] } : undefined;
    }
    case 'fold':
      return foldRootCombinators(schema, rules.of);
    case 'wrap': {
      if (Object.hasOwn(schema, 'anyOf') || Object.hasOwn(schema, 'oneOf')) {
        return undefined;
      }
      const root = hoistRefs(schema, true);
      const plain = dereferenced(root, createResolver(root));
      const merged = isObject(plain) ? mergeAllOf(plain) : undefined;
      return merged === undefined || merged.dropped.length > 0 || hasRootCombinator(merged.node)
        ? undefined
        : { schema: merged.node, changes: [] };
    }
  }
}

function isObjectRoot(schema: JsonObject, rules: RootRules): boolean {
  const types = declaredTypes(schema);
  const values = allowedValues(schema);
  if (values !== undefined && !values.every(isObject)) {
    return false;
  }
  if (rules.of === 'answer') {
    return types === undefined ? impliedType(schema) === 'object' : types.length === 1 && types[0] === 'object';
  }
  return types === undefined || types.includes('object');
}

function isBarred({ enum: values, not, properties }: JsonObject, { bare, names }: RootRules): boolean {
  if (bare === true && (values !== undefined || not !== undefined)) return true;
  return names !== undefined && isObject(properties) && Object.keys(properties).some((name) => !names.test(name));
}

/**
 * A schema with an object at its root, as every target wants it for tools and most for answers: absent or untyped
 * becomes an object, a `$ref` at the root is expanded, `properties` is written out [hard case TOOL-18], and what is no
 * object is wrapped (translation.md 3.4). A schema that already is like that is returned as the same object.
 */
export function objectRoot(schema: unknown, rules: RootRules = { combinators: 'wrap' }): RootResult {
  if (!isObject(schema)) {
    const unlimited = schema === undefined || schema === null || schema === true;
    const changes: SchemaChange[] = unlimited ? [] : [{ keyword: 'false', effect: 'wider', pointer: '' }];
    return rules.of === 'answer' && unlimited
      ? wrapRoot(true)
      : { schema: { type: 'object', properties: {} }, changes, wrapped: false };
  }
  const expanded = expandRootRef(schema);
  const settled = expanded && settleCombinators(expanded, rules);
  if (settled === undefined || isBarred(settled.schema, rules) || !isObjectRoot(settled.schema, rules)) {
    return wrapRoot(schema);
  }
  const node = settled.schema;
  const changes = [...settled.changes];
  if (node.type !== 'object' && rules.of === 'answer') {
    changes.push({ keyword: 'type', effect: 'narrower', pointer: '' });
  }
  const whole = node.type === 'object' && isObject(node.properties);
  const properties = isObject(node.properties) ? node.properties : {};
  const complete = whole ? node : { ...node, type: 'object', properties };
  return { schema: complete, changes, wrapped: false };
}

/** The value inside `{value: ...}`; anything of another form is returned as it is. */
export function unwrapValue(json: Json): Json;
export function unwrapValue(json: unknown): unknown;
export function unwrapValue(json: unknown): unknown {
  const wrapped = isObject(json) && Object.hasOwn(json, 'value') && Object.keys(json).length === 1;
  return wrapped ? json.value : json;
}

/** Arguments or an answer in the form that a wrapped schema describes. */
export function wrapValue(json: Json): JsonObject {
  return { value: json };
}
