export { removeAddedNulls } from './added-nulls.js';
export { mergeAllOf } from './all-of.js';
export { spendNode, withSchemaBudget } from './budget.js';
export {
  type ChangeEffect,
  describeChanges,
  type ObjectSchemaResult,
  type SchemaChange,
  type SchemaResult,
} from './change.js';
export { addsNulls, encodeStrictSchema, type StrictResult, wrapsRoot } from './closed.js';
export { foldRootCombinators } from './fold.js';
export { hoistRefs } from './hoist-refs.js';
export { inlineRefs } from './inline-refs.js';
export {
  compact,
  isObject,
  type Json,
  type JsonObject,
  ownValue,
  sameJson,
  setKey,
  stringsOf,
  without,
} from './json.js';
export { ANNOTATIONS, DEFINITIONS, keywords, OPENING, OUTER_ONLY, TYPED_KEYWORDS, type TypeName } from './keywords.js';
export { isAny, isNeutral } from './neutral.js';
export { joinDescriptions, keywordNote, valuesNote, withNotes } from './notes.js';
export { encodePlainSchema } from './plain.js';
export { rawSchema, withoutDialect } from './raw.js';
export { createResolver, dereferenced, isRecursive, type Resolver, refSiblings } from './refs.js';
export { objectRoot, type RootResult, type RootRules, unwrapValue, wrapValue } from './root.js';
export { toCurrentShape } from './shape.js';
export {
  alternativesOf,
  createProjection,
  type Described,
  descend,
  type Projection,
  projection,
  type Report,
} from './strict.js';
export { tupleAsList } from './tuple.js';
export {
  allowedValues,
  declaredTypes,
  impliedType,
  isExclusive,
  isOfType,
  standardType,
  typeKeyword,
  typesOfValues,
  type ValueType,
  withoutVacuous,
} from './types.js';
export { distribute, type Union, unionOf } from './unions.js';
export { eachNode, MAX_LEVELS, MAX_NODES, mapChildren } from './walk.js';
export { asJson, isZod3, isZod4, type SchemaLibrary, selfDescribing, ZOD_OPTIONS } from './zod.js';
