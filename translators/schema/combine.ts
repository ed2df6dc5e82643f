import { commonValues, isObject, type Json, type JsonObject, sameJson, stringsOf } from './json.js';
import { keywords, type TypeName } from './keywords.js';
import { declaredTypes, typeKeyword } from './types.js';

/** Nothing can match (`never`), or one schema cannot express it (`conflict`). */
export type Unmerged = 'never' | 'conflict';

type Combine = (left: Json | undefined, right: Json | undefined) => Json | undefined;

function commonTypes(left: readonly TypeName[], right: readonly TypeName[]): Json | undefined {
  const types: TypeName[] = [];
  for (const type of left) {
    if (right.includes(type) || (type === 'integer' && right.includes('number'))) {
      types.push(type);
    } else if (type === 'number' && right.includes('integer')) {
      types.push('integer');
    }
  }
  return types.length === 0 ? 'never' : typeKeyword([...new Set(types)]);
}

function extreme(pick: (...values: number[]) => number): Combine {
  return (left, right) => (typeof left === 'number' && typeof right === 'number' ? pick(left, right) : 'conflict');
}

function commonMultiple(left: Json | undefined, right: Json | undefined): Json | undefined {
  if (typeof left !== 'number' || typeof right !== 'number' || !Number.isInteger(left) || !Number.isInteger(right)) {
    return 'conflict';
  }
  return left % right === 0 ? left : right % left === 0 ? right : 'conflict';
}

function commonEnum(left: Json | undefined, right: Json | undefined): Json | undefined {
  if (!Array.isArray(left) || !Array.isArray(right)) {
    return 'conflict';
  }
  const common = commonValues(left, right);
  return common.length === 0 ? 'never' : common;
}

function unitedDefinitions(left: Json | undefined, right: Json | undefined): Json | undefined {
  if (!isObject(left) || !isObject(right)) {
    return 'conflict';
  }
  const clash = Object.keys(right).some((name) => Object.hasOwn(left, name) && !sameJson(left[name], right[name]));
  return clash ? 'conflict' : { ...left, ...right };
}

/** Every keyword of `list` with one rule. */
function ruled(list: string, rule: Combine): Readonly<Record<string, Combine>> {
  return Object.fromEntries([...keywords(list)].map((keyword) => [keyword, rule]));
}

/** How two different values of one keyword become one that demands both. */
const COMBINE: Readonly<Record<string, Combine>> = {
  required: (left, right) => [...new Set([...stringsOf(left), ...stringsOf(right)])],
  enum: commonEnum,
  multipleOf: commonMultiple,
  uniqueItems: (left, right) => left === true || right === true,
  ...ruled('const', () => 'never'),
  ...ruled('minimum exclusiveMinimum minLength minItems minProperties', extreme(Math.max)),
  ...ruled('maximum exclusiveMaximum maxLength maxItems maxProperties', extreme(Math.min)),
  ...ruled('$defs definitions', unitedDefinitions),
  // Of other keywords of a vocabulary two different values cannot become one.
  ...ruled('$ref $dynamicRef $anchor $dynamicAnchor not anyOf oneOf pattern format', () => 'conflict'),
  ...ruled('contentEncoding contentMediaType contentSchema', () => 'conflict'),
  ...ruled('patternProperties dependentRequired dependentSchemas dependencies', () => 'conflict'),
};

/** The value of a keyword that demands what both nodes do; of a keyword that nobody knows that of `left`. */
export function combinedKeyword(left: JsonObject, right: JsonObject, keyword: string): Json | undefined {
  const rule = Object.hasOwn(COMBINE, keyword) ? COMBINE[keyword] : undefined;
  return rule === undefined ? left[keyword] : rule(left[keyword], right[keyword]);
}

/** `type` of two nodes that both declare one; `nullable` is counted in. */
export function combinedType(left: JsonObject, right: JsonObject): Json | undefined {
  const types = declaredTypes(left);
  const others = declaredTypes(right);
  return types && others ? commonTypes(types, others) : (typeKeyword(types ?? others ?? []) ?? 'conflict');
}
