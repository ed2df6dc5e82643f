import { type Config, createTargets } from '../config/index.js';

/** Whether a name leads to a model. */
export function leads(config: Config, model: string): boolean {
  return createTargets(config).resolve(model).length > 0;
}

/** Names of the configuration that can be asked for. */
export function knownModels({ models }: Config): readonly string[] {
  return Object.keys(models);
}
