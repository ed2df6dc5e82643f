import type { TranslatorDialect } from '../dialect.js';
import { generateContentBackend } from './backend.js';
import { generateContentClient } from './client.js';
import { relayedEnd, relayedFacts } from './edge/relayed.js';
import type { DIALECT } from './nodes.js';

/** The generateContent dialect, as translators take it. */
export const generateContent: TranslatorDialect<typeof DIALECT> = {
  ...generateContentClient,
  ...generateContentBackend,
  isTerminal,
  relayedEnd,
  relayedFacts,
};

/** A key stands in quotes and is never escaped, so that a text which only speaks of one does not count. */
function isTerminal(_event: string, data: string): boolean {
  return data.includes('"finishReason"') || data.includes('"blockReason"') || /^\s*\{\s*"error"\s*:/.test(data);
}
