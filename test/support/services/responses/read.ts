import { type JsonObject, objectOf, objectsOf, stringsOf } from '../json.js';
import type { ReasoningShow } from './items.js';

/** The input as items; a string is one user message. */
export function itemsOf(input: unknown): JsonObject[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : objectsOf(input);
}

/** Which reasoning the answer shows: summaries when asked for, state when asked for or needed [R §2.2, §2.4]. */
export function readShow(body: JsonObject): ReasoningShow {
  const { summary, generate_summary } = objectOf(body.reasoning);
  return {
    summary: typeof (summary ?? generate_summary) === 'string',
    encrypted: body.store === false || stringsOf(body.include).includes('reasoning.encrypted_content'),
  };
}
