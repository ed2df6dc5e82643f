import type { DialectId } from '../../translators/index.js';
import type { ConfigInput } from '../config/index.js';
import { lookUpHost, type PresetName, presetNames, presets } from '../presets/index.js';
import type { Draft } from './draft.js';

type BackendInput = ConfigInput['backends'][string];

/** A vendor or a kind of server as other gateways name it. */
export interface Provider {
  readonly preset?: PresetName;
  /** The dialect there where no preset names it, or where the other gateway speaks this one alone. */
  readonly dialect?: DialectId;
}

/** What LiteLLM, Portkey and claude-code-router call vendors, where it is not the name of a preset. */
const NAMES: Readonly<Record<string, Provider>> = {
  'azure-openai': { preset: 'azure' },
  azure_ai: { preset: 'foundry' },
  'azure-ai': { preset: 'foundry' },
  google: { preset: 'gemini' },
  vertex_ai: { preset: 'vertex' },
  'vertex-ai': { preset: 'vertex' },
  together_ai: { preset: 'together' },
  'together-ai': { preset: 'together' },
  fireworks_ai: { preset: 'fireworks' },
  'fireworks-ai': { preset: 'fireworks' },
  'mistral-ai': { preset: 'mistral' },
  'perplexity-ai': { preset: 'perplexity' },
  'x-ai': { preset: 'xai' },
  dashscope: { preset: 'qwen' },
  zhipu: { preset: 'zai' },
  ollama_chat: { preset: 'ollama' },
  hosted_vllm: { preset: 'vllm' },
  lm_studio: { preset: 'lmstudio' },
  custom_openai: { dialect: 'chatCompletions' },
  openai_like: { dialect: 'chatCompletions' },
  llamafile: { dialect: 'chatCompletions' },
  litellm_proxy: { dialect: 'chatCompletions' },
};

/** The names by which a vendor is known. */
export const providerNames: readonly string[] = [...presetNames, ...Object.keys(NAMES)];

/** What is known of a vendor by its name elsewhere; undefined for one that nobody knows. */
export function providerOf(name: string): Provider | undefined {
  if (Object.hasOwn(presets, name)) return { preset: name as PresetName };
  return Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
}

/** The variable with the key of a vendor: as its preset has it, else by its name. */
function variableOf(name: string): string {
  const { preset } = providerOf(name) ?? {};
  return (preset && presets[preset].variable) ?? `${name.toUpperCase().replace(/\W+/g, '_')}_API_KEY`;
}

/** What other gateways want as the address of one endpoint. */
const ENDPOINT = /\/(?:messages|responses|chat\/completions|completions|models)\/?$/;

/**
 * Where a backend is: by the vendor alone, or by an address, whose host identifies more than the vendor's name where it is known. An address
 * may be that of an endpoint. Without a vendor, and at a host that nobody knows, `fallback` is spoken.
 */
export function placeOf(provider: Provider | undefined, address: string | undefined, fallback: DialectId): Place {
  if (address === undefined) return { ...provider };
  const baseUrl = address.replace(ENDPOINT, '');
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const found = url && lookUpHost(url, provider?.dialect)?.name;
  if (url === undefined || found === undefined) {
    // A server of one's own that speaks like a vendor is not the vendor.
    const own = provider?.preset !== undefined && isOwnPlace(provider.preset) ? provider : undefined;
    return { ...(own ?? { dialect: dialectAt(provider, fallback) }), baseUrl };
  }
  const { dialect } = provider ?? {};
  const isUsual = Object.values(presets[found].endpoints).some(
    ({ root }) => root !== undefined && new URL(root).origin === url.origin,
  );
  return { preset: found, ...(dialect && { dialect }), ...(!isUsual && { baseUrl }) };
}

type Place = Pick<BackendInput, 'preset' | 'dialect' | 'baseUrl'>;

/** The name of a backend: that of its preset; of a server that only speaks like a vendor its host; else the vendor's. */
export function nameFor({ preset, baseUrl = '' }: Place, vendor = ''): string {
  if (preset !== undefined) return preset;
  if (vendor !== '' && providerOf(vendor) === undefined) return vendor;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return /^[a-z][\w.-]*\.[a-z]+$/.test(host) ? host : 'server';
}

/**
 * The key of a backend: the given one, else that of the variable of its preset where it needs one. A server that only speaks like a
 * vendor never gets the vendor's.
 */
export function keyFor(
  place: Place,
  vendor: string | undefined,
  given: { readonly text: string | undefined; readonly path: string },
  draft: Draft,
): string | undefined {
  const preset = place.preset as PresetName | undefined;
  if (preset !== undefined && presets[preset].key === 'none') return undefined;
  const variable = variableOf(preset ?? nameFor(place, vendor));
  if (given.text !== undefined) return draft.secret(given.text, given.path, variable);
  return preset !== undefined && presets[preset].key === 'needed' ? draft.variable(variable) : undefined;
}

/** Why nothing can be called at a place; undefined where something can. */
export function faultOfPlace({ preset, baseUrl }: Place): string | undefined {
  if (baseUrl === undefined) {
    const known = preset === undefined ? [] : Object.values(presets[preset as PresetName].endpoints);
    return known.some(({ root }) => root !== undefined) ? undefined : 'it has no address';
  }
  // What a variable holds is checked at the start.
  const url = baseUrl.replaceAll(/\$\{\w+\}/g, 'variable');
  return baseUrl.startsWith('${') || (/^https?:/.test(url) && URL.canParse(url)) ? undefined : 'its address is no URL';
}

/** Presets of servers that every customer has at an address of his own. */
function isOwnPlace(preset: PresetName): boolean {
  return presets[preset].key === 'optional' || presets[preset].hosts.every((host) => host.includes('*'));
}

/** What a vendor's compatible server speaks: the dialect of the vendor where that is the only one, else what is usual. */
function dialectAt(provider: Provider | undefined, fallback: DialectId): DialectId {
  if (provider?.dialect !== undefined) return provider.dialect;
  const [first] =
    provider?.preset === undefined ? [] : (Object.keys(presets[provider.preset].endpoints) as DialectId[]);
  return provider?.preset !== undefined && NATIVE.has(provider.preset) && first !== undefined ? first : fallback;
}

/** Vendors whom other gateways call in the vendor's own dialect. */
const NATIVE: ReadonlySet<PresetName> = new Set(['anthropic', 'gemini']);

/** Headers, with those that may hold a secret as references. */
export function headersOf(
  headers: Readonly<Record<string, unknown>>,
  path: string,
  name: string,
  draft: Draft,
): BackendInput['headers'] {
  const kept = Object.entries(headers).flatMap(([header, value]): [string, string][] => {
    if (typeof value !== 'string') {
      draft.note(`${path}.${header}`, 'no place', 'is no text');
      return [];
    }
    if (!maySecret(header, value)) return [[header, draft.reference(value)]];
    const [, scheme = '', own = value] = /^([A-Za-z]+ )(\S+)$/.exec(value) ?? [];
    const variable = `${name}_${header}`.toUpperCase().replace(/\W+/g, '_');
    const secret = draft.secret(own, `${path}.${header}`, variable);
    return secret === undefined ? [] : [[header, `${scheme}${secret}`]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Whether a value may be a secret, by its name or its form: one too many is a variable to set, one too few is in the file. */
function maySecret(name: string, value: string): boolean {
  if (SECRET_NAME.test(name)) return true;
  if (PLAIN_NAME.test(name)) return false;
  return SECRET_VALUE.test(value) || (value.match(LONG_WORDS) ?? []).some((word) => /\d/.test(word));
}

const SECRET_NAME =
  /auth|key|token|secret|cookie|passw|pwd|credential|subscription|signature|session|jwt|^(?:sig|code|pass)$/i;
/** What dates of versions and addresses stand in. */
const PLAIN_NAME = /version|beta|user-agent|referer|title|organi[sz]ation|project|region|^accept|^content-/i;
/** A word behind a scheme, or a prefix of keys. */
const SECRET_VALUE = /^(?:Bearer|Basic|Token|ApiKey) |^(?:sk|pk|rk|gsk|xai|hf|ghp|AIza|AKIA)[-_A-Z0-9]/i;
/** Those with a digit may be keys. */
const LONG_WORDS = /[\w+/=.~-]{20,}/g;

/** An address with references; what its query holds under the name of a secret becomes one. */
export function addressOf(text: string, path: string, draft: Draft): string {
  const query = /([?&])([^?=&#]+)=([^&#]+)/g;
  return draft.reference(text).replace(query, (whole, sign: string, name: string, value: string) => {
    if (!maySecret(name, value)) return whole;
    return `${sign}${name}=${draft.secret(value, path, 'ADDRESS_KEY') ?? value}`;
  });
}
