export { withSchemaBudget } from './budget.js';
export {
  describeChanges,
  type SchemaChange,
} from './change.js';
export { foldRootCombinators } from './fold.js';
export { hoistRefs } from './hoist-refs.js';
export { inlineRefs } from './inline-refs.js';
export { forJsonSchemaField, fromJsonSchemaField } from './json-schema-field.js';
export { isRecursive } from './refs.js';
export { messagesToolSchema, objectRoot, type RootResult, type RootRules, unwrapValue, wrapValue } from './root.js';
export { toSchemaSubset } from './schema-subset.js';
export { toCurrentShape } from './shape.js';
export { countOptional, removeAddedNulls, type StrictResult, toStrictMessages, toStrictResponses } from './strict.js';
export { fromSchemaSubset } from './subset-reader.js';
export { isZodSchema, schemaFromZod } from './zod.js';
