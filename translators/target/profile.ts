import type { MediaClass } from '../canonical/content.js';
import type { Effort } from '../canonical/request.js';
import { type HostLack, withoutLacks } from './lacks.js';

/** What a model on its host can take: the target profile of translation.md 2.1. Plain data. */
export interface Profile {
  /** Ceiling of generated tokens. */
  readonly maxOutput?: number;
  /** Floor of the output cap. */
  readonly minOutput?: number;
  /** Output cap that is sent where the dialect demands one and the client gave none. */
  readonly defaultMaxOutput?: number;
  /**
   * Sampling fields that must not be sent. `none`: no sampling at all; `none-when-reasoning`: none unless reasoning is off;
   * `usual-when-reasoning`: while the model reasons, nothing that differs from what such models draw with.
   */
  readonly sampling: readonly (
    | 'none'
    | 'none-when-reasoning'
    | 'usual-when-reasoning'
    | 'temp-xor-topP'
    | 'no-topK'
    | 'no-penalties'
  )[];
  /** Settings that the host takes beside those of the dialect, by their names in chat completions (responses). */
  readonly addedSettings?: readonly ('topK' | 'seed' | 'penalties' | 'stop')[];
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
  /** Schemas go as they are, but for `$schema` and for what the dialect demands of their root (configuration.md#profile-flags). */
  readonly rawSchemas?: boolean;
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
  /** What stands in that field is cached; false = the instructions are sent as a leading message. Default true. */
  readonly instructionsCached?: boolean;
  /** Media classes that the service fetches by URL itself. */
  readonly urlMedia: readonly MediaClass[];
  /** How many cache marks a request may hold. */
  readonly cacheMarks: number;
  readonly cacheBreakpoints: boolean;
  /** Tokens of the shortest beginning of a prompt that the service caches at marks; absent = no marks are made up for it. */
  readonly cacheMinimum?: number;
  /** A key that groups requests for the prompt cache is taken (responses; `server.promptCacheKey` for chatCompletions). */
  readonly cacheKey?: boolean;
  /** Output media the model can make next to text. */
  readonly outputMedia: readonly ('image' | 'audio')[];
  /** The enterprise host of the service, which has fields that the public one refuses, and lacks others. */
  readonly cloud?: boolean;
  /** Part-level media resolution is understood. */
  readonly partResolution: boolean;
  /** Type words of hosted and client tools, newest that the model lists, by family. */
  readonly toolTypes: Readonly<Record<string, string>>;
  /** What the host lacks of the dialect, for what no flag here tells (hosts.md#presets). */
  readonly lacks?: readonly HostLack[];
  /** How the server speaks its dialect, where servers of one dialect differ. */
  readonly server?: ServerFlags;
}

/** Forms of a tool choice, each with those behind it: a named tool, a forced call, the words `auto` and `none`, nothing. */
export type ToolChoiceForms = 'all' | 'noNamed' | 'auto' | 'ignored';

/**
 * What servers of the chat completions dialect do differently [H §10.1]. What {@link Profile} says already is not here:
 * `strictTools`, `schemaOutput` (`json_schema`), `jsonMode` (`json_object`), `toolResultMedia`, `urlMedia` (pictures by
 * URL), `prefill`, `sampling` (`no-topK`, `no-penalties`), `thinking` (levels, budgets).
 */
export interface ServerFlags {
  /** Never both. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** `max_completion_tokens` is read where it is not the field of the cap. */
  readonly readsNewerCap: boolean;
  /** How many system messages there may be: any number at any place, one in front, or none. */
  readonly systemMessages: 'many' | 'one' | 'none';
  readonly developerRole: boolean;
  /** User and assistant messages take turns, and the user begins. */
  readonly alternation: boolean;
  /** Between the results of tools and a user message stands one of the assistant. */
  readonly assistantAfterTool: boolean;
  /** The assistant may have the last word in a history. */
  readonly assistantLast: boolean;
  /** Content of an assistant message that holds calls only: `null`, `""`, or no member. */
  readonly emptyContent: 'null' | 'empty' | 'omit';
  /** Content of an assistant message may be a list of parts. */
  readonly assistantParts: boolean;
  /** A user message may hold several text parts. */
  readonly textParts: boolean;
  /** Arguments of calls in the history have to be JSON objects. */
  readonly argsMustParse: boolean;
  /** Legal ids of calls: any, 1 to 40 letters, digits, `_` and `-`, or exactly nine letters and digits. */
  readonly idRule: 'any' | 'short' | 'nine';
  /** 0 where the server knows no tools. */
  readonly maxTools: number;
  readonly imageParts: boolean;
  /** How documents are given: not, as data, as data or by URL, or as a part `document_url`. */
  readonly fileParts: 'none' | 'data' | 'url' | 'document_url';
  /** How sound is given: not, as bare base64, or as a data URL in its place. */
  readonly audioParts: 'none' | 'base64' | 'data-url';
  readonly videoParts: boolean;
  readonly toolChoice: ToolChoiceForms;
  /** The same while the model reasons; counts only with `forcedWithThinking`. */
  readonly toolChoiceThinking: ToolChoiceForms;
  readonly requiredWord: 'required' | 'any';
  readonly allowedTools: boolean;
  readonly customTools: boolean;
  /** `parallel_tool_calls` is understood. */
  readonly parallelField: boolean;
  /** How the server is asked to search the web. */
  readonly webSearch: 'none' | 'web_search_options' | 'plugin';
  /** How many stop strings a request may have. */
  readonly stopMax: number;
  /** `stream_options.include_usage` is understood. */
  readonly streamUsage: boolean;
  readonly logprobs: boolean;
  readonly seedField: 'seed' | 'random_seed' | 'none';
  readonly maxTemperature: number;
  /** `user`, `metadata`, `verbosity`, `service_tier`, `logit_bias`, `prediction`: what only the vendor of the protocol has. */
  readonly vendorFields: boolean;
  readonly promptCacheKey: boolean;
  /** The server takes few keywords of JSON Schema: the others are told in descriptions (chat-translation.md 3). */
  readonly plainSchemas: boolean;
  /** The server refuses bodies with members that it does not know. */
  readonly strictBody: boolean;
  /** How the model is asked to reason [H §2.3]. */
  readonly reasoningControl: 'none' | 'effort' | 'openrouter' | 'thinking' | 'qwen' | 'template' | 'gemini' | 'split';
  /** An effort that the model has not is refused, and not taken for another. */
  readonly strictEfforts: boolean;
  /** `reasoning_format` is understood. */
  readonly reasoningFormat: boolean;
  /** `thinking.clear_thinking` is understood: false keeps the thinking of earlier turns. */
  readonly clearThinking: boolean;
  /** What of its own reasoning the server wants back [H §8.1]; `signature`: the one of Gemini on the first call of a step. */
  readonly reasoningReplay: 'must' | 'must-with-tools' | 'signature' | 'own' | 'never';
  /** The fields of a message in which reasoning may come back; others are refused. */
  readonly reasoningField: 'any' | 'reasoning';
  /** Where reasoning that is wanted back is lost, nothing stands for it, or one space where nothing is refused. */
  readonly emptyReasoning: 'empty' | 'space';
  /** Function tools are accepted from a model that reasons. */
  readonly toolsWithReasoning: boolean;
  /** Function tools are accepted at all; false = the model takes them by responses only, and they are refused before the call. */
  readonly functionTools: boolean;
  /** Reasoning stands in the text: not, in a tag, or up to a closing tag whose opening one is not sent. */
  readonly inlineThink: 'no' | 'open' | 'forcedOpen';
  /** How tokens are counted [H §6.3]. */
  readonly usageForm: 'standard' | 'xai' | 'gemini' | 'mistral';
  /** How an assistant turn is marked that the model continues; counts only with `prefill`. */
  readonly prefillForm: 'plain' | 'prefix' | 'continue';
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

/** A model that does not reason, or of which nobody knows how to ask it to. */
export const NO_THINKING: ThinkingProfile = {
  control: 'none',
  canDisable: false,
  levels: ['low', 'medium', 'high'],
  defaultOn: false,
};

/**
 * Reasoning of a model that nobody knows, where a budget is how a host is asked for it. Whether it reasons by itself is
 * unknown, so that a client's wish for none is said.
 */
export const REASONS_BY_BUDGET: ThinkingProfile = {
  control: 'budget',
  canDisable: true,
  minBudget: 1024,
  levels: [],
  defaultOn: true,
};

/** The same where an effort is; the words that every host knows. */
export const REASONS_BY_EFFORT: ThinkingProfile = {
  control: 'effort',
  canDisable: true,
  levels: ['low', 'medium', 'high'],
  defaultOn: false,
  defaultLevel: 'medium',
};

/** How the names of the models begin that the vendor of responses and chatCompletions makes. */
export const OPENAI_NAMES: readonly string[] = ['gpt-', 'chatgpt-', 'codex-', 'computer-use', 'o1', 'o3', 'o4'];

/** Some flags of a profile. */
export type ProfileFlags = Partial<Omit<Profile, 'server'>> & { readonly server?: Partial<ServerFlags> };

/** A model name to look up, or flags that override what the looked-up profile says. */
export type ProfileChoice =
  | string
  | (ProfileFlags & {
      readonly model?: string;
      /** Host of the backend's address, with its port where it has one. */
      readonly host?: string;
      /** What the host takes from models that nobody knows: flags over the neutral profile, and over no other. */
      readonly neutral?: Partial<Profile>;
      /** What the host lacks of the dialect; the other flags win over it. */
      readonly lacks?: readonly HostLack[];
      /** Name of the server, where its host does not tell: `vllm`, say. */
      readonly preset?: string;
    });

/** One row of a dialect's model table: names that begin with `prefix`, as {@link rowOf} reads them. */
export interface ProfileRow {
  readonly prefix: string;
  readonly flags: Partial<Profile>;
  /** Open weights, which anybody serves: the flags are over the neutral profile. */
  readonly open?: boolean;
}

/** What a dialect knows of models. */
export interface ProfileTable {
  /** A model that nobody knows (configuration.md#profile-flags). */
  readonly neutral: Profile;
  /** What its names that are in no row are taken for: as strict as any model of the generation that the vendor serves. */
  readonly newest: Profile;
  /** How the names of the vendor's models begin. */
  readonly names: readonly string[];
  /** The vendor's own hosts, with at most one `*` each: what is there is the vendor's, whatever its name. */
  readonly hosts: readonly string[];
  readonly rows: readonly ProfileRow[];
}

/**
 * The profile of `model`: the longest matching row over what its vendor's newest model takes, that alone for other names of
 * the vendor and at its own hosts, else the neutral profile; then the caller's flags. The name decides before the host.
 */
export function resolveProfile(table: ProfileTable, model: string, choice: ProfileChoice | undefined): Profile {
  const given = typeof choice === 'string' ? { model: choice } : (choice ?? {});
  const { model: named = model, host, preset: _preset, neutral, lacks = [], server: _server, ...flags } = given;
  const name = familyName(named);
  const row = rowOf(table.rows, name);
  const base = isVendors(table, name, row, host) ? table.newest : { ...table.neutral, ...neutral };
  return { ...withoutLacks({ ...base, ...row?.flags }, lacks), ...flags };
}

/** Whether a name is in no row and has its profile because its vendor's newest model has it, by the name or by the host. */
export function isTakenForNewest(table: ProfileTable, model: string, choice: ProfileChoice | undefined): boolean {
  const { model: named = model, host } = typeof choice === 'string' ? { model: choice } : (choice ?? {});
  const name = familyName(named);
  const row = rowOf(table.rows, name);
  return row === undefined && isVendors(table, name, row, host);
}

/** The names that a table knows, as patterns with a trailing `*`. */
export function namesIn({ names, rows }: ProfileTable): readonly string[] {
  return [...names, ...rows.map(({ prefix }) => prefix)].map((prefix) => `${prefix}*`);
}

function isVendors(
  { names, hosts }: ProfileTable,
  name: string,
  row: ProfileRow | undefined,
  host: string | undefined,
): boolean {
  if (row !== undefined) return row.open !== true;
  if (names.some((prefix) => name.startsWith(prefix))) return true;
  return host !== undefined && hosts.some((pattern) => fitsHost(pattern, host));
}

/**
 * The row of a name in a table: the one with the longest prefix that fits. A prefix that ends in a digit is a version, which a
 * longer one does not fit: `claude-opus-5` is no row of `claude-opus-5-5`, nor `gpt-6` of `gpt-6.1`.
 */
export function rowOf<Row extends { readonly prefix: string }>(rows: readonly Row[], name: string): Row | undefined {
  let best: Row | undefined;
  for (const row of rows)
    if (fitsPrefix(row.prefix, name) && (best === undefined || row.prefix.length > best.prefix.length)) best = row;
  return best;
}

/** How a version goes on: not with a zero, nor with a date or a size (`-0613`, `-32k`). */
const LONGER_VERSION = /^(?:\d|\.(?!0(?!\d))\d|-(?!0(?!\d))\d{1,2}(?![\da-z]))/;

function fitsPrefix(prefix: string, name: string): boolean {
  return name.startsWith(prefix) && !(/\d$/.test(prefix) && LONGER_VERSION.test(name.slice(prefix.length)));
}

/** Whether a host, with its port where it has one, fits a pattern: a name with at most one `*`, and a port if that counts. */
export function fitsHost(pattern: string, host: string): boolean {
  const full = host.toLowerCase();
  const name = pattern.includes(':') ? full : full.replace(/:\d+$/, '');
  const [head = '', tail] = pattern.split('*');
  if (tail === undefined) return name === pattern;
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

/** Regions that a cloud puts before the names of models. */
const REGIONS: ReadonlySet<string> = new Set([
  'us',
  'us-gov',
  'eu',
  'apac',
  'ap',
  'jp',
  'au',
  'ca',
  'sa',
  'me',
  'af',
  'global',
]);

/** Vendors that it puts between the region and the name, and that the name does not begin with anyway. */
const VENDORS: ReadonlySet<string> = new Set([
  'anthropic',
  'openai',
  'google',
  'meta',
  'mistral',
  'qwen',
  'minimax',
  'moonshot',
  'moonshotai',
  'zai',
  'nvidia',
]);

/**
 * A model's name as tables have it, in lower case (configuration.md#profile-flags): the last segment of a path, without a tag behind `:`, a
 * date behind `@`, and what clouds put before it. Versions of one vendor that are written with a point have a dash.
 */
export function familyName(model: string): string {
  const last = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const [tuned = ''] = (last.startsWith('ft:') ? last.slice(3) : last).split(/[:@]/, 1);
  const segments = tuned.split('.');
  const region = segments.length > 1 && REGIONS.has(segments[0] ?? '') ? 1 : 0;
  const vendor = segments.length > region + 1 && VENDORS.has(segments[region] ?? '') ? 1 : 0;
  const name = segments.slice(region + vendor).join('.');
  return name.startsWith('claude') ? name.replaceAll('.', '-') : name;
}
