import { tableOf } from '../support/dialects/index.js';

export const ANSWER_TYPES = tableOf('answerTypes');

export const REQUIRED = tableOf('requiredMembers');
