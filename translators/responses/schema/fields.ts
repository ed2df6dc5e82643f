import type { SchemaField } from '../../api/schemas.js';

/** Where request bodies hold schemas. */
export const schemaFields: readonly SchemaField[] = [
  { path: ['tools', '*'], key: 'parameters' },
  { path: ['tools', '*', 'tools', '*'], key: 'parameters' },
  { path: ['text', 'format'], key: 'schema' },
];
