import type { AnswerRules } from '../../target/target.js';
import { clientTools } from '../tools/client.js';

/** What answers to clients of this dialect need of its rules. */
export const answerRules: AnswerRules = {
  errorFinishes: ['malformed_call', 'cancelled', 'failed'],
  emptyErrorFinishes: [],
  clientTools,
};
