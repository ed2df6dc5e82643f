import {
  isTakenForNewest,
  namesIn,
  outputLimitIn,
  type ProfileChoice,
  type ProfileRow,
  type ProfileTable,
  REASONS_BY_BUDGET,
  resolveProfile,
  SAMPLING_DEFAULTS,
} from '../target/profile.js';
import type { Profile } from '../target/words.js';

const HOSTED_TOOLS = {
  webSearch: 'googleSearch',
  urlFetch: 'urlContext',
  codeExec: 'codeExecution',
  mcp: 'mcpServers',
} as const;

/** Models that know the computer have it next to the tools of the service. */
const WITH_COMPUTER = { ...HOSTED_TOOLS, computer: 'computerUse' } as const;

/** The vendor's newest model: the strictest of the generation that it serves ([G §2.6], [G §4]). */
const NEWEST: Profile = {
  sampling: ['none'],
  samplingDefaults: SAMPLING_DEFAULTS,
  thinking: {
    control: 'level',
    canDisable: false,
    levels: ['low', 'medium', 'high'],
    defaultOn: true,
    defaultLevel: 'medium',
    defaultShow: 'none',
  },
  prefill: false,
  midSystem: false,
  strictTools: true,
  schemaOutput: true,
  jsonMode: true,
  schemaWithTools: true,
  jsonSchemaField: true,
  functionIds: true,
  toolResultMedia: true,
  mixHosted: 'flag',
  forcedWithThinking: true,
  signatures: 'required',
  systemField: true,
  instructionsField: 'optional',
  urlMedia: [],
  cacheMarks: 0,
  cacheBreakpoints: false,
  outputMedia: [],
  partResolution: true,
  toolTypes: WITH_COMPUTER,
};

/**
 * A model that nobody knows (configuration.md#profile-flags). It is asked to think by a budget, which models that go by levels take too
 * ([G §2.6]).
 */
const NEUTRAL: Profile = {
  ...NEWEST,
  sampling: [],
  thinking: REASONS_BY_BUDGET,
  prefill: true,
  strictTools: false,
  rawSchemas: true,
  toolResultMedia: false,
  mixHosted: 'no',
  signatures: 'advisory',
  partResolution: false,
  toolTypes: HOSTED_TOOLS,
};

const NO_THINKING: Profile['thinking'] = { control: 'none', canDisable: true, levels: [], defaultOn: false };

/** Before 3.x: no ids on calls, no hosted tools with functions, no format with functions, prefill. */
const SECOND: Partial<Profile> = {
  sampling: ['no-penalties'],
  prefill: true,
  schemaWithTools: false,
  functionIds: false,
  toolResultMedia: false,
  mixHosted: 'no',
  signatures: 'advisory',
  partResolution: false,
  toolTypes: HOSTED_TOOLS,
};

const WITHOUT_THINKING: Partial<Profile> = { ...SECOND, sampling: [], thinking: NO_THINKING, maxOutput: 8192 };

function budget(minBudget: number, maxBudget: number, canDisable: boolean, defaultOn = true): Profile['thinking'] {
  return { control: 'budget', canDisable, minBudget, maxBudget, levels: [], defaultOn, defaultShow: 'none' };
}

type Levels = Profile['thinking']['levels'];

function levels(defaultLevel: Levels[number], ...known: Levels): Profile['thinking'] {
  return { ...NEWEST.thinking, levels: known, defaultLevel };
}

const ALL_LEVELS: Levels = ['minimal', 'low', 'medium', 'high'];

/** From 3.7 on. Since 3.5 Flash sampling is accepted and ignored, and a last model turn is refused ([G §4] rule 11). */
const LATEST: Partial<Profile> = { maxOutput: 65536 };
/** 3.5 and 3.6. */
const FIFTH: Partial<Profile> = { ...LATEST, thinking: levels('medium', ...ALL_LEVELS) };
/** 3.0 to 3.1. */
const THIRD: Partial<Profile> = {
  maxOutput: 65536,
  sampling: ['no-penalties'],
  prefill: true,
  thinking: levels('high', ...ALL_LEVELS),
};
const LITE: Partial<Profile> = { thinking: levels('minimal', ...ALL_LEVELS) };
const PICTURES: Partial<Profile> = { outputMedia: ['image'], maxOutput: 32768 };

export const ROWS = [
  {
    prefix: 'gemini-1.',
    flags: {
      ...WITHOUT_THINKING,
      jsonSchemaField: false,
      toolTypes: { webSearch: 'googleSearchRetrieval', codeExec: 'codeExecution' },
    },
  },
  { prefix: 'gemini-2.0', flags: { ...WITHOUT_THINKING } },
  { prefix: 'gemini-2.0-flash-preview-image-generation', flags: { ...WITHOUT_THINKING, outputMedia: ['image'] } },
  { prefix: 'gemini-2.0-flash-exp-image-generation', flags: { ...WITHOUT_THINKING, outputMedia: ['image'] } },
  {
    prefix: 'gemini-2.5',
    flags: { ...SECOND, thinking: budget(0, 24576, true), maxOutput: 65536 },
  },
  {
    prefix: 'gemini-2.5-computer-use',
    flags: { ...SECOND, thinking: budget(128, 32768, false), maxOutput: 65536, toolTypes: WITH_COMPUTER },
  },
  {
    prefix: 'gemini-2.5-pro',
    flags: { ...SECOND, thinking: budget(128, 32768, false), maxOutput: 65536 },
  },
  {
    prefix: 'gemini-2.5-flash-lite',
    flags: { ...SECOND, thinking: budget(512, 24576, true, false), maxOutput: 65536 },
  },
  { prefix: 'gemini-2.5-flash-image', flags: { ...SECOND, ...PICTURES, thinking: NO_THINKING } },
  { prefix: 'gemini-3-', flags: THIRD },
  { prefix: 'gemini-3-pro', flags: { ...THIRD, thinking: levels('high', 'low', 'high') } },
  {
    prefix: 'gemini-3-pro-image',
    flags: { ...THIRD, ...PICTURES, thinking: levels('high', 'low', 'high'), signatures: 'advisory' },
  },
  { prefix: 'gemini-3.1', flags: THIRD },
  { prefix: 'gemini-3.1-pro', flags: { ...THIRD, thinking: levels('high', 'low', 'medium', 'high') } },
  { prefix: 'gemini-3.1-flash-image', flags: { ...THIRD, ...PICTURES, signatures: 'advisory' } },
  { prefix: 'gemini-3.1-flash-lite', flags: { ...THIRD, ...LITE } },
  { prefix: 'gemini-3.5', flags: FIFTH },
  { prefix: 'gemini-3.5-flash-lite', flags: { ...FIFTH, ...LITE } },
  { prefix: 'gemini-3.6', flags: FIFTH },
  { prefix: 'gemini-3.7', flags: LATEST },
  { prefix: 'gemini-3.8', flags: LATEST },
  {
    prefix: 'gemma-3',
    flags: {
      ...WITHOUT_THINKING,
      systemField: false,
      jsonMode: false,
      schemaOutput: false,
      jsonSchemaField: false,
      strictTools: false,
      toolTypes: {},
    },
  },
] as const satisfies readonly ProfileRow[];

const TABLE: ProfileTable = {
  neutral: NEUTRAL,
  newest: NEWEST,
  names: ['gemini', 'gemma'],
  hosts: ['generativelanguage.googleapis.com', '*aiplatform.googleapis.com'],
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
export const mainline = 'gemini-3.8-flash';

/** The names that {@link profile} knows. */
export const profileNames = namesIn(TABLE);

/**
 * The profile of a model. With the flag `cloud` it is the model on the enterprise host, where hosted tools mix with
 * functions freely and tool servers are not known ([G §4] rule 20).
 */
export function profile(model: string, choice?: ProfileChoice): Profile {
  const found = resolveProfile(TABLE, model, choice);
  if (found.cloud !== true) return found;
  const chosen = typeof choice === 'object' ? choice : {};
  const { mcp: _mcp, ...toolTypes } = found.toolTypes;
  return {
    ...found,
    mixHosted: chosen.mixHosted ?? (found.mixHosted === 'flag' ? 'free' : found.mixHosted),
    toolTypes: chosen.toolTypes ?? toolTypes,
  };
}
