import type { ServerFlags } from '../../target/server-words.js';
import type { Profile } from '../../target/words.js';

/** The manners of an unknown server [H §10.1, last column; translation.md 2.1 H3]. */
export const UNKNOWN_SERVER: ServerFlags = {
  maxTokensField: 'max_tokens',
  readsNewerCap: true,
  systemMessages: 'one',
  developerRole: false,
  alternation: false,
  assistantAfterTool: false,
  assistantLast: false,
  // Some refuse `null` where a text may stand; that there is none is said by leaving it out [H §3.4].
  emptyContent: 'omit',
  assistantParts: false,
  textParts: true,
  argsMustParse: true,
  idRule: 'short',
  maxTools: 128,
  imageParts: true,
  fileParts: 'none',
  audioParts: 'none',
  videoParts: false,
  toolChoice: 'all',
  toolChoiceThinking: 'all',
  requiredWord: 'required',
  allowedTools: false,
  customTools: false,
  parallelField: true,
  webSearch: 'none',
  stopMax: 4,
  streamUsage: true,
  logprobs: true,
  seedField: 'seed',
  maxTemperature: 2,
  vendorFields: false,
  promptCacheKey: false,
  plainSchemas: false,
  strictBody: false,
  reasoningControl: 'none',
  strictEfforts: false,
  reasoningFormat: false,
  clearThinking: false,
  reasoningReplay: 'own',
  reasoningField: 'any',
  emptyReasoning: 'empty',
  toolsWithReasoning: true,
  functionTools: true,
  inlineThink: 'no',
  usageForm: 'standard',
  prefillForm: 'plain',
};

/** How the server of a profile speaks; one without flags is unknown. */
export function serverFlags({ server = UNKNOWN_SERVER }: Pick<Profile, 'server'>): ServerFlags {
  return server;
}
