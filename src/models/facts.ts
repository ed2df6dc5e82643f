import { dialects } from '../../translators/index.js';
import type { Config, ModelConfig, Prices, Target, Targets } from '../config/index.js';
import { createGenaiPrices, type Priced } from './genai-prices.js';

/** Stands for every name of a server that has one model and does not read names. */
export const ANY = '*';

/** Where a fact comes from, in the order in which they are asked. */
export type FactSource = 'file' | 'host' | 'profile' | 'genai-prices';

/** What is known, and from where. */
export interface Fact<Value> {
  readonly value: Value;
  readonly source: FactSource;
}

/** A window in tokens: of input and output together, or `inputAlone`. */
export interface WindowFact extends Fact<number> {
  readonly inputAlone?: true;
}

/** What is known of a model at its backend; what is absent nobody knows. */
export interface ModelFacts {
  readonly contextWindow?: WindowFact;
  /** The most tokens that it generates. */
  readonly maxOutput?: Fact<number>;
  readonly prices?: Fact<Prices>;
  /** Its name for people. */
  readonly title?: Fact<string>;
}

/** What is known of a name that clients use: it may lead to several models, whose prices differ. */
export type NameFacts = Omit<ModelFacts, 'prices'>;

/** What a host told of its model when it was last asked. */
export type Told = Pick<ModelConfig, 'contextWindow' | 'maxOutput' | 'title'> & Pick<WindowFact, 'inputAlone'>;

/** The same by backend, and by its name of the model. */
export type ToldByBackend = ReadonlyMap<string, ReadonlyMap<string, Told>>;

/** What is known of the models behind names. Nothing is asked for it: from hosts what the last look at their lists found. */
export interface Models {
  /** One fact of a target. */
  fact<Name extends keyof ModelFacts>(target: Target, name: Name): ModelFacts[Name];
  /** All facts of a target. */
  of(target: Target): ModelFacts;
  /** Of a name: the smallest window and output of all its targets, unknown where one is; the first title. */
  named(model: string): NameFacts;
}

type Sources = { readonly [Name in keyof ModelFacts]-?: (target: Target) => ModelFacts[Name] };

/** `told` gives what hosts told so far. The package of prices is asked where the configuration names it. */
export function createModels(
  { prices }: Pick<Config, 'prices'>,
  targets: Pick<Targets, 'resolve'>,
  told: () => ToldByBackend,
): Models {
  const priced = prices === undefined ? (): Priced | undefined => undefined : createGenaiPrices();
  const hostOf = ({ backend, model }: Target): Told => toldOf(told().get(backend.name), model) ?? {};
  const sources: Sources = {
    contextWindow(target) {
      const { contextWindow, inputAlone } = hostOf(target);
      const host: WindowFact | undefined = factOf(contextWindow, 'host');
      return (
        factOf(target.said.contextWindow, 'file') ??
        (host && inputAlone ? { ...host, inputAlone } : host) ??
        factOf(priced(target)?.contextWindow, 'genai-prices')
      );
    },
    maxOutput: (target) =>
      firstOf(target.said.maxOutput, hostOf(target).maxOutput) ?? factOf(outputOfProfile(target), 'profile'),
    prices: (target) => factOf(target.said.prices, 'file') ?? factOf(priced(target)?.prices, 'genai-prices'),
    title: (target) => firstOf(target.said.title, hostOf(target).title),
  };
  return {
    fact: <Name extends keyof ModelFacts>(target: Target, name: Name) =>
      (sources[name] as (of: Target) => ModelFacts[Name])(target),
    of: (target) => ({
      ...present('contextWindow', sources.contextWindow(target)),
      ...present('maxOutput', sources.maxOutput(target)),
      ...present('prices', sources.prices(target)),
      ...present('title', sources.title(target)),
    }),
    named(model) {
      const found = targets.resolve(model);
      return {
        ...present('contextWindow', smallest(found.map(sources.contextWindow))),
        ...present('maxOutput', smallest(found.map(sources.maxOutput))),
        ...present(
          'title',
          found.map(sources.title).find((title) => title !== undefined),
        ),
      };
    },
  };
}

/** The window of a target, by the file or its host. A price list is not asked: it knows of no server. */
export function windowOfServer(models: Pick<Models, 'fact'>, target: Target): WindowFact | undefined {
  const window = models.fact(target, 'contextWindow');
  return window?.source === 'genai-prices' ? undefined : window;
}

/** What is told of a model: by its name, else of whatever name a server is called by. */
export function toldOf(told: ReadonlyMap<string, Told> | undefined, model: string): Told | undefined {
  return told?.get(model) ?? told?.get(ANY);
}

/** The cap of a row that names this very model: of one that begins like another nobody knows. */
function outputOfProfile({ backend, model, profile }: Target): number | undefined {
  return backend.simulator ? undefined : dialects[backend.dialect].outputLimit(model, profile);
}

function firstOf<Value>(file: Value | undefined, host: Value | undefined): Fact<Value> | undefined {
  return factOf(file, 'file') ?? factOf(host, 'host');
}

function factOf<Value>(value: Value | undefined, source: FactSource): Fact<Value> | undefined {
  return value === undefined ? undefined : { value, source };
}

function present<Name extends keyof ModelFacts>(name: Name, fact: ModelFacts[Name]): Pick<ModelFacts, Name> {
  return (fact === undefined ? {} : { [name]: fact }) as Pick<ModelFacts, Name>;
}

function smallest(facts: readonly (Fact<number> | undefined)[]): Fact<number> | undefined {
  return facts.reduce(
    (least, fact) => (least === undefined || fact === undefined || least.value <= fact.value ? fact && least : fact),
    facts[0],
  );
}
