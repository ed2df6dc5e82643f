import { NO_THINKING, OPENAI_NAMES } from '../target/profile.js';
import { always, type ModelRow, onDemand, PICTURES, REFUSES, reasons, type ServerRow } from './row.js';

const CLASSIC = {
  flags: { sampling: ['no-topK'], thinking: NO_THINKING, maxOutput: undefined },
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
const NEWEST_OPENAI = {
  flags: { ...NEWER, sampling: SIXTH_STRICT.flags.sampling, thinking: SIXTH.flags.thinking },
  server: SILENCED,
} as const satisfies Omit<ModelRow, 'prefix'>;

/** Families of the vendor of the protocol [H §2.1, §2.3, §10.2], with the output caps it publishes. */
export const OPENAI_MODELS = [
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
  { prefix: 'gpt-5-pro', flags: { sampling: ['none'], thinking: always('high'), maxOutput: 272_000 }, server: EFFORT },
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
] as const satisfies readonly ModelRow[];

/** The chat server of the vendor of the protocol. */
export const OPENAI_CHAT = {
  names: OPENAI_NAMES,
  flags: { ...PICTURES, ...NEWEST_OPENAI.flags, strictTools: true },
  server: {
    maxTokensField: 'max_completion_tokens',
    systemMessages: 'many',
    developerRole: true,
    assistantLast: true,
    assistantParts: true,
    argsMustParse: false,
    fileParts: 'data',
    allowedTools: true,
    vendorFields: true,
    promptCacheKey: true,
    reasoningReplay: 'never',
    ...NEWEST_OPENAI.server,
  },
  models: OPENAI_MODELS,
  keeps: REFUSES,
} as const satisfies ServerRow;
