import type { SchemaField } from '../../api/schemas.js';

/** Where request bodies hold schemas; JSON Schema has fields of its own. */
export const schemaFields: readonly SchemaField[] = [
  { path: ['tools', '*', 'functionDeclarations', '*'], key: 'parameters', as: 'parametersJsonSchema' },
  { path: ['tools', '*', 'functionDeclarations', '*'], key: 'parametersJsonSchema' },
  { path: ['generationConfig'], key: 'responseSchema', as: 'responseJsonSchema' },
  { path: ['generationConfig'], key: 'responseJsonSchema' },
];
