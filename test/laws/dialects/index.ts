import { type DialectId, dialectIds } from '../../../translators/index.js';
import { chatCompletions } from './chat-completions.js';
import { generateContent } from './generate-content.js';
import { messages } from './messages.js';
import type { LawDialect } from './record.js';
import { responses } from './responses.js';
import type { Trait } from './traits.js';

const records: Readonly<Record<DialectId, LawDialect>> = {
  messages,
  responses,
  generateContent,
  chatCompletions,
};

/**
 * One member of all records. It is looked up when it is used: files that have helpers of a record may ask for a table while
 * the records are still being loaded.
 */
export function lawTableOf<Key extends keyof LawDialect>(key: Key): Readonly<Record<DialectId, LawDialect[Key]>> {
  const table = {} as Readonly<Record<DialectId, LawDialect[Key]>>;
  for (const id of dialectIds) Object.defineProperty(table, id, { enumerable: true, get: () => records[id][key] });
  return table;
}

/** Whether the wire of a dialect has a trait. */
export function has(dialect: DialectId, trait: Trait): boolean {
  return records[dialect].traits.includes(trait);
}
