import type { SchemaField } from '../../api/schemas.js';

/** Where request bodies hold schemas. */
export const schemaFields: readonly SchemaField[] = [
  { path: ['tools', '*'], key: 'input_schema' },
  { path: ['output_config', 'format'], key: 'schema' },
  { path: ['output_format'], key: 'schema' },
];
