import type { ProfileChoice } from '../translators/index.js';
import type { BackendConfig, Config, TargetConfig } from './config.js';
import { starOf } from './pattern.js';

/** The choice for one exchange: a backend and its name for the model. */
export interface Target {
  readonly backend: BackendConfig;
  readonly model: string;
  /** What the configuration says about the model's abilities, nearest first. */
  readonly profile: ProfileChoice | undefined;
}

/** Finds the targets of model names. */
export interface Targets {
  /** In the order in which they are tried; empty when no name or pattern fits. */
  resolve(model: string): Target[];
}

/** Looked up: the exact name, the longest pattern, then `*` (contract.md 3.1). */
export function createTargets(config: Config): Targets {
  const exact = new Map(Object.entries(config.models).filter(([name]) => !name.endsWith('*')));
  const patterns = Object.entries(config.models)
    .filter(([name]) => name.endsWith('*'))
    .sort(([a], [b]) => b.length - a.length);
  return {
    resolve(model) {
      const list = exact.get(model);
      if (list !== undefined) return list.flatMap((target) => resolveTarget(config, target, model, ''));
      const found = patterns.find(([pattern]) => model.startsWith(pattern.slice(0, -1)));
      if (found === undefined) return [];
      const [pattern, targets] = found;
      return targets.flatMap((target) => resolveTarget(config, target, model, starOf(pattern, model)));
    },
  };
}

function resolveTarget(config: Config, target: TargetConfig, model: string, star: string): Target[] {
  const backend = config.backends[target.backend];
  if (backend === undefined) return [];
  return [
    {
      backend,
      model: target.model === undefined ? model : target.model.replace('*', () => star),
      profile: target.profile ?? backend.profile,
    },
  ];
}
