import { createBackends } from '../backend/index.js';
import { type Config, createTargets, type Prices, type Target } from '../config/index.js';
import { createCatalog, createModels, type ModelFacts } from '../models/index.js';
import { createLog } from '../observe/index.js';

/** What is known of the model of a target; of one that a pattern leads on to, nothing is. */
export type FactsOf = (target: Target | undefined) => ModelFacts;

/** Looks facts up in the file, the profiles and the package of prices; with `ask` every backend is asked for what it tells of its models. */
export async function openFacts(config: Config, ask: boolean): Promise<FactsOf> {
  const targets = createTargets(config);
  const models = ask ? await askedModels(config) : createModels(config, targets, () => new Map());
  return (target) => (target === undefined || target.model.includes('*') ? {} : models.of(target));
}

/** A backend that cannot be asked has a line in the log. */
async function askedModels(config: Config) {
  const { logger, flush } = createLog(config.log.level);
  const backends = createBackends(config, logger);
  try {
    const { discover, models } = createCatalog(config, backends, createTargets(config), logger);
    await discover();
    return models;
  } finally {
    await backends.close();
    flush();
  }
}

/** The facts in one line, each with its source; '' where nothing is known. */
export function describeFacts({ contextWindow, maxOutput, prices, title }: ModelFacts): string {
  return [
    contextWindow && `contextWindow ${contextWindow.value} (${contextWindow.source})`,
    maxOutput && `maxOutput ${maxOutput.value} (${maxOutput.source})`,
    prices && `prices ${describePrices(prices.value)} (${prices.source})`,
    title && `title ${title.value} (${title.source})`,
  ]
    .filter((fact) => fact !== undefined)
    .join('; ');
}

function describePrices({ above = [], ...rates }: Prices): string {
  const list = (one: object): string =>
    Object.entries(one)
      .flatMap(([name, rate]) => `${name} ${rate}`)
      .join(', ');
  return [list(rates), ...above.map(({ tokens, ...changed }) => `above ${tokens} tokens ${list(changed)}`)].join(', ');
}
