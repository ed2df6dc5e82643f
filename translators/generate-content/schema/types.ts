import {
  type ChangeEffect,
  isNeutral,
  isObject,
  isOfType,
  type Json,
  type JsonObject,
  keywordNote,
  ownValue,
  setKey,
  stringsOf,
  tupleAsList,
  type ValueType,
  valuesNote,
  withNotes,
} from '../../schema/index.js';
import { join } from '../../wire/pointer.js';

/** What one node is projected with. */
export interface NodeContext {
  pointer: string;
  /** The node is the root of arguments, which are objects whatever it says. */
  argument: boolean;
  report(keyword: string, effect: ChangeEffect): void;
  /** What the schema no longer says, for the description. */
  notes: string[];
  /** The projection of a subschema; undefined when it accepts nothing. */
  child(schema: Json | undefined, path: string): JsonObject | undefined;
}

/** Constraints for which the subset has no keyword and no substitute, on nodes of any type. */
export const REMOVED_EVERYWHERE = ['not', 'if', 'then', 'else', '$dynamicRef', '$recursiveRef'] as const;

const REMOVED: Readonly<Record<ValueType, readonly string[]>> = {
  string: ['contentEncoding', 'contentMediaType', 'contentSchema'],
  number: ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['multipleOf'],
  boolean: [],
  array: ['uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'],
  object: [
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'unevaluatedProperties',
    'dependentRequired',
    'dependentSchemas',
  ],
};

const KEPT: Readonly<Record<ValueType, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
};

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time', 'enum'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

function removeFor(node: JsonObject, type: ValueType, context: NodeContext): void {
  for (const keyword of REMOVED[type]) {
    const value = node[keyword];
    if (value !== undefined && !isNeutral(node, keyword)) {
      context.report(keyword, 'wider');
      context.notes.push(keywordNote(keyword, value));
    }
  }
}

function isUsable(keyword: string, value: Json | undefined): boolean {
  return keyword === 'pattern' ? typeof value === 'string' : typeof value === 'number';
}

function emitEnum(
  node: JsonObject,
  type: ValueType,
  values: readonly Json[],
  context: NodeContext,
): string[] | undefined {
  const own = values.filter((value) => isOfType(value, type));
  if (type === 'string') {
    const filled = stringsOf(own).filter((value) => value !== '');
    if (filled.length < own.length) {
      // An empty string in `enum` is refused [G §3.1].
      context.report('enum', filled.length === 0 ? 'wider' : 'narrower');
      context.notes.push('empty string allowed');
    }
    return filled.length === 0 ? undefined : filled;
  }
  if (type !== 'boolean' || new Set(own).size < 2) {
    context.report(Object.hasOwn(node, 'const') ? 'const' : 'enum', 'wider');
    context.notes.push(valuesNote(own));
  }
  return undefined;
}

function emitFormat(out: JsonObject, node: JsonObject, type: ValueType, context: NodeContext): void {
  const { format } = node;
  if (typeof format !== 'string') {
    return;
  }
  const kept = FORMATS[type]?.includes(format) === true;
  if (kept && (format !== 'enum' || out.enum !== undefined)) {
    out.format = format;
  } else if (format !== 'enum') {
    if (!isNeutral({ ...node, type }, 'format')) context.report('format', 'wider');
    context.notes.push(keywordNote('format', format));
  }
}

/** Whole numbers have a next one, so their exclusive bounds become inclusive. */
function shiftBounds(out: JsonObject, node: JsonObject, context: NodeContext): void {
  const bounds = [
    ['exclusiveMinimum', 'minimum', (value: number) => Math.floor(value) + 1, Math.max],
    ['exclusiveMaximum', 'maximum', (value: number) => Math.ceil(value) - 1, Math.min],
  ] as const;
  for (const [exclusive, inclusive, shift, tighter] of bounds) {
    const value = node[exclusive];
    if (typeof value !== 'number') {
      continue;
    }
    const shifted = shift(value);
    if (!Number.isSafeInteger(shifted)) {
      context.report(exclusive, 'wider');
      context.notes.push(keywordNote(exclusive, value));
      continue;
    }
    const other = out[inclusive];
    out[inclusive] = typeof other === 'number' ? tighter(other, shifted) : shifted;
  }
}

function emitItems(out: JsonObject, node: JsonObject, listed: boolean, context: NodeContext): void {
  const tuple = tupleAsList(node);
  if (tuple !== undefined) {
    if (tuple.wider) context.report('prefixItems', 'wider');
    if (tuple.narrower || tuple.assumed) context.report('prefixItems', 'narrower');
    setBound(out, 'minItems', tuple.minItems);
    setBound(out, 'maxItems', tuple.maxItems);
  }
  const source = tuple === undefined ? node.items : tuple.items;
  const items = isObject(source) ? context.child(source, tuple === undefined ? 'items' : 'prefixItems') : undefined;
  if (source === false || (isObject(source) && items === undefined)) {
    setBound(out, 'maxItems', 0);
  } else if (items === undefined && !listed) {
    context.report('items', 'narrower');
  }
  // ARRAY without `items` is refused [G §3.1].
  out.items = items ?? { type: 'STRING' };
}

function setBound(out: JsonObject, keyword: string, value: Json | undefined): void {
  if (typeof value === 'number') {
    out[keyword] = value;
  }
}

function orderedNames(node: JsonObject, properties: JsonObject): string[] {
  const names = Object.keys(properties);
  const wanted = stringsOf(node.propertyOrdering).filter((name) => Object.hasOwn(properties, name));
  return wanted.length === 0 ? names : [...new Set([...wanted, ...names])];
}

function emitProperties(out: JsonObject, node: JsonObject, context: NodeContext): void {
  const source = isObject(node.properties) ? node.properties : {};
  const properties: JsonObject = {};
  for (const name of Object.keys(source)) {
    const property = context.child(ownValue(source, name), join('properties', name));
    if (property === undefined) {
      context.report('properties', 'wider');
    } else {
      setKey(properties, name, property);
    }
  }
  const required = [...new Set(stringsOf(node.required))];
  const missing = required.filter((name) => !Object.hasOwn(properties, name));
  if (missing.length > 0) {
    // A name in `required` must be a property of the same node [G §3.1].
    context.report('required', 'wider');
    context.notes.push(keywordNote('required', missing.join(', ')));
  }
  if (Object.keys(properties).length === 0) {
    return;
  }
  out.properties = properties;
  const kept = required.filter((name) => Object.hasOwn(properties, name));
  if (kept.length > 0) {
    out.required = kept;
  }
  out.propertyOrdering = orderedNames(node, properties);
}

function emitExample(out: JsonObject, node: JsonObject, type: ValueType, context: NodeContext): void {
  const examples = Array.isArray(node.examples) ? node.examples : [];
  const given = node.example === undefined ? examples : [node.example];
  const fitting = given.filter((value) => isOfType(value, type));
  if (fitting.length > 0) {
    setKey(out, 'example', fitting[0]);
  }
  if (given.length > 1) {
    context.report('examples', 'same');
  }
}

/** Whether the allowed values, if there are any, are no lists but lists of strings. */
function listsStrings(values: readonly Json[] | undefined): boolean {
  return (
    values?.every((value) => !Array.isArray(value) || value.every((element) => typeof element === 'string')) === true
  );
}

function emitKeywords(
  out: JsonObject,
  node: JsonObject,
  type: ValueType,
  values: readonly Json[] | undefined,
  context: NodeContext,
): void {
  for (const keyword of KEPT[type]) {
    if (isUsable(keyword, node[keyword])) {
      setKey(out, keyword, node[keyword]);
    }
  }
  emitFormat(out, node, type, context);
  switch (type) {
    case 'integer':
      shiftBounds(out, node, context);
      return;
    case 'array':
      emitItems(out, node, listsStrings(values), context);
      return;
    case 'object':
      emitProperties(out, node, context);
      return;
    case 'string':
    case 'number':
    case 'boolean':
      return;
  }
}

/** One node of one type; keywords that say nothing about that type are left out. */
export function emitTyped(
  node: JsonObject,
  type: ValueType,
  nullable: boolean,
  values: readonly Json[] | undefined,
  context: NodeContext,
): JsonObject {
  const out: JsonObject = { type: type.toUpperCase() };
  if (nullable) out.nullable = true;
  if (typeof node.title === 'string') out.title = node.title;
  const allowed = values === undefined ? undefined : emitEnum(node, type, values, context);
  if (allowed !== undefined) out.enum = allowed;
  emitKeywords(out, node, type, values, context);
  removeFor(node, type, context);
  if (node.default !== null) setKey(out, 'default', node.default);
  emitExample(out, node, type, context);
  const description = withNotes(node.description, context.notes);
  if (description !== undefined) out.description = description;
  return out;
}
