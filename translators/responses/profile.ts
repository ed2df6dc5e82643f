import {
  namesIn,
  OPENAI_NAMES,
  type Profile,
  type ProfileChoice,
  type ProfileRow,
  type ProfileTable,
  REASONS_BY_EFFORT,
  resolveProfile,
  SAMPLING_DEFAULTS,
  type ThinkingProfile,
} from '../profile.js';

const EFFORT: ThinkingProfile = {
  control: 'effort',
  canDisable: true,
  levels: ['low', 'medium', 'high', 'xhigh'],
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

/** The vendor's newest model (translation.md 2.1, last column). */
const NEWEST: Profile = {
  minOutput: 16,
  sampling: ['none-when-reasoning'],
  samplingDefaults: SAMPLING_DEFAULTS,
  thinking: EFFORT,
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
  cacheBreakpoints: false,
  cacheKey: true,
  outputMedia: ['image'],
  partResolution: false,
  toolTypes: { ...HOSTED_TOOLS, computer: 'computer' },
};

/**
 * A model that nobody knows (contract.md 3.3). Of what hosts differ in it has what all of them take: pictures
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
  cacheKey: false,
  outputMedia: [],
  toolTypes: HOSTED_TOOLS,
};

const PLAIN: ThinkingProfile = { control: 'none', canDisable: false, levels: [], defaultOn: false };

/** A family that always reasons, on these levels. */
function always(...levels: ThinkingProfile['levels']): ThinkingProfile {
  return { ...EFFORT, canDisable: false, levels };
}

/** A family whose reasoning can be switched off, and is off by default. */
function onDemand(...levels: ThinkingProfile['levels']): ThinkingProfile {
  return { ...EFFORT, canDisable: true, levels, defaultOn: false };
}

/** Models before the computer tool. */
const CLASSIC = { sampling: [], thinking: PLAIN, toolTypes: HOSTED_TOOLS } as const;

/** The families the sheet knows [R §3.16, §3.17]; the longest prefix wins. */
const ROWS: readonly ProfileRow[] = [
  { prefix: 'gpt-3.5', flags: { ...CLASSIC, maxOutput: 4096, schemaOutput: false, urlMedia: [] } },
  { prefix: 'gpt-4', flags: CLASSIC },
  { prefix: 'gpt-4o', flags: { ...CLASSIC, maxOutput: 16_384 } },
  { prefix: 'gpt-4.1', flags: { ...CLASSIC, maxOutput: 32_768 } },
  { prefix: 'chatgpt-4o', flags: { ...CLASSIC, maxOutput: 16_384 } },
  {
    prefix: 'o1',
    flags: {
      toolTypes: HOSTED_TOOLS,
      sampling: ['none'],
      thinking: always('low', 'medium', 'high'),
      maxOutput: 100_000,
    },
  },
  {
    prefix: 'o3',
    flags: {
      toolTypes: HOSTED_TOOLS,
      sampling: ['none'],
      thinking: always('low', 'medium', 'high'),
      maxOutput: 100_000,
    },
  },
  {
    prefix: 'o4',
    flags: {
      toolTypes: HOSTED_TOOLS,
      sampling: ['none'],
      thinking: always('low', 'medium', 'high'),
      maxOutput: 100_000,
    },
  },
  {
    prefix: 'gpt-5',
    flags: {
      sampling: ['none'],
      thinking: always('minimal', 'low', 'medium', 'high'),
      maxOutput: 128_000,
    },
  },
  {
    prefix: 'gpt-5-codex',
    flags: { sampling: ['none'], thinking: always('low', 'medium', 'high'), maxOutput: 128_000 },
  },
  { prefix: 'gpt-5-pro', flags: { sampling: ['none'], thinking: always('high') } },
  { prefix: 'computer-use', flags: { ...CLASSIC, toolTypes: { ...HOSTED_TOOLS, computer: 'computer_use_preview' } } },
  { prefix: 'gpt-5-chat', flags: { ...CLASSIC, maxOutput: 16_384 } },
  { prefix: 'gpt-5.1', flags: { thinking: onDemand('low', 'medium', 'high'), maxOutput: 128_000 } },
  {
    prefix: 'gpt-5.',
    flags: { thinking: onDemand('low', 'medium', 'high', 'xhigh'), maxOutput: 128_000 },
  },
  {
    prefix: 'gpt-5.6',
    flags: {
      thinking: onDemand('low', 'medium', 'high', 'xhigh'),
      maxOutput: 128_000,
      cacheBreakpoints: true,
    },
  },
  { prefix: 'gpt-oss', open: true, flags: { thinking: always('low', 'medium', 'high') } },
];

const TABLE: ProfileTable = {
  neutral: NEUTRAL,
  newest: NEWEST,
  names: OPENAI_NAMES,
  hosts: ['api.openai.com', '*.api.openai.com'],
  rows: ROWS,
};

/** The names that {@link profile} knows. */
export const profileNames = namesIn(TABLE);

/** The profile of a model name, or of a flags map on top of it (translation.md 2.1). */
export function profile(model: string, choice?: ProfileChoice): Profile {
  return resolveProfile(TABLE, model, choice);
}
