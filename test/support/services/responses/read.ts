import { type JsonObject, objectOf, stringsOf } from '../../../../src/simulator/rules/index.js';
import type { ReasoningShow } from './items.js';

/** Which reasoning the answer shows: summaries when asked for, state when asked for or needed [R §2.2, §2.4]. */
export function readShow(body: JsonObject): ReasoningShow {
  const { summary, generate_summary } = objectOf(body.reasoning);
  return {
    summary: typeof (summary ?? generate_summary) === 'string',
    encrypted: body.store === false || stringsOf(body.include).includes('reasoning.encrypted_content'),
  };
}
