import { isObject, type Json, type JsonObject, stringsOf } from './json.js';

/** A schema that lets every value pass. */
export function isAny(schema: Json | undefined): boolean {
  return schema === undefined || schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

/** Widths in which a number is kept; every number has them. */
const WIDTHS: ReadonlySet<Json> = new Set(['float', 'double']);

/**
 * Whether a keyword refuses no value that its node lets pass without it, as far as the keywords next to it show: losing
 * it changes nothing. `closed`: the node accepts its declared properties only.
 */
export function isNeutral(node: JsonObject, keyword: string, closed = false): boolean {
  const value = node[keyword];
  switch (keyword) {
    case 'minLength':
    case 'minItems':
      return value === 0;
    case 'exclusiveMinimum':
      return typeof value === 'number' && typeof node.minimum === 'number' && node.minimum > value;
    case 'exclusiveMaximum':
      return typeof value === 'number' && typeof node.maximum === 'number' && node.maximum < value;
    case 'uniqueItems':
      return value === false || (typeof node.maxItems === 'number' && node.maxItems < 2);
    case 'multipleOf':
      return node.type === 'integer' && typeof value === 'number' && Number.isInteger(1 / value);
    case 'format':
      return WIDTHS.has(value ?? '') && (node.type === 'number' || node.type === 'integer');
    case 'contains':
      return node.minContains === 0 && node.maxContains === undefined;
    case 'minContains':
    case 'maxContains':
      return node.contains === undefined || (keyword === 'minContains' && value === 0);
    case 'not':
      return value === false;
    case 'if':
      return node.then === undefined && node.else === undefined;
    case 'then':
    case 'else':
      return node.if === undefined;
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'unevaluatedItems':
      return isAny(value);
    default:
      return isNeutralForNames(node, keyword, closed);
  }
}

/** The keywords that speak about the names of an object's properties. */
function isNeutralForNames(node: JsonObject, keyword: string, closed: boolean): boolean {
  const value = node[keyword];
  const names = Object.keys(isObject(node.properties) ? node.properties : {});
  const required = stringsOf(node.required);
  switch (keyword) {
    case 'minProperties':
      return typeof value === 'number' && value <= new Set(required).size;
    case 'maxProperties':
      return closed && typeof value === 'number' && value >= names.length;
    case 'propertyNames':
      return isAny(value) || (closed && names.length === 0);
    case 'patternProperties':
      return closed && isObject(value) && !Object.keys(value).some((pattern) => names.some(mayMatch(pattern)));
    case 'dependentRequired':
      return (
        isObject(value) &&
        Object.entries(value).every(([name, others]) => {
          const unmet = stringsOf(others).some((other) => !required.includes(other));
          return !unmet || (closed && !names.includes(name));
        })
      );
    case 'dependentSchemas':
      return (
        isObject(value) &&
        Object.entries(value).every(([name, schema]) => isAny(schema) || (closed && !names.includes(name)))
      );
    default:
      return false;
  }
}

/** Patterns come from callers and are not run here: only a plain beginning is understood, any other may match. */
function mayMatch(pattern: string): (name: string) => boolean {
  const literal = /^\^([\w-]+)$/.exec(pattern)?.[1];
  return (name) => literal === undefined || name.startsWith(literal);
}
