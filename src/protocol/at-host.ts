import type { DialectId, ProfileChoice } from '../../translators/index.js';
import { calledPresets, dialectsOf, isPresetName, lookUpHost, type PresetName, presetNames } from '../presets/index.js';
import { ownService, profileAt } from './address.js';

/** What is known of models at a host. */
export interface AtHost {
  /** What to translate for. */
  readonly profile: ProfileChoice | undefined;
  /** The service whose rules are known is there. */
  readonly checks: boolean;
  /** It is the enterprise host of that service. */
  readonly cloud: boolean;
}

/** A host that is none. `unknown` = the word that is not known, and those that are. */
export class HostError extends Error {
  readonly unknown: { readonly word: string; readonly known: readonly string[] } | undefined;

  constructor(message: string, unknown?: HostError['unknown']) {
    super(message);
    this.unknown = unknown;
  }
}

/**
 * What is known at a host, a preset by its name or an address; undefined = the vendor's own. `profile` is the name of the model
 * whose abilities are taken, where that is said. Throws HostError for a host that is none, or that is not known to speak the dialect.
 */
export function atHost(dialect: DialectId, word: string | undefined, profile: string | undefined): AtHost {
  if (word === undefined) return { profile, checks: true, cloud: false };
  const { name, baseUrl } = placeOf(dialect, word);
  const preset = name && ({ name, by: 'name' } as const);
  const { unsupported = [] } = (name && calledPresets[name].endpoints[dialect]) ?? {};
  const service = ownService({ baseUrl, dialect, preset });
  return {
    profile: profileAt({ baseUrl, dialect, unsupported, preset }, profile),
    checks: service !== undefined,
    cloud: service === 'cloud',
  };
}

function placeOf(dialect: DialectId, word: string): { readonly name?: PresetName; readonly baseUrl: string } {
  if (isPresetName(word)) {
    const endpoint = calledPresets[word].endpoints[dialect];
    const spoken = dialectsOf(calledPresets[word]).join(', ');
    if (endpoint === undefined) throw new HostError(`${word} is not known to speak ${dialect} but ${spoken}`);
    return { name: word, baseUrl: endpoint.root ?? endpoint.example ?? '' };
  }
  const address = word.includes('://') ? word : `https://${word}`;
  const isAddress = URL.canParse(address) && /[.:]/.test(word);
  if (!isAddress) throw new HostError(`${word} is neither a known host nor an address`, { word, known: presetNames });
  const name = lookUpHost(new URL(address), dialect)?.name;
  return { baseUrl: address, ...(name !== undefined && { name }) };
}
