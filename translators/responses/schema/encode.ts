import type { SchemaField } from '../../api/schemas.js';

export { encodeStrictSchema, type StrictResult } from '../../schema/index.js';

/** Where request bodies hold schemas. */
export const schemaFields: readonly SchemaField[] = [
  { path: ['tools', '*'], key: 'parameters' },
  { path: ['tools', '*', 'tools', '*'], key: 'parameters' },
  { path: ['text', 'format'], key: 'schema' },
];
