import { schema, schemaWithTools } from './formats.js';
import { counting, errors, results } from './history.js';
import { documents, pictures } from './media.js';
import { stream } from './plain.js';
import type { Question } from './question.js';
import { largeCap, prefill, settings, twoAnswers } from './settings.js';
import { adaptive, levels, thinking } from './thinking.js';
import { allowed, choices, strictTools, vendorTools } from './tools.js';

export { greet, quiet } from './plain.js';

/** What endpoints are asked beside a plain text, in the order of how much it matters: the calls may be spent before the end. */
export const QUESTIONS: readonly Question[] = [
  choices,
  stream,
  schema,
  thinking,
  pictures,
  results,
  largeCap,
  counting,
  allowed,
  schemaWithTools,
  settings,
  vendorTools,
  levels,
  adaptive,
  prefill,
  documents,
  strictTools,
  twoAnswers,
  errors,
];
