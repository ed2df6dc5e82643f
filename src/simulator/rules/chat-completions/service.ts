import type { ServiceCheck } from '../service.js';
import { checkChatCompletions } from './rules.js';

export const chatCompletions: ServiceCheck = ({ body }) => checkChatCompletions(body);
