import { createBackends } from '../backend/index.js';
import { type Config, createTargets } from '../config/index.js';
import { createCatalog, createModels, type FactsOf } from '../models/index.js';
import { createLog } from '../observe/index.js';

/** Looks facts up in the file, the profiles and the package of prices; with `ask` every backend is asked for what it tells of its models. */
export async function openFacts(config: Config, ask: boolean): Promise<FactsOf> {
  const targets = createTargets(config);
  const models = ask ? await askedModels(config) : createModels(config, targets, () => new Map());
  return (target) => (target === undefined ? {} : models.of(target));
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
