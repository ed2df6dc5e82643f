import { createRequire } from 'node:module';
import type { ConditionalPrice, MatchLogic, ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices';
import type { Prices, Rates, Target } from '../config/index.js';

/** What the package knows of a model. */
export interface Priced {
  readonly contextWindow?: number;
  readonly prices?: Prices;
}

type Package = typeof import('@pydantic/genai-prices');

/**
 * Looks models up in the data of `@pydantic/genai-prices`, of which only entries count whose own rule names the very name: its rules by
 * beginnings, ends and patterns guess. The package is loaded when it is first asked, takes nothing from the network, and is
 * the same for every request. `now` says which of several prices is in force.
 * @internal
 */
export function createGenaiPrices(now: () => Date = () => new Date()): (target: Target) => Priced | undefined {
  let loaded: Package | undefined;
  /** By the root of a backend: by each exact name, the entry and whose it is. */
  const byRoot = new Map<string, ReadonlyMap<string, Entry>>();
  return ({ backend: { baseUrl }, model }) => {
    if (baseUrl === undefined) return undefined;
    loaded ??= createRequire(import.meta.url)('@pydantic/genai-prices') as Package;
    const entries = byRoot.get(baseUrl) ?? entriesOf(loaded.findProvider({ providerApiUrl: baseUrl }));
    byRoot.set(baseUrl, entries);
    const entry = namesOf(model)
      .map((name) => entries.get(name))
      .find((one) => one !== undefined);
    if (entry === undefined) return undefined;
    const prices = pricesIn(inForce(loaded, entry, now()));
    return {
      ...(entry.model.context_window !== undefined && { contextWindow: entry.model.context_window }),
      ...(prices !== undefined && { prices }),
    };
  };
}

interface Entry {
  readonly model: ModelInfo;
  readonly provider: Provider;
}

function entriesOf(provider: Provider | undefined): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  for (const model of provider?.models ?? [])
    for (const name of [model.id, ...namedBy(model.match)])
      if (provider !== undefined) found.set(name.toLowerCase(), { model, provider });
  return found;
}

/** The names for which a rule says that they are this model, and no others. */
function namedBy(rule: MatchLogic): readonly string[] {
  if ('or' in rule) return rule.or.flatMap(namedBy);
  return 'equals' in rule ? [rule.equals] : [];
}

/**
 * The name, then the name without a date and without the version of a cloud. What else may stand around a name stays: a region or a tag may be
 * another price (`global.`, `:free`), and what is fine-tuned is (`ft:`).
 */
function namesOf(model: string): readonly string[] {
  const name = model.toLowerCase().replace(/^models\//, '');
  const unversioned = name.replace(/-v\d{1,2}(?::\d{1,2})?$/, '');
  const undated = unversioned.replace(/[-@](?:\d{8}|\d{4}-\d\d-\d\d)$/, '');
  return [...new Set([name, unversioned, undated])];
}

/** The price that holds at a time: the package itself says which, of this one entry. */
function inForce({ calcPrice }: Package, { model, provider }: Entry, timestamp: Date): ModelPrice | undefined {
  const { prices } = model;
  if (!isConditional(prices)) return prices;
  const only = { ...provider, models: [{ ...model, match: { equals: model.id } }] };
  return calcPrice({}, model.id, { provider: only, timestamp })?.model_price;
}

function isConditional(prices: ModelInfo['prices']): prices is ConditionalPrice[] {
  return Array.isArray(prices);
}

const KEYS = {
  input_mtok: 'input',
  output_mtok: 'output',
  cache_read_mtok: 'cacheRead',
  cache_write_mtok: 'cacheWrite',
  cache_write_1h_mtok: 'cacheWrite1h',
} as const satisfies Record<string, keyof Rates>;

/** What is no price of a text, and costs nothing where there are texts alone: other media, and what tools do beside. */
const BESIDE = /^(?:(?:input|output|cache)_(?:audio|image|video)(?:_read)?_mtok|(?:web|storage)_searches_kcount)$/;

/** The prices of texts; undefined where something is paid that they have no place for, such as each request. */
function pricesIn(price: ModelPrice | undefined): Prices | undefined {
  if (price === undefined || Object.keys(price).some((key) => !Object.hasOwn(KEYS, key) && !BESIDE.test(key)))
    return undefined;
  const rates: { -readonly [Key in keyof Rates]: Rates[Key] } = {};
  const steps = new Map<number, typeof rates>();
  for (const [key, name] of Object.entries(KEYS)) {
    const value = price[key];
    if (value === undefined) continue;
    rates[name] = typeof value === 'number' ? value : value.base;
    for (const { start, price: above } of typeof value === 'number' ? [] : value.tiers)
      steps.set(start, { ...steps.get(start), [name]: above });
  }
  if (Object.keys(rates).length === 0) return undefined;
  const above = [...steps].sort(([a], [b]) => a - b).map(([tokens, changed]) => ({ tokens, ...changed }));
  return { ...rates, ...(above.length > 0 && { above }) };
}
