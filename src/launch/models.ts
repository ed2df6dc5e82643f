import { type Config, createTargets } from '../config/index.js';
import { createModels } from '../models/index.js';
import type { Sizes } from './agent.js';

/** Whether a name leads to a model. */
export function leads(config: Config, model: string): boolean {
  return createTargets(config).resolve(model).length > 0;
}

/** Names of the configuration that can be asked for. */
export function knownModels({ models }: Config): readonly string[] {
  return Object.keys(models);
}

/** The sizes of a model as the configuration knows them. */
export function sizesIn(config: Config, model: string): Sizes {
  const { contextWindow, maxOutput } = createModels(config, createTargets(config), () => new Map()).named(model);
  return { window: contextWindow?.value, output: maxOutput?.value };
}
