import type { Effort } from '../../canonical/request.js';
import { NO_THINKING, SAMPLING_DEFAULTS } from '../../target/profile.js';
import type { ServerFlags } from '../../target/server-words.js';
import type { Profile, ThinkingProfile } from '../../target/words.js';

/** What is known of the models whose names begin with `prefix`; the longest prefix wins. */
export interface ModelRow {
  readonly prefix: string;
  readonly flags?: Partial<Profile>;
  readonly server?: Partial<ServerFlags>;
}

/** A model that reasons unless it is told not to, on these levels. */
export function reasons(...levels: readonly Effort[]): ThinkingProfile {
  return { control: 'effort', canDisable: true, levels, defaultOn: true, defaultLevel: 'medium', defaultShow: 'none' };
}

/** A model that cannot but reason, on these levels. */
export function always(...levels: readonly Effort[]): ThinkingProfile {
  return { ...reasons(...levels), canDisable: false };
}

/** A model that reasons when it is asked to, on these levels. */
export function onDemand(...levels: readonly Effort[]): ThinkingProfile {
  return { ...reasons(...levels), defaultOn: false };
}

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

/** The same for the manners of the server. */
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

/** Those of a server that somebody has looked at, where its row says nothing else. */
export const KNOWN_SERVER: ServerFlags = { ...UNKNOWN_SERVER, emptyContent: 'null' };

const CLASSIC = {
  flags: { sampling: ['no-topK'], thinking: NO_THINKING },
  server: { reasoningControl: 'none', customTools: false, toolsWithReasoning: true },
} as const satisfies Omit<ModelRow, 'prefix'>;

/** Models before `gpt-5`: no free-text tools. */
const O_SERIES = {
  flags: { sampling: ['none'], thinking: always('low', 'medium', 'high'), maxOutput: 100_000 },
  server: { reasoningControl: 'effort', customTools: false, toolsWithReasoning: true },
} as const satisfies Omit<ModelRow, 'prefix'>;

const SEARCH = { ...CLASSIC, server: { ...CLASSIC.server, webSearch: 'web_search_options' } } as const;
const SPEAKING = { ...CLASSIC, server: { ...CLASSIC.server, audioParts: 'base64' } } as const;

const EFFORT = { reasoningControl: 'effort', toolsWithReasoning: true } as const;
const NEWER = { sampling: ['no-topK', 'none-when-reasoning'], maxOutput: 128_000 } as const;

/** Functions are taken from it only while it does not reason [H §2.3]. */
const SILENCED = { reasoningControl: 'effort', toolsWithReasoning: false, customTools: true } as const;

/** Before the endpoint refused functions beside reasoning. */
const FIFTH = { flags: { ...NEWER, thinking: onDemand('low', 'medium', 'high', 'xhigh') }, server: EFFORT } as const;
/** The last of that generation: reasoning is on by default. */
const FIFTH_LATE = {
  flags: { ...NEWER, thinking: reasons('low', 'medium', 'high', 'xhigh') },
  server: SILENCED,
} as const;

/** Models with marks in the prompt where the cache may begin. */
const BREAKPOINTS = { cacheMarks: 4, cacheBreakpoints: true } as const;
const SIXTH_LEVELS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
/** Of the sixth generation those that can be kept from reasoning. */
const SIXTH = {
  flags: { ...NEWER, ...BREAKPOINTS, thinking: reasons(...SIXTH_LEVELS) },
  server: SILENCED,
} as const satisfies Omit<ModelRow, 'prefix'>;
/** Those that always reason, and so take no functions. */
const SIXTH_STRICT = {
  flags: { ...BREAKPOINTS, sampling: ['no-topK', 'none'], maxOutput: 128_000, thinking: always(...SIXTH_LEVELS) },
  server: { ...EFFORT, customTools: true, functionTools: false },
} as const satisfies Omit<ModelRow, 'prefix'>;

/**
 * What the vendor of the protocol serves; names that are newer are taken for the newest [H §2.3]. Of that nobody knows yet whether
 * it takes functions, so that it is kept from reasoning beside them, as most that refuse them want it.
 */
export const NEWEST_OPENAI = {
  flags: { ...NEWER, sampling: SIXTH_STRICT.flags.sampling, thinking: SIXTH.flags.thinking },
  server: SILENCED,
} as const satisfies Omit<ModelRow, 'prefix'>;

/** Families of the vendor of the protocol [H §2.1, §2.3, §10.2], with the output caps it publishes. */
export const OPENAI_MODELS: readonly ModelRow[] = [
  { prefix: 'gpt-3.5', ...CLASSIC, flags: { ...CLASSIC.flags, maxOutput: 4096, schemaOutput: false } },
  { prefix: 'gpt-4', ...CLASSIC },
  { prefix: 'gpt-4.5', ...CLASSIC, flags: { ...CLASSIC.flags, maxOutput: 16_384 } },
  { prefix: 'gpt-4o', ...CLASSIC, flags: { ...CLASSIC.flags, maxOutput: 16_384 } },
  { prefix: 'gpt-4o-search', ...SEARCH },
  { prefix: 'gpt-4o-mini-search', ...SEARCH },
  { prefix: 'gpt-4o-audio', ...SPEAKING },
  { prefix: 'gpt-4o-mini-audio', ...SPEAKING },
  { prefix: 'gpt-audio', ...SPEAKING },
  { prefix: 'gpt-4.1', ...CLASSIC, flags: { ...CLASSIC.flags, maxOutput: 32_768 } },
  { prefix: 'chatgpt-4o', ...CLASSIC, flags: { ...CLASSIC.flags, maxOutput: 16_384 } },
  { prefix: 'o1', ...O_SERIES },
  { prefix: 'o1-mini', ...O_SERIES, server: { ...O_SERIES.server, developerRole: false } },
  { prefix: 'o3', ...O_SERIES, server: { ...O_SERIES.server, stopMax: 0 } },
  { prefix: 'o4', ...O_SERIES, server: { ...O_SERIES.server, stopMax: 0 } },
  {
    prefix: 'gpt-5',
    flags: { sampling: ['none'], thinking: always('minimal', 'low', 'medium', 'high'), maxOutput: 128_000 },
    server: EFFORT,
  },
  { prefix: 'gpt-5-pro', flags: { sampling: ['none'], thinking: always('high') }, server: EFFORT },
  { prefix: 'gpt-5-chat', ...CLASSIC, flags: { ...CLASSIC.flags, maxOutput: 16_384 } },
  { prefix: 'gpt-5-search', ...SEARCH },
  { prefix: 'gpt-5.1', flags: { ...NEWER, thinking: onDemand('low', 'medium', 'high') }, server: EFFORT },
  { prefix: 'gpt-5.2', ...FIFTH },
  { prefix: 'gpt-5.3', ...FIFTH },
  { prefix: 'gpt-5.4', ...FIFTH, server: SILENCED },
  { prefix: 'gpt-5.5', ...FIFTH_LATE },
  { prefix: 'gpt-5.6', ...FIFTH_LATE, flags: { ...FIFTH_LATE.flags, ...BREAKPOINTS } },
  { prefix: 'gpt-6-astra', ...SIXTH_STRICT },
  { prefix: 'gpt-6-sol', ...SIXTH },
  { prefix: 'gpt-6-luna', ...SIXTH },
  { prefix: 'gpt-6.1-sol', ...SIXTH_STRICT },
  { prefix: 'gpt-6.1-terra', ...SIXTH },
  // Whether it takes functions nobody knows: it gets them, and says itself if not.
  { prefix: 'gpt-6.2', ...SIXTH_STRICT, server: { ...EFFORT, customTools: true } },
];

const MISTRAL = { idRule: 'nine', assistantAfterTool: true } as const;

/**
 * Flags that go with the weights or the template of a model, whichever server it runs on [H §10.3]. Whether there may be
 * several system messages is not among them: servers that are known to take several arrange them for every template, and
 * all others are given one.
 */
export const FAMILIES: readonly { readonly prefix: string; readonly server: Partial<ServerFlags> }[] = [
  ...['mistral', 'ministral', 'devstral', 'codestral', 'magistral', 'pixtral', 'voxtral', 'mixtral'].map((prefix) => ({
    prefix,
    server: MISTRAL,
  })),
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
];
