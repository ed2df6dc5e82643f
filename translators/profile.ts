import type { MediaClass } from './canonical/content.js';
import type { Effort } from './canonical/request.js';

/** What a model on its host can take: the target profile of translation.md 2.1. Plain data. */
export interface Profile {
  /** Ceiling of generated tokens. */
  readonly maxOutput?: number;
  /** Floor of the output cap. */
  readonly minOutput?: number;
  /** Output cap that is sent where the dialect demands one and the client gave none. */
  readonly defaultMaxOutput?: number;
  /** Sampling fields that must not be sent. `none`: no sampling at all; `none-when-reasoning`: none unless reasoning is off. */
  readonly sampling: readonly ('none' | 'none-when-reasoning' | 'temp-xor-topP' | 'no-topK' | 'no-penalties')[];
  /**
   * What the model draws with without a setting. A value that is equal to it, and that the model does not take, is no
   * loss (translation.md 0.8).
   */
  readonly samplingDefaults: SamplingDefaults;
  readonly thinking: ThinkingProfile;
  /** A trailing assistant turn is continued. */
  readonly prefill: boolean;
  /** Instructions may be in mid-history. */
  readonly midSystem: boolean;
  readonly strictTools: boolean;
  readonly schemaOutput: boolean;
  readonly jsonMode: boolean;
  /** Structured output together with tools. */
  readonly schemaWithTools: boolean;
  /** The JSON Schema fields are usable (else the Schema subset). */
  readonly jsonSchemaField: boolean;
  /** Calls may carry ids. */
  readonly functionIds: boolean;
  /** Media may be inside tool results. */
  readonly toolResultMedia: boolean;
  /** Hosted tools next to functions. */
  readonly mixHosted: 'no' | 'flag' | 'free';
  /** Forced tool choice while reasoning. */
  readonly forcedWithThinking: boolean;
  /** Whether a call must carry its signature. */
  readonly signatures: 'required' | 'advisory';
  /** Leading instructions have a field of their own. */
  readonly systemField: boolean;
  /** The instructions field is needed in every request. */
  readonly instructionsField: 'optional' | 'demanded';
  /** Media classes that the service fetches by URL itself. */
  readonly urlMedia: readonly MediaClass[];
  /** How many cache marks a request may hold. */
  readonly cacheMarks: number;
  readonly cacheBreakpoints: boolean;
  /** Output media the model can make next to text. */
  readonly outputMedia: readonly ('image' | 'audio')[];
  /** The enterprise host of the service, which has fields that the public one refuses, and lacks others. */
  readonly cloud?: boolean;
  /** Part-level media resolution is understood. */
  readonly partResolution: boolean;
  /** Type words of hosted and client tools, newest that the model lists, by family. */
  readonly toolTypes: Readonly<Record<string, string>>;
}

export interface SamplingDefaults {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
}

/** Taken for granted of models whose defaults nobody publishes: what the other vendors publish for theirs. */
export const SAMPLING_DEFAULTS: SamplingDefaults = { temperature: 1, topP: 0.95, topK: 64 };

export interface ThinkingProfile {
  /** How the model is asked to think. */
  readonly control: 'budget' | 'adaptive' | 'level' | 'effort' | 'none';
  readonly canDisable: boolean;
  /** A budget is still accepted next to `adaptive`. */
  readonly acceptsBudget?: boolean;
  readonly minBudget?: number;
  readonly maxBudget?: number;
  /** Efforts the model takes, ascending. */
  readonly levels: readonly Effort[];
  /** Whether the model thinks without a setting. */
  readonly defaultOn: boolean;
  readonly defaultLevel?: Effort;
  /** What the answer shows without a setting. */
  readonly defaultShow?: 'summary' | 'none';
  readonly betweenTools?: boolean;
}

/** Whether a model draws with this value without a setting, so that nothing is lost where it cannot be sent. */
export function isSamplingDefault(profile: Profile, key: keyof SamplingDefaults, value: number): boolean {
  return profile.samplingDefaults[key] === value;
}

/** A model name to look up, or flags that override what the looked-up profile says. */
export type ProfileChoice = string | (Partial<Profile> & { readonly model?: string });

/** One row of a dialect's model table: names that begin with `prefix`; the longest prefix wins. */
export interface ProfileRow {
  readonly prefix: string;
  readonly flags: Partial<Profile>;
}

/** The profile of `model` from a dialect's table: base, then the longest matching prefix, then the caller's flags. */
export function resolveProfile(
  base: Profile,
  rows: readonly ProfileRow[],
  model: string,
  choice: ProfileChoice | undefined,
): Profile {
  const name = (typeof choice === 'string' ? choice : (choice?.model ?? model)).replace(/^.*\//, '');
  let best: ProfileRow | undefined;
  for (const row of rows) {
    if (name.startsWith(row.prefix) && (best === undefined || row.prefix.length > best.prefix.length)) best = row;
  }
  const overrides = typeof choice === 'string' ? undefined : choice;
  return { ...base, ...best?.flags, ...overrides };
}
