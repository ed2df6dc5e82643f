import { type Config, createTargets } from '../config/index.js';
import { createModels } from '../models/index.js';
import type { Sizes } from './agent.js';

/** Whether a name leads to a model. */
export function leads(config: Config, model: string): boolean {
  return createTargets(config).resolve(model).length > 0;
}

/** Where a name leads first, for people: `local (responses) gpt-5`. */
export function leadsTo(config: Config, model: string): string {
  const [first, ...others] = createTargets(config).resolve(model);
  if (first === undefined) return 'nowhere';
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `${first.backend.name} (${first.backend.dialect}) ${first.model}${more}`;
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
