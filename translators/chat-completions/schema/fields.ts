import type { SchemaField } from '../../api/schemas.js';

/** Where request bodies hold schemas. */
export const schemaFields: readonly SchemaField[] = [
  { path: ['tools', '*', 'function'], key: 'parameters' },
  { path: ['functions', '*'], key: 'parameters' },
  { path: ['response_format', 'json_schema'], key: 'schema' },
];
