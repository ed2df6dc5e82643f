import { type DialectId, dialectIds } from '../../../translators/index.js';
import { generateContent } from './generate-content.js';
import { messages } from './messages.js';
import type { TestDialect } from './record.js';
import { responses } from './responses.js';

const records = {
  messages,
  responses,
  generateContent,
} as const satisfies Record<DialectId, TestDialect>;

type Records = typeof records;

/**
 * One member of all records. It is looked up when it is used: files that have helpers of a record may ask for a table while
 * the records are still being loaded.
 */
export function tableOf<Key extends keyof TestDialect>(
  key: Key,
): { readonly [Dialect in DialectId]: Records[Dialect][Key] } {
  const table = {} as { readonly [Dialect in DialectId]: Records[Dialect][Key] };
  for (const id of dialectIds) Object.defineProperty(table, id, { enumerable: true, get: () => records[id][key] });
  return table;
}
