import { TranslationError } from '../canonical/errors.js';
import { isObject, lookUp } from '../wire/json.js';
import { FLAG_NAMES, type FlagNames } from './flag-names.js';
import type { HostFeature } from './host-words.js';
import type { ServerFlags } from './server-words.js';
import { withoutUnsupported } from './unsupported.js';
import type { Profile, SamplingDefaults, ThinkingProfile } from './words.js';

/** Taken for granted of models whose defaults nobody publishes: what the other vendors publish for theirs. */
export const SAMPLING_DEFAULTS: SamplingDefaults = { temperature: 1, topP: 0.95, topK: 64 };

/** Whether a model draws with this value without a setting, so that nothing is lost where it cannot be sent. */
export function isSamplingDefault(
  profile: Pick<Profile, 'samplingDefaults'>,
  key: keyof SamplingDefaults,
  value: number,
): boolean {
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
      readonly unsupported?: readonly HostFeature[];
      /** Name of the server, where its host does not tell: `vllm`, say. */
      readonly preset?: string;
    });

export type Choice = Exclude<ProfileChoice, string>;

/** What a choice has beside flags. */
const BESIDE = { model: true, host: true, preset: true, neutral: true, unsupported: true } as const satisfies Partial<
  Record<keyof Choice, true>
>;

/** The choice itself. Throws TranslationError (`invalid_request`) that names a flag which no profile has: it would change nothing. */
export function checkFlags(choice: Choice): Choice {
  checkNames(choice, { ...FLAG_NAMES, ...BESIDE }, '');
  return choice;
}

function checkNames(given: object, known: FlagNames, place: string): void {
  for (const [name, value] of Object.entries(given)) {
    const found = lookUp(known, name);
    if (found === undefined) throw new TranslationError('invalid_request', `a profile has no flag \`${place}${name}\``);
    if (found !== true && isObject(value)) checkNames(value, found, `${place}${name}.`);
  }
}

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
  const { model: named = model, host, preset: _preset, neutral, unsupported = [], server: _server, ...flags } = given;
  const name = familyName(named);
  const row = rowOf(table.rows, name);
  const base = isVendors(table, name, row, host) ? table.newest : { ...table.neutral, ...neutral };
  return { ...withoutUnsupported({ ...base, ...row?.flags }, unsupported), ...flags };
}

/** Whether a name is in no row and has its profile because its vendor's newest model has it, by the name or by the host. */
export function isTakenForNewest(table: ProfileTable, model: string, choice: ProfileChoice | undefined): boolean {
  const { model: named = model, host } = typeof choice === 'string' ? { model: choice } : (choice ?? {});
  const name = familyName(named);
  const row = rowOf(table.rows, name);
  return row === undefined && isVendors(table, name, row, host);
}

/**
 * The most tokens that a model generates, where its flags say so or a row names this very model: what only begins like a row may be
 * another model. undefined = nobody knows.
 */
export function outputLimitIn(
  table: ProfileTable,
  model: string,
  choice: ProfileChoice | undefined,
): number | undefined {
  const { model: named = model, maxOutput } = typeof choice === 'string' ? { model: choice } : (choice ?? {});
  const name = familyName(named);
  const row = rowOf(table.rows, name);
  if (maxOutput !== undefined || row === undefined || !names(row, name)) return maxOutput;
  return resolveProfile(table, model, choice).maxOutput;
}

/** Whether a name is that of a row, with at most a date or a version of the same model behind it. */
export function names({ prefix }: { readonly prefix: string }, name: string): boolean {
  return name.startsWith(prefix) && /^(?:-(?:\d{8}|\d{4}-\d\d-\d\d))?(?:-v\d{1,2})?$/.test(name.slice(prefix.length));
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
