import type { MediaClass } from '../canonical/content.js';
import type { Effort } from '../canonical/request.js';
import type { HostFeature } from './host-words.js';
import { SERVER } from './server-words.js';
import { amount, apart, count, flag, group, list, map, maybe, one, type Values, whole } from './word.js';

/**
 * The one vocabulary in which is said what a target can do: the model, its host, and the server that speaks the dialect (translation.md
 * 2.1, [H §10.1]). Each word is about something that shows in answers or refusals of a target.
 */

/** Efforts, ascending. */
const EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const satisfies readonly Effort[];

const MEDIA = ['image', 'audio', 'video', 'document', 'file'] as const satisfies readonly MediaClass[];

const THINKING = {
  control: one(
    'By a budget of tokens, by itself (`adaptive`), by a level, by an effort, or not at all.',
    'budget',
    'adaptive',
    'level',
    'effort',
    'none',
  ),
  canDisable: flag('Reasoning can be switched off.'),
  acceptsBudget: maybe(flag('A budget is accepted next to `adaptive`.')),
  minBudget: maybe(count('Smallest budget in tokens.')),
  maxBudget: maybe(count('Largest budget in tokens.')),
  levels: list('Efforts that the model takes, ascending.', ...EFFORTS),
  defaultOn: flag('The model reasons without a setting.'),
  defaultLevel: maybe(one('Its effort without a setting.', ...EFFORTS)),
  defaultShow: maybe(one('What the answer shows of the reasoning without a setting.', 'summary', 'none')),
  betweenTools: maybe(flag('It can be asked to reason only between tool calls.')),
};

const SAMPLING = {
  temperature: maybe(amount('Its temperature.')),
  topP: maybe(amount('Its `top_p`.')),
  topK: maybe(amount('Its `top_k`.')),
};

export const WORDS = {
  maxOutput: maybe(count('Largest number of generated tokens.')),
  minOutput: maybe(count('Smallest output cap that is accepted.')),
  defaultMaxOutput: maybe(count('Output cap that is sent where the dialect requires one and the client gave none.')),
  sampling: list(
    "Sampling fields that must not be sent: none at all (`none`), none unless reasoning is off, only the model's own values while it reasons (`usual-when-reasoning`), temperature or `top_p` but not both, no `top_k`, no penalties.",
    'none',
    'none-when-reasoning',
    'usual-when-reasoning',
    'temp-xor-topP',
    'no-topK',
    'no-penalties',
  ),
  addedSettings: maybe(
    list(
      'Settings that a host of responses takes beside those of the dialect, by their names in chat completions.',
      'topK',
      'seed',
      'penalties',
      'stop',
    ),
  ),
  // translation.md 0.8.
  samplingDefaults: group("The model's own values: equal ones are no loss.", SAMPLING),
  thinking: group('How the model is asked to reason.', THINKING),
  prefill: flag('A trailing assistant turn is continued.'),
  midSystem: flag('Instructions are accepted in the middle of the conversation.'),
  strictTools: flag('Strict tools are accepted.'),
  schemaOutput: flag('Output by a schema is accepted.'),
  jsonMode: flag('JSON without a schema is accepted.'),
  schemaWithTools: flag('Output by a schema is accepted together with tools.'),
  // configuration.md#profile-flags.
  rawSchemas: maybe(
    flag(
      'Schemas are sent unchanged, except `$schema` and what the dialect requires of the root (not chatCompletions).',
    ),
  ),
  jsonSchemaField: flag('The JSON Schema fields of generateContent are usable, else its `Schema` subset is sent.'),
  functionIds: flag('Calls may carry ids.'),
  toolResultMedia: flag('Media are accepted inside tool results.'),
  mixHosted: one('Whether hosted tools go together with functions.', 'no', 'flag', 'free'),
  forcedWithThinking: flag('A tool may be forced while the model reasons.'),
  signatures: one('Whether a call must carry its signature.', 'required', 'advisory'),
  systemField: flag('Leading instructions have a field of their own.'),
  instructionsField: one('Whether every request needs that field.', 'optional', 'demanded'),
  instructionsCached: maybe(
    flag(
      'Whether the prompt cache covers that field, as by default; if not, instructions of other dialects go as a leading developer message (responses).',
    ),
  ),
  urlMedia: list('Media classes that the service fetches by URL itself.', ...MEDIA),
  cacheMarks: whole('How many cache breakpoints a request may have.'),
  cacheBreakpoints: flag('Explicit breakpoints of the cache are accepted.'),
  cacheMinimum: maybe(
    count(
      'Tokens of the shortest prompt prefix that the service caches at breakpoints (messages); without it no breakpoints are added.',
    ),
  ),
  cacheKey: maybe(
    flag('`prompt_cache_key` is accepted (responses); if not, none is derived from breakpoints of messages clients.'),
  ),
  cloud: maybe(flag('The enterprise host of the service, whose fields differ from those of the public one.')),
  outputMedia: list('Media that the model can produce next to text.', 'image', 'audio'),
  partResolution: flag('Media resolution per part is accepted.'),
  toolTypes: map('Type words of hosted and client tools by family; what is not listed is not sent.'),
  server: maybe(apart('How a server of the chatCompletions dialect speaks it.', SERVER)),
};

export type ThinkingProfile = Values<typeof THINKING>;

export type SamplingDefaults = Values<typeof SAMPLING>;

/** What a model on its host can take: the target profile of translation.md 2.1. Plain data. */
export type Profile = Values<typeof WORDS> & {
  /** What the host does not support of the dialect, where no other word says it (hosts.md#presets). */
  readonly unsupported?: readonly HostFeature[];
};
