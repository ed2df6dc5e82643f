import {
  isTakenForNewest,
  namesIn,
  OPENAI_NAMES,
  outputLimitIn,
  type ProfileChoice,
  type ProfileRow,
  type ProfileTable,
  REASONS_BY_EFFORT,
  resolveProfile,
  SAMPLING_DEFAULTS,
} from '../target/profile.js';
import type { Profile, ThinkingProfile } from '../target/words.js';

/** Of the vendor's newest models. */
const ALWAYS: ThinkingProfile = {
  control: 'effort',
  canDisable: false,
  levels: ['low', 'medium', 'high', 'xhigh', 'max'],
  defaultOn: true,
  defaultLevel: 'medium',
  defaultShow: 'none',
};

const HOSTED_TOOLS = {
  webSearch: 'web_search',
  codeExec: 'code_interpreter',
  imageGen: 'image_generation',
  mcp: 'mcp',
} as const;

/** The vendor's newest model: the strictest of the generation that it serves (translation.md 2.1, last column). */
const NEWEST: Profile = {
  minOutput: 16,
  sampling: ['none'],
  samplingDefaults: SAMPLING_DEFAULTS,
  thinking: ALWAYS,
  prefill: false,
  midSystem: true,
  strictTools: true,
  schemaOutput: true,
  jsonMode: true,
  schemaWithTools: true,
  jsonSchemaField: true,
  functionIds: true,
  toolResultMedia: true,
  mixHosted: 'free',
  forcedWithThinking: true,
  signatures: 'advisory',
  systemField: true,
  instructionsField: 'optional',
  urlMedia: ['image', 'document', 'file'],
  cacheMarks: 4,
  cacheBreakpoints: true,
  cacheKey: true,
  outputMedia: ['image'],
  partResolution: false,
  toolTypes: { ...HOSTED_TOOLS, computer: 'computer' },
};

/**
 * A model that nobody knows (configuration.md#profile-flags). Of what hosts differ in it has what all of them take: pictures
 * are neither fetched by them nor part of a call's result, and the least cap is the service's own, under which deployments
 * of it with names of their own refuse.
 */
const NEUTRAL: Profile = {
  ...NEWEST,
  sampling: [],
  thinking: REASONS_BY_EFFORT,
  strictTools: false,
  rawSchemas: true,
  toolResultMedia: false,
  urlMedia: [],
  cacheBreakpoints: false,
  cacheKey: false,
  outputMedia: [],
  toolTypes: HOSTED_TOOLS,
};

const PLAIN: ThinkingProfile = { control: 'none', canDisable: false, levels: [], defaultOn: false };

/** A family that always reasons, on these levels. */
function always(...levels: ThinkingProfile['levels']): ThinkingProfile {
  return { ...ALWAYS, levels };
}

/** A family whose reasoning can be switched off, and is on by default. */
function reasons(...levels: ThinkingProfile['levels']): ThinkingProfile {
  return { ...always(...levels), canDisable: true };
}

/** A family whose reasoning can be switched off, and is off by default. */
function onDemand(...levels: ThinkingProfile['levels']): ThinkingProfile {
  return { ...reasons(...levels), defaultOn: false };
}

/** Models before the computer tool. */
const CLASSIC = { sampling: [], thinking: PLAIN, cacheBreakpoints: false, toolTypes: HOSTED_TOOLS } as const;

/** Models whose reasoning is always on, before they took breakpoints of the cache. */
const FIRST = { sampling: ['none'], cacheBreakpoints: false, maxOutput: 128_000 } as const;

const O_SERIES = {
  ...FIRST,
  toolTypes: HOSTED_TOOLS,
  thinking: always('low', 'medium', 'high'),
  maxOutput: 100_000,
} as const;

/** Models that take sampling when they are told not to reason. */
const SWITCHED = { sampling: ['none-when-reasoning'], maxOutput: 128_000 } as const;
const FIFTH = {
  ...SWITCHED,
  cacheBreakpoints: false,
  thinking: onDemand('low', 'medium', 'high', 'xhigh'),
} as const;
/** Of the sixth generation those that can be kept from reasoning. */
const SIXTH = { ...SWITCHED, thinking: reasons('low', 'medium', 'high', 'xhigh', 'max') } as const;
/** The others, which are as strict as the newest. */
const STRICT = { maxOutput: 128_000 } as const;

/** The families the sheet knows [R §3.16, §3.17]; the longest prefix wins. */
export const ROWS = [
  { prefix: 'gpt-3.5', flags: { ...CLASSIC, maxOutput: 4096, schemaOutput: false, urlMedia: [] } },
  { prefix: 'gpt-4', flags: CLASSIC },
  { prefix: 'gpt-4.5', flags: { ...CLASSIC, maxOutput: 16_384 } },
  { prefix: 'gpt-4o', flags: { ...CLASSIC, maxOutput: 16_384 } },
  { prefix: 'gpt-4.1', flags: { ...CLASSIC, maxOutput: 32_768 } },
  { prefix: 'chatgpt-4o', flags: { ...CLASSIC, maxOutput: 16_384 } },
  { prefix: 'o1', flags: O_SERIES },
  { prefix: 'o3', flags: O_SERIES },
  { prefix: 'o4', flags: O_SERIES },
  { prefix: 'codex-', flags: O_SERIES },
  { prefix: 'gpt-5', flags: { ...FIRST, thinking: always('minimal', 'low', 'medium', 'high') } },
  { prefix: 'gpt-5-codex', flags: { ...FIRST, thinking: always('low', 'medium', 'high') } },
  { prefix: 'gpt-5-pro', flags: { ...FIRST, thinking: always('high'), maxOutput: 272_000 } },
  { prefix: 'computer-use', flags: { ...CLASSIC, toolTypes: { ...HOSTED_TOOLS, computer: 'computer_use_preview' } } },
  { prefix: 'gpt-5-chat', flags: { ...CLASSIC, maxOutput: 16_384 } },
  { prefix: 'gpt-5.1', flags: { ...FIFTH, thinking: onDemand('low', 'medium', 'high') } },
  { prefix: 'gpt-5.2', flags: FIFTH },
  { prefix: 'gpt-5.3', flags: FIFTH },
  { prefix: 'gpt-5.4', flags: FIFTH },
  { prefix: 'gpt-5.5', flags: { ...FIFTH, thinking: reasons('low', 'medium', 'high', 'xhigh') } },
  { prefix: 'gpt-5.6', flags: { ...SWITCHED, thinking: reasons('low', 'medium', 'high', 'xhigh') } },
  { prefix: 'gpt-6-astra', flags: STRICT },
  { prefix: 'gpt-6-sol', flags: SIXTH },
  { prefix: 'gpt-6-luna', flags: SIXTH },
  { prefix: 'gpt-6.1-sol', flags: STRICT },
  { prefix: 'gpt-6.1-terra', flags: SIXTH },
  // What stands in `instructions` they do not cache.
  { prefix: 'gpt-6.2', flags: { ...STRICT, instructionsCached: false } },
  // Hosts of it show its thoughts, and not all of them know summaries.
  {
    prefix: 'gpt-oss',
    open: true,
    flags: { thinking: { ...always('low', 'medium', 'high'), defaultShow: undefined } },
  },
] as const satisfies readonly ProfileRow[];

const TABLE: ProfileTable = {
  neutral: NEUTRAL,
  newest: NEWEST,
  names: OPENAI_NAMES,
  hosts: ['api.openai.com', '*.api.openai.com'],
  rows: ROWS,
};

/** Whether nothing is known of a name but its vendor, whose newest model it is taken for (configuration.md#profile-flags). */
export function takenForNewest(model: string, choice?: ProfileChoice): boolean {
  return isTakenForNewest(TABLE, model, choice);
}

/** The most tokens that the model generates; undefined where no row names this very model (translation.md 2.1). */
export function outputLimit(model: string, choice?: ProfileChoice): number | undefined {
  return outputLimitIn(TABLE, model, choice);
}

/** The newest of the vendor's models for everyday work: what is offered where nobody chose one. */
export const mainline = 'gpt-6.2-astra';

/** The names that {@link profile} knows. */
export const profileNames = namesIn(TABLE);

/** The profile of a model name, or of a flags map on top of it (translation.md 2.1). */
export function profile(model: string, choice?: ProfileChoice): Profile {
  return resolveProfile(TABLE, model, choice);
}
