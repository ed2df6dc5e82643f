import { join } from '../wire/pointer.js';
import { mergeAllOf } from './all-of.js';
import { spendNode } from './budget.js';
import type { ObjectSchemaResult, SchemaChange } from './change.js';
import { hoistRefs } from './hoist-refs.js';
import { compact, isObject, type Json, type JsonObject, only, sameJson, setKey, stringsOf, without } from './json.js';
import { ANNOTATIONS, DEFINITIONS, OPENING, OUTER_ONLY } from './keywords.js';
import { withNotes } from './notes.js';
import { createResolver, dereferenced, type Resolver } from './refs.js';
import { declaredTypes, isExclusive } from './types.js';
import { distribute, UNION_KEYS, unionOf } from './unions.js';

const COMBINATORS = ['allOf', 'anyOf', 'oneOf'] as const;
const FOLD_DEPTH = 16;
const MAX_ALTERNATIVES = 2_000;
/** Keywords of an alternative that the folded root states in its own way. */
const FOLDED: ReadonlySet<string> = new Set(['properties', 'required', 'type', ...ANNOTATIONS]);

interface Folding {
  resolve: Resolver;
  changes: SchemaChange[];
  /** How many alternatives may still be looked at: definitions that name each other multiply them. */
  left: number;
  /** An alternative admits more than objects; no matter for arguments, which are nothing else. */
  loose: boolean;
}

/** Whether a schema has a combinator at its root. */
export function hasRootCombinator(schema: JsonObject): boolean {
  return COMBINATORS.some((key) => Object.hasOwn(schema, key));
}

/** How many forms of one property are distinguished; the forms beyond these stay as they are. */
const COMPARED_VARIANTS = 48;

/** What a property is in the alternatives that declare it. */
interface Declared {
  readonly variants: Json[];
  /** Alternatives that admit undeclared properties and declare this one. */
  open: number;
}

function declaredProperties(alternatives: readonly JsonObject[]): Map<string, Declared> {
  const declared = new Map<string, Declared>();
  for (const alternative of alternatives) {
    const properties = isObject(alternative.properties) ? alternative.properties : {};
    for (const [name, variant] of Object.entries(properties)) {
      const known = declared.get(name) ?? { variants: [], open: 0 };
      declared.set(name, known);
      if (isOpen(alternative)) known.open += 1;
      const { variants } = known;
      const compared = variants.length <= COMPARED_VARIANTS ? variants : [];
      if (variant !== undefined && !compared.some((earlier) => sameJson(earlier, variant))) variants.push(variant);
    }
  }
  return declared;
}

/** An alternative that does not mention a property lets it be anything, unless it is closed. */
function isOpen(alternative: JsonObject): boolean {
  return alternative.additionalProperties !== false;
}

/** The properties that every alternative requires. */
function requiredByAll(alternatives: readonly JsonObject[]): string[] {
  const counts = new Map<string, number>();
  for (const alternative of alternatives) {
    for (const name of new Set(stringsOf(alternative.required))) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return stringsOf(alternatives[0]?.required).filter((name) => counts.get(name) === alternatives.length);
}

function alternativesNote(alternatives: readonly JsonObject[], common: readonly string[]): string[] {
  const shared = new Set(common);
  const needs = alternatives.map(({ title, required }) => {
    const own = stringsOf(required).filter((name) => !shared.has(name));
    const label = typeof title === 'string' ? `${title}: ` : '';
    return `${label}${own.length === 0 ? 'nothing more' : own.join(', ')}`;
  });
  const different = [...new Set(needs)];
  return different.length === 1 ? [] : [`required in addition, by alternative: ${different.join(' | ')}`];
}

/** Whether a keyword that closes an object would be there without what opens it in some of the alternatives. */
function losesOpening(alternatives: readonly JsonObject[], keyword: string): boolean {
  if (keyword !== 'additionalProperties' && keyword !== 'unevaluatedProperties') return false;
  const [first, ...others] = alternatives;
  return OPENING[keyword].some((key) => others.some((alternative) => !sameJson(alternative[key], first?.[key])));
}

/** One object schema for several: every property, required only what all require. */
function unite(folding: Folding, outer: JsonObject, alternatives: readonly JsonObject[]): JsonObject {
  const [first, ...others] = alternatives;
  const required = requiredByAll(alternatives);
  const open = alternatives.filter(isOpen).length;
  const properties: JsonObject = {};
  for (const [name, declared] of declaredProperties(alternatives)) {
    const { variants } = declared;
    setKey(properties, name, variants.length === 1 ? variants[0] : { anyOf: variants });
    if (declared.open < open) {
      folding.changes.push({ keyword: 'anyOf', effect: 'narrower', pointer: join('/properties', name) });
    }
  }
  const shared = Object.entries(without(first ?? {}, FOLDED)).filter(
    ([key, value]) =>
      others.every((alternative) => sameJson(value, alternative[key])) && !losesOpening(alternatives, key),
  );
  return compact({
    ...only(outer, ANNOTATIONS),
    description: withNotes(outer.description, alternativesNote(alternatives, required)),
    type: 'object',
    ...Object.fromEntries(shared),
    properties,
    required: required.length > 0 ? required : undefined,
  });
}

/** An alternative as one object schema; undefined when it is no object, `'null'` when it is null only. */
function objectAlternative(folding: Folding, schema: Json, depth: number): JsonObject | 'null' | undefined {
  if (!isObject(schema)) {
    return undefined;
  }
  const types = declaredTypes(schema);
  if (types?.length === 1 && types[0] === 'null') {
    return 'null';
  }
  const folded = foldNode(folding, schema, depth + 1);
  const limited = folded !== undefined && (Object.hasOwn(folded, 'enum') || Object.hasOwn(folded, 'const'));
  const isObjectSchema = folded !== undefined && declaredTypes({ type: 'object', ...folded })?.includes('object');
  return limited || isObjectSchema !== true ? undefined : folded;
}

/** The alternatives of a union as plain object schemas; undefined when one of them is no object. */
function objectAlternatives(folding: Folding, node: JsonObject, depth: number): JsonObject[] | undefined {
  const branches = (unionOf(node)?.branches ?? []).map((branch) => dereferenced(branch, folding.resolve) ?? true);
  const alternatives: JsonObject[] = [];
  for (const { schema, lost } of distribute(without(node, DEFINITIONS), branches)) {
    folding.left -= 1;
    const alternative =
      folding.left < 0 || !spendNode() ? undefined : objectAlternative(folding, schema ?? true, depth);
    if (alternative === undefined) {
      return undefined;
    }
    if (lost) {
      folding.changes.push({ keyword: 'anyOf', effect: 'wider', pointer: '' });
    }
    folding.loose ||= alternative === 'null' || alternative.type !== 'object';
    if (alternative !== 'null') {
      alternatives.push(alternative);
    }
  }
  return alternatives.length === 0 ? undefined : alternatives;
}

function foldNode(folding: Folding, schema: JsonObject, depth: number): JsonObject | undefined {
  const plain = dereferenced(schema, folding.resolve);
  if (!isObject(plain) || depth > FOLD_DEPTH) {
    return undefined;
  }
  const { node, dropped } = mergeAllOf(plain);
  if (dropped.length > 0) {
    folding.changes.push({ keyword: 'allOf', effect: 'wider', pointer: '' });
  }
  const union = unionOf(node);
  if (union === undefined) {
    return without(node, UNION_KEYS);
  }
  // Of two unions one goes, and with it what it evaluates.
  const alternatives = objectAlternatives(folding, union.both ? without(node, OUTER_ONLY) : node, depth);
  if (alternatives === undefined) {
    return undefined;
  }
  if (union.both || (union.key === 'oneOf' && !isExclusive(union.branches, (ref) => folding.resolve(ref)?.schema))) {
    folding.changes.push({ keyword: 'oneOf', effect: 'wider', pointer: '' });
  }
  const [single, ...others] = alternatives;
  if (single !== undefined && others.length === 0) {
    return { ...single, ...only(node, ANNOTATIONS) };
  }
  folding.changes.push({ keyword: union.key, effect: 'wider', pointer: '' });
  return unite(folding, node, alternatives);
}

/**
 * An object schema without `allOf`, `anyOf` and `oneOf` at its root, which [M §3.21] refuses there: `allOf` is merged;
 * of a union the properties of all alternatives stay, those that every alternative requires stay required, and the
 * rest is in the description. Undefined when an alternative is not an object; in an answer, which need not be an
 * object, also when one could be something else.
 */
export function foldRootCombinators(
  schema: JsonObject,
  of: 'arguments' | 'answer' = 'arguments',
): ObjectSchemaResult | undefined {
  if (!hasRootCombinator(schema)) {
    return { schema, changes: [] };
  }
  const root = hoistRefs(schema, true);
  const folding: Folding = { resolve: createResolver(root), changes: [], left: MAX_ALTERNATIVES, loose: false };
  const folded = foldNode(folding, root, 0);
  if (folded === undefined || (folding.loose && of === 'answer')) {
    return undefined;
  }
  return { schema: { ...folded, ...only(root, DEFINITIONS) }, changes: folding.changes };
}
