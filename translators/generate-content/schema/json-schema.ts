import {
  ANNOTATIONS,
  createResolver,
  eachNode,
  isExclusive,
  isObject,
  type Json,
  type JsonObject,
  MAX_LEVELS,
  mapChildren,
  type ObjectSchemaResult,
  type SchemaChange,
  standardType,
  toCurrentShape,
} from '../../schema/index.js';

/** What these fields may have next to `$ref` [G §3.2 item 3]; definitions are no constraint. */
function fitsBesideRef(key: string): boolean {
  return key.startsWith('$') || key === 'description' || key === 'default' || key === 'definitions';
}

/** Keywords below which names follow that are no keywords. */
const NAMED = /\/(?:properties|patternProperties|\$defs|definitions|dependentSchemas)\/[^/]*/g;

/**
 * Reports that the schema at a place accepts more. Below `not` the whole accepts less for that, below `if` and
 * `contains` it can be either; `oneOf` above is read as `anyOf` and turns nothing round.
 */
function reportWider(keyword: string, pointer: string, changes: SchemaChange[]): void {
  const above = pointer.replaceAll(NAMED, '').split('/');
  const either = above.includes('if') || above.includes('contains');
  const turned = above.filter((part) => part === 'not').length % 2 === 1;
  if (either || !turned) changes.push({ keyword, effect: 'wider', pointer });
  if (either || turned) changes.push({ keyword, effect: 'narrower', pointer });
}

function bareRef(node: JsonObject, pointer: string, changes: SchemaChange[]): JsonObject {
  const kept = Object.entries(node).filter(([key]) => fitsBesideRef(key));
  for (const keyword of Object.keys(node)) {
    if (ANNOTATIONS.has(keyword) && !fitsBesideRef(keyword)) {
      changes.push({ keyword, effect: 'same', pointer });
    } else if (!fitsBesideRef(keyword)) {
      reportWider(keyword, pointer, changes);
    }
  }
  return Object.fromEntries(kept);
}

function isRefWithSiblings(node: JsonObject): boolean {
  return typeof node.$ref === 'string' && Object.keys(node).some((key) => !fitsBesideRef(key));
}

/** The server reads `oneOf` as `anyOf`; where its branches overlap that lets more pass. */
function reportUnions(root: JsonObject, changes: SchemaChange[]): void {
  const resolve = createResolver(root);
  const visit = (node: Json, pointer: string): Json => {
    if (isObject(node)) {
      if (Array.isArray(node.oneOf) && !isExclusive(node.oneOf, (ref) => resolve(ref)?.schema)) {
        reportWider('oneOf', pointer, changes);
      }
      mapChildren(node, pointer, visit);
    }
    return node;
  };
  visit(root, '');
}

/**
 * A schema for the fields of generateContent that take JSON Schema (translation.md 3.1): without `$schema`, nothing
 * but `description` and `default` next to `$ref`, older drafts in the shape of 2020-12. `oneOf` stays and is reported
 * where the server's reading of it differs. A schema that needs nothing of this is returned as the same object.
 */
export function encodeJsonSchema(schema: JsonObject): ObjectSchemaResult {
  const changes: SchemaChange[] = [];
  const current = toCurrentShape(schema, changes);
  let unions = false;
  let siblings = false;
  let named = false;
  eachNode(current, (node) => {
    unions ||= Array.isArray(node.oneOf);
    siblings ||= isRefWithSiblings(node);
    named ||= Object.hasOwn(node, '$schema');
  });
  if (unions) {
    reportUnions(current, changes);
  }
  if (!siblings && !named) {
    return { schema: current, changes };
  }
  const tidy = (node: Json, pointer: string): Json => {
    if (!isObject(node)) {
      return node;
    }
    const { $schema: _schema, ...rest } = node;
    const own = isRefWithSiblings(rest) ? bareRef(rest, pointer, changes) : rest;
    return mapChildren(own, pointer, tidy);
  };
  const tidied = tidy(current, '');
  return { schema: isObject(tidied) ? tidied : current, changes };
}

function hasOddType({ type }: JsonObject): boolean {
  return type !== undefined && standardType(type) !== type;
}

/**
 * What stands in the fields of generateContent that take JSON Schema, as every reader of JSON Schema takes it: types in
 * lower case. The service takes them in any [G §3.1], and its vendor's own agent writes `OBJECT` here. A schema that
 * needs nothing of this is returned as the same object.
 */
export function decodeJsonSchema<Schema extends object>(schema: Schema): Schema | JsonObject {
  if (!isObject(schema)) {
    return schema;
  }
  let odd = false;
  eachNode(schema, (node) => {
    odd ||= hasOddType(node);
  });
  if (!odd) {
    return schema;
  }
  const settle = (node: Json, level: number): Json => {
    if (!isObject(node) || level > MAX_LEVELS) {
      return node;
    }
    const own = node.type !== undefined && hasOddType(node) ? { ...node, type: standardType(node.type) } : node;
    return mapChildren(own, '', (child) => settle(child, level + 1));
  };
  const settled = settle(schema, 0);
  return isObject(settled) ? settled : schema;
}
