import type { DialectId, ProfileChoice } from '../../translators/index.js';
import { profileNameFault } from '../config/index.js';
import { matchesName } from '../ground/index.js';
import { dialectsOf, isPresetName, lookUpHost, type PresetName, presetNames, presets } from '../presets/index.js';
import { ownService, profileAt } from '../protocol/index.js';
import { UsageError } from './command.js';

/** What is known of models at a host. */
export interface AtHost {
  /** What to translate for. */
  readonly profile: ProfileChoice | undefined;
  /** The service whose rules are known is there. */
  readonly checks: boolean;
  /** It is the enterprise host of that service. */
  readonly cloud: boolean;
}

/**
 * What is known at the host that `--host` names, a preset or an address; undefined = the vendor's own. `profile` is what
 * `--profile` says. Throws UsageError for a host that is none, or that is not known to speak the dialect, and for a profile that is none.
 */
export function atHost(dialect: DialectId, word: string | undefined, profile: string | undefined): AtHost {
  const fault = profile === undefined ? undefined : profileNameFault(profile, dialect);
  if (fault !== undefined) throw new UsageError(`--profile: ${profile} ${fault}`);
  if (word === undefined) return { profile, checks: true, cloud: false };
  const { name, baseUrl } = placeOf(dialect, word);
  const preset = name && ({ name, by: 'name' } as const);
  const { unsupported = [] } = (name && presets[name].endpoints[dialect]) ?? {};
  const service = ownService({ baseUrl, dialect, preset });
  return {
    profile: profileAt({ baseUrl, dialect, unsupported, preset }, profile),
    checks: service !== undefined,
    cloud: service === 'cloud',
  };
}

function placeOf(dialect: DialectId, word: string): { readonly name?: PresetName; readonly baseUrl: string } {
  if (isPresetName(word)) {
    const endpoint = presets[word].endpoints[dialect];
    const spoken = dialectsOf(presets[word]).join(', ');
    if (endpoint === undefined) throw new UsageError(`--host: ${word} is not known to speak ${dialect} but ${spoken}`);
    return { name: word, baseUrl: endpoint.root ?? endpoint.example ?? '' };
  }
  const address = word.includes('://') ? word : `https://${word}`;
  const isAddress = URL.canParse(address) && /[.:]/.test(word);
  if (!isAddress)
    throw new UsageError(`--host: ${word} is neither a known host nor an address`, { word, known: presetNames });
  const name = lookUpHost(new URL(address), dialect)?.name;
  return { baseUrl: address, ...(name !== undefined && { name }) };
}

/** A value for the models that fit a pattern. */
export interface ForModels {
  readonly pattern: string;
  readonly value: string;
}

/** Reads an option that may be given several times, as `VALUE` for all models or as `PATTERN=VALUE` for some. */
export function readForModels(texts: readonly string[]): readonly ForModels[] {
  return texts.map((value) => {
    // The query of an address has signs of equality too.
    const [, pattern, own] = /^((?:(?!:\/\/)[^=?])+)=(.+)$/.exec(value) ?? [];
    return pattern === undefined || own === undefined ? { pattern: '*', value } : { pattern, value: own };
  });
}

/** The value for a model. An exact name is before a pattern, a longer pattern before a shorter one. */
export function valueFor(values: readonly ForModels[], model: string): string | undefined {
  const fitting = values.filter(({ pattern }) => matchesName(pattern, model));
  return fitting.toSorted((a, b) => rank(b) - rank(a))[0]?.value;
}

function rank({ pattern }: ForModels): number {
  return pattern.endsWith('*') ? pattern.length : Number.POSITIVE_INFINITY;
}
