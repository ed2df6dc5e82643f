import { NO_THINKING, SAMPLING_DEFAULTS } from '../../target/profile.js';
import type { ServerFlags } from '../../target/server-words.js';
import type { Profile } from '../../target/words.js';
import { UNKNOWN_SERVER } from './flags.js';

/** An unknown model at an unknown server [H §10.1, last column; translation.md 2.1 H3]. */
export const UNKNOWN_PROFILE: Profile = {
  sampling: ['no-topK'],
  samplingDefaults: SAMPLING_DEFAULTS,
  thinking: NO_THINKING,
  prefill: false,
  midSystem: false,
  strictTools: false,
  schemaOutput: true,
  jsonMode: true,
  schemaWithTools: true,
  jsonSchemaField: true,
  functionIds: true,
  toolResultMedia: false,
  mixHosted: 'free',
  forcedWithThinking: true,
  signatures: 'advisory',
  systemField: true,
  instructionsField: 'optional',
  urlMedia: [],
  cacheMarks: 0,
  cacheBreakpoints: false,
  outputMedia: [],
  partResolution: false,
  toolTypes: {},
};

/** Those of a server that somebody has looked at, where its row says nothing else. */
export const KNOWN_SERVER: ServerFlags = { ...UNKNOWN_SERVER, emptyContent: 'null' };

const MISTRAL = { idRule: 'nine', assistantAfterTool: true } as const;

/**
 * Flags that go with the weights or the template of a model, whichever server it runs on [H §10.3]. Whether there may be
 * several system messages is not among them: servers that are known to take several arrange them for every template, and
 * all others are given one.
 */
export const FAMILIES = [
  ...(['mistral', 'ministral', 'devstral', 'codestral', 'magistral', 'pixtral', 'voxtral', 'mixtral'] as const).map(
    (prefix) => ({ prefix, server: MISTRAL }),
  ),
  { prefix: 'open-mistral', server: MISTRAL },
  { prefix: 'open-mixtral', server: MISTRAL },
  { prefix: 'kimi', server: { reasoningReplay: 'must', toolChoiceThinking: 'auto' } },
  { prefix: 'kimi-k3', server: { reasoningReplay: 'must', toolChoiceThinking: 'noNamed' } },
  { prefix: 'deepseek', server: { reasoningReplay: 'must-with-tools', toolChoiceThinking: 'auto' } },
  // Older ones know no reasoning in a history, and the first of the reasoning ones refuses it [H §8.1].
  { prefix: 'deepseek-coder', server: {} },
  { prefix: 'deepseek-v2', server: {} },
  { prefix: 'deepseek-v2.5', server: {} },
  { prefix: 'deepseek-v3', server: {} },
  { prefix: 'deepseek-v3.1', server: {} },
  { prefix: 'deepseek-v3.2', server: { reasoningReplay: 'must-with-tools', toolChoiceThinking: 'auto' } },
  { prefix: 'deepseek-r1', server: { reasoningReplay: 'never', toolChoiceThinking: 'auto', inlineThink: 'open' } },
  { prefix: 'minimax', server: { inlineThink: 'forcedOpen' } },
  { prefix: 'qwen3', server: { inlineThink: 'open' } },
  { prefix: 'qwen3.', server: { inlineThink: 'open' } },
  { prefix: 'qwen3-coder', server: { toolChoice: 'auto', toolChoiceThinking: 'auto' } },
  { prefix: 'qwen-3-coder', server: { toolChoice: 'auto', toolChoiceThinking: 'auto' } },
  { prefix: 'qwq', server: { inlineThink: 'open' } },
  { prefix: 'gpt-oss', server: { toolChoice: 'auto', toolChoiceThinking: 'auto' } },
  { prefix: 'gemma', server: { alternation: true } },
  { prefix: 'o1-mini', server: { systemMessages: 'none' } },
] as const satisfies readonly { readonly prefix: string; readonly server: Partial<ServerFlags> }[];
