import type { Effort } from '../canonical/request.js';
import {
  familyName,
  isTakenForNewest,
  namesIn,
  outputLimitIn,
  type ProfileChoice,
  type ProfileRow,
  type ProfileTable,
  REASONS_BY_BUDGET,
  resolveProfile,
  rowOf,
  SAMPLING_DEFAULTS,
} from '../target/profile.js';
import type { Target } from '../target/target.js';
import type { Profile, ThinkingProfile } from '../target/words.js';

/** The cap of models of which nobody knows one: with a prompt of 20,000 tokens it fits in a window of 32,000. */
export const DEFAULT_CAP = 8192;

const ALL_LEVELS: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** From 4.7 on: adaptive only, and by default from 5 on [M §2.7]. */
export const ADAPTIVE: ThinkingProfile = {
  control: 'adaptive',
  canDisable: true,
  levels: ALL_LEVELS,
  defaultOn: true,
  defaultLevel: 'high',
  defaultShow: 'none',
};

/** Such a model that thinks whatever it is asked: that of the vendor's newest models (translation.md 2.1, last column). */
export const ALWAYS: ThinkingProfile = { ...ADAPTIVE, canDisable: false };

/** How hard a model thinks is said by an effort alone, and nothing is known of what it shows. */
export const BY_EFFORT: ThinkingProfile = {
  ...ADAPTIVE,
  control: 'effort',
  defaultLevel: undefined,
  defaultShow: undefined,
};

const NO_THINKING: ThinkingProfile = { control: 'none', canDisable: true, levels: [], defaultOn: false };

/** Up to 4.5: only with a budget, off by default [M §2.7]. */
export const BUDGET: ThinkingProfile = {
  control: 'budget',
  canDisable: true,
  acceptsBudget: true,
  minBudget: 1024,
  levels: [],
  defaultOn: false,
  defaultShow: 'summary',
};

/** 4.6: adaptive, with a budget still accepted; four levels [M §2.7, §2.8]. */
const ADAPTIVE_46: ThinkingProfile = {
  control: 'adaptive',
  canDisable: true,
  acceptsBudget: true,
  minBudget: 1024,
  levels: ['low', 'medium', 'high', 'max'],
  defaultOn: false,
  defaultLevel: 'high',
  defaultShow: 'summary',
};

const SERVER_TOOLS = {
  webSearch: 'web_search_20250305',
  urlFetch: 'web_fetch_20250910',
  codeExec: 'code_execution_20250825',
} as const;

/** Versions of the built-in tools of clients go with generations [M §2.5]. */
const FIRST_TOOLS = { ...SERVER_TOOLS, computer: 'computer_20241022', bash: 'bash_20241022' } as const;
const SECOND_TOOLS = { ...SERVER_TOOLS, computer: 'computer_20250124', bash: 'bash_20250124' } as const;
const THIRD_TOOLS = { ...SECOND_TOOLS, computer: 'computer_20251124' } as const;
/** From 5.5 on the computer is a set of tools, which nothing is translated to: the single tool is refused. */
const NEWEST_TOOLS = { ...SERVER_TOOLS, bash: SECOND_TOOLS.bash } as const;

/** The vendor's newest model: the strictest of the generation that it serves (translation.md 2.1, last column). */
const NEWEST_MODEL: Profile = {
  defaultMaxOutput: 64_000,
  sampling: ['none'],
  samplingDefaults: SAMPLING_DEFAULTS,
  thinking: ALWAYS,
  prefill: false,
  midSystem: true,
  strictTools: true,
  schemaOutput: true,
  jsonMode: false,
  schemaWithTools: true,
  jsonSchemaField: true,
  functionIds: true,
  toolResultMedia: true,
  mixHosted: 'free',
  forcedWithThinking: false,
  signatures: 'advisory',
  systemField: true,
  instructionsField: 'optional',
  urlMedia: ['image', 'document'],
  cacheMarks: 4,
  cacheBreakpoints: false,
  cacheMinimum: 512,
  outputMedia: [],
  partResolution: false,
  toolTypes: NEWEST_TOOLS,
};

/**
 * A model that nobody knows (configuration.md#profile-flags). Of what hosts differ in it has what all of them take, of hosted and built-in
 * tools none: most refuse the words for them.
 */
const NEUTRAL: Profile = {
  ...NEWEST_MODEL,
  defaultMaxOutput: DEFAULT_CAP,
  sampling: [],
  thinking: REASONS_BY_BUDGET,
  prefill: true,
  midSystem: false,
  strictTools: false,
  rawSchemas: true,
  forcedWithThinking: true,
  urlMedia: [],
  cacheMinimum: undefined,
  toolTypes: {},
};

/** The cap is also what is sent when the client gives none: a smaller one would cut answers in silence [hard case GW-02]. */
function cap(tokens: number): Partial<Profile> {
  return { maxOutput: tokens, defaultMaxOutput: tokens };
}

/** Models before structured outputs. */
const PLAIN: Partial<Profile> = {
  cacheMinimum: 1024,
  sampling: ['usual-when-reasoning'],
  prefill: true,
  midSystem: false,
  strictTools: false,
  schemaOutput: false,
};
const THIRD: Partial<Profile> = { ...PLAIN, thinking: NO_THINKING, toolTypes: SERVER_TOOLS, ...cap(4096) };
const FOURTH: Partial<Profile> = { ...PLAIN, thinking: BUDGET, toolTypes: SECOND_TOOLS };
/** Opus 4.1 and everything of 4.5: temperature or top_p, not both [M §3.41]. */
const FOURTH_LATE: Partial<Profile> = {
  ...FOURTH,
  sampling: ['temp-xor-topP', 'usual-when-reasoning'],
  strictTools: true,
  schemaOutput: true,
};
/** Forced tool choice together with adaptive thinking was recorded on 4.6 only [M §3.26]. */
const GENERATION_46: Partial<Profile> = {
  sampling: ['temp-xor-topP', 'usual-when-reasoning'],
  thinking: ADAPTIVE_46,
  midSystem: false,
  forcedWithThinking: true,
  cacheMinimum: 1024,
  toolTypes: THIRD_TOOLS,
};
/** 4.7 to 5: thinking can be switched off, by default it is on in 5 only [M §2.7]. */
const ON_DEMAND: Partial<Profile> = {
  thinking: { ...ADAPTIVE, defaultOn: false },
  cacheMinimum: 1024,
  toolTypes: THIRD_TOOLS,
};
const GENERATION_5: Partial<Profile> = { ...ON_DEMAND, thinking: ADAPTIVE, ...cap(128_000) };

/** Generations as [M §2.7] separates them; output caps and least cached prompts as the vendor publishes them per model. */
export const ROWS = [
  { prefix: 'claude-2', flags: THIRD },
  { prefix: 'claude-2-1', flags: THIRD },
  { prefix: 'claude-instant', flags: THIRD },
  { prefix: 'claude-3', flags: THIRD },
  { prefix: 'claude-3-haiku', flags: { ...THIRD, cacheMinimum: 2048 } },
  { prefix: 'claude-3-5', flags: { ...THIRD, toolTypes: FIRST_TOOLS, ...cap(8192) } },
  { prefix: 'claude-3-5-haiku', flags: { ...THIRD, toolTypes: FIRST_TOOLS, cacheMinimum: 2048, ...cap(8192) } },
  { prefix: 'claude-3-7', flags: { ...FOURTH, ...cap(64_000) } },
  { prefix: 'claude-opus-4', flags: { ...FOURTH, ...cap(32_000) } },
  { prefix: 'claude-sonnet-4', flags: { ...FOURTH, ...cap(64_000) } },
  { prefix: 'claude-4-opus', flags: { ...FOURTH, ...cap(32_000) } },
  { prefix: 'claude-4-sonnet', flags: { ...FOURTH, ...cap(64_000) } },
  { prefix: 'claude-opus-4-1', flags: { ...FOURTH_LATE, ...cap(32_000) } },
  {
    prefix: 'claude-opus-4-5',
    flags: {
      ...FOURTH_LATE,
      thinking: { ...BUDGET, levels: ['low', 'medium', 'high'] },
      toolTypes: THIRD_TOOLS,
      cacheMinimum: 4096,
      ...cap(64_000),
    },
  },
  { prefix: 'claude-sonnet-4-5', flags: { ...FOURTH_LATE, ...cap(64_000) } },
  { prefix: 'claude-haiku-4-5', flags: { ...FOURTH_LATE, cacheMinimum: 4096, ...cap(64_000) } },
  { prefix: 'claude-opus-4-6', flags: { ...GENERATION_46, cacheMinimum: 4096, ...cap(128_000) } },
  { prefix: 'claude-sonnet-4-6', flags: { ...GENERATION_46, ...cap(64_000) } },
  { prefix: 'claude-opus-4-7', flags: { ...ON_DEMAND, midSystem: false, cacheMinimum: 2048, ...cap(128_000) } },
  { prefix: 'claude-opus-4-8', flags: { ...ON_DEMAND, ...cap(128_000) } },
  { prefix: 'claude-sonnet-5', flags: GENERATION_5 },
  { prefix: 'claude-opus-5', flags: { ...GENERATION_5, cacheMinimum: 512 } },
  { prefix: 'claude-opus-5-5', flags: { thinking: { ...ALWAYS, defaultLevel: 'medium' }, ...cap(128_000) } },
  { prefix: 'claude-sonnet-5-5', flags: { thinking: { ...ALWAYS, betweenTools: true }, ...cap(128_000) } },
  {
    prefix: 'claude-haiku-5-5',
    flags: { thinking: { ...ADAPTIVE, defaultLevel: 'medium' }, ...cap(128_000) },
  },
  { prefix: 'claude-fable', flags: { toolTypes: THIRD_TOOLS, ...cap(128_000) } },
  { prefix: 'claude-mythos', flags: { toolTypes: THIRD_TOOLS } },
] as const satisfies readonly ProfileRow[];

const TABLE: ProfileTable = {
  neutral: NEUTRAL,
  newest: NEWEST_MODEL,
  names: ['claude'],
  hosts: ['api.anthropic.com'],
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
export const mainline = 'claude-opus-5-5';

/** The names that {@link profile} knows. */
export const profileNames = namesIn(TABLE);

/** The profile of a model of this dialect, by its name or by the caller's choice. */
export function profile(model: string, choice?: ProfileChoice): Profile {
  return resolveProfile(TABLE, model, choice);
}

/**
 * Whether an open tool loop has to begin with thinking while that is enabled [M §3.27]: the vendor's models want it. A host that
 * lacks adaptive thinking has none of them, and takes histories as they are.
 */
export function wantsThoughtLoops({ unsupported }: Pick<Target, 'unsupported'>): boolean {
  return !unsupported.has('adaptive');
}

/** What a known model shows of its thinking by default; undefined for names that are not in the table. */
export function defaultShow(model: string): ThinkingProfile['defaultShow'] {
  return rowOf(ROWS, familyName(model)) === undefined ? undefined : profile(model).thinking.defaultShow;
}
