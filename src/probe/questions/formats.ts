import { fitsSchema, PROMPTS } from '../asks.js';
import { ask, note, type Talk } from '../talk.js';
import type { Question } from './question.js';

async function bySchema(talk: Talk, row: 'schema' | 'schemaWithTools', tools: boolean): Promise<void> {
  const outcome = await ask(talk, { prompt: PROMPTS.greeting, schema: true, ...(tools && { tools, choice: 'auto' }) });
  if (outcome === undefined) return;
  if (outcome.kind !== 'answer')
    return note(talk, row, outcome.kind === 'refused' ? 'refused' : 'undecided', outcome.words);
  const { text, isCut, calls, thoughts } = outcome.parsed;
  if (fitsSchema(text, isCut)) return note(talk, row, 'holds');
  if (calls.length > 0) return note(talk, row, 'undecided', 'a tool was called');
  if (text.trim() === '' && (isCut || thoughts !== ''))
    return note(talk, row, 'undecided', 'no text came before the cap');
  note(talk, row, 'ignored', 'the answer does not fit the schema');
}

/** An answer by a schema of which the prompt does not speak. */
export const schema: Question = { rows: ['schema'], ask: (talk) => bySchema(talk, 'schema', false) };

export const schemaWithTools: Question = {
  rows: ['schemaWithTools'],
  ask: (talk) => bySchema(talk, 'schemaWithTools', true),
};
