import { TranslationError } from '../canonical/errors.js';
import type { ProfileChoice, SamplingDefaults, ThinkingProfile } from './profile.js';

type Choice = Exclude<ProfileChoice, string>;
type Names<T> = Readonly<Record<keyof Required<T>, true>>;

const SAMPLING = { temperature: true, topP: true, topK: true } satisfies Names<SamplingDefaults>;

const THINKING = {
  control: true,
  canDisable: true,
  acceptsBudget: true,
  minBudget: true,
  maxBudget: true,
  levels: true,
  defaultOn: true,
  defaultLevel: true,
  defaultShow: true,
  betweenTools: true,
} satisfies Names<ThinkingProfile>;

const FLAGS = {
  model: true,
  host: true,
  preset: true,
  neutral: true,
  maxOutput: true,
  minOutput: true,
  defaultMaxOutput: true,
  sampling: true,
  addedSettings: true,
  samplingDefaults: true,
  thinking: true,
  prefill: true,
  midSystem: true,
  strictTools: true,
  schemaOutput: true,
  jsonMode: true,
  schemaWithTools: true,
  rawSchemas: true,
  jsonSchemaField: true,
  functionIds: true,
  toolResultMedia: true,
  mixHosted: true,
  forcedWithThinking: true,
  signatures: true,
  systemField: true,
  instructionsField: true,
  instructionsCached: true,
  urlMedia: true,
  cacheMarks: true,
  cacheBreakpoints: true,
  cacheMinimum: true,
  cacheKey: true,
  outputMedia: true,
  cloud: true,
  partResolution: true,
  toolTypes: true,
  lacks: true,
  // Those of servers are checked where they are looked up.
  server: true,
} satisfies Names<Choice>;

/** The choice itself. Throws TranslationError (`invalid_request`) that names a flag which no profile has: it would change nothing. */
export function checkFlags(choice: Choice): Choice {
  checkKeys(choice, FLAGS, '');
  for (const [flag, known] of [
    ['thinking', THINKING],
    ['samplingDefaults', SAMPLING],
  ] as const)
    checkKeys(choice[flag], known, `${flag}.`);
  return choice;
}

/** The same of the flags in `place` of a choice; those that are known are the keys of `known`. */
export function checkKeys(given: object | undefined, known: object, place: string): void {
  for (const key in given) {
    if (!Object.hasOwn(known, key))
      throw new TranslationError('invalid_request', `a profile has no flag \`${place}${key}\``);
  }
}
