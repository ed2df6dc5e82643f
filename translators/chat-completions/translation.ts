import type { TranslatorDialect } from '../dialect.js';
import { chatCompletionsBackend } from './backend.js';
import { chatCompletionsClient } from './client.js';
import { isTerminal, relayedEnd, relayedFacts } from './edge/relayed.js';
import type { DIALECT } from './nodes.js';

/**
 * The dialect of `/v1/chat/completions` (protocols/chat-completions.md). Service roots hold the version, or whatever else a
 * server has before `/chat/completions` [H §1.1].
 */
export const chatCompletions: TranslatorDialect<typeof DIALECT> = {
  ...chatCompletionsClient,
  ...chatCompletionsBackend,
  isTerminal,
  relayedEnd,
  relayedFacts,
};
