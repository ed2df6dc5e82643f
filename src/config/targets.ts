import type { DialectId, ProfileChoice } from '../../translators/index.js';
import { matchesName } from '../ground/index.js';
import { createModelMap, profileAt, weighted, withCap } from '../protocol/index.js';
import { endpointFor } from './endpoints.js';
import type { BackendConfig, Config, ModelConfig, TargetConfig } from './types.js';

/** The choice for one exchange: a backend and its name for the model. */
export interface Target {
  readonly backend: BackendConfig;
  readonly model: string;
  /** What the configuration says about the model's abilities, nearest first. */
  readonly profile: ProfileChoice | undefined;
  /** What the file says of the model, each key from the nearest place that has it. */
  readonly said: ModelConfig;
  /** The same without what is known of the backend's host. */
  readonly given?: ProfileChoice | undefined;
  /** Its part of the model's requests, among the targets that have one. */
  readonly weight: number | undefined;
}

/** Finds the targets of model names. */
export interface Targets {
  /** In the order of the configuration; empty when no name or pattern fits. */
  resolve(model: string): readonly Target[];
  /** Whether all targets of a name have an endpoint of the dialect, without what is resolved of each; false where there are none. */
  areOf(model: string, dialect: DialectId): boolean;
  /** In an order in which they may be tried, drawn anew each time where targets have weights. */
  draw(model: string): readonly Target[];
  /** The name or pattern of the configuration that a model name fits. */
  nameOf(model: string): string | undefined;
}

/** Looked up: the exact name, the longest pattern, then `*` (configuration.md#rules). `random` gives numbers from 0 to below 1. */
export function createTargets(config: Config, random: () => number = Math.random): Targets {
  const find = createModelMap(config.models);
  const exact = new Map(
    Object.entries(config.models)
      .filter(([name]) => !name.endsWith('*'))
      .map(([name, targets]) => [name, targets.flatMap((target) => resolveTarget(config, target, name, ''))] as const),
  );
  const resolve = (model: string): readonly Target[] => {
    const list = exact.get(model);
    if (list !== undefined) return list;
    const found = find(model);
    return found === undefined ? [] : found.value.flatMap((target) => resolveTarget(config, target, model, found.star));
  };
  return {
    nameOf: (model) => find(model)?.name,
    resolve,
    areOf(model, dialect) {
      const known = exact.get(model)?.map(({ backend }) => backend);
      const backends = known ?? find(model)?.value.map(({ backend }) => config.backends[backend]) ?? [];
      return backends.length > 0 && backends.every((backend) => backend !== undefined && endpointFor(backend, dialect));
    },
    draw: (model) => weighted(resolve(model), random),
  };
}

function resolveTarget(config: Config, target: TargetConfig, model: string, star: string): Target[] {
  const backend = config.backends[target.backend];
  if (backend === undefined) return [];
  const name = target.model === undefined ? model : target.model.replace('*', () => star);
  const said = saidOf(target, backend, name);
  const given = withCap(target.profile ?? backend.profile, said.maxOutput);
  return [
    {
      backend,
      model: name,
      profile: profileAt(backend, given),
      given,
      said,
      weight: target.weight,
    },
  ];
}

/**
 * What the file says of a backend's model: at the target, then under the backend's exact name, then under its patterns, the longest
 * first. The cap among the flags of a profile is said by the file too.
 */
export function saidOf(target: TargetConfig, backend: BackendConfig, model: string): ModelConfig {
  const fitting = Object.entries(backend.models)
    .filter(([pattern]) => matchesName(pattern, model))
    .sort(([a], [b]) => Number(a.endsWith('*')) - Number(b.endsWith('*')) || b.length - a.length);
  const least = target.profile === undefined ? flagged(backend.profile) : {};
  const places = [target, flagged(target.profile), ...fitting.map(([, said]) => said), least];
  const found: { -readonly [Key in keyof ModelConfig]: ModelConfig[Key] } = {};
  for (const { contextWindow, maxOutput, prices, title } of places) {
    found.contextWindow ??= contextWindow;
    found.maxOutput ??= maxOutput;
    found.prices ??= prices;
    found.title ??= title;
  }
  return found;
}

function flagged(profile: ProfileChoice | undefined): ModelConfig {
  return typeof profile === 'object' && profile.maxOutput !== undefined ? { maxOutput: profile.maxOutput } : {};
}

/** Of the targets of exact names, which live as long as their configuration. */
const atEndpoints = new WeakMap<Target, Map<BackendConfig, Target>>();

/** The same target by another endpoint of its backend. */
export function atEndpoint(target: Target, endpoint: BackendConfig): Target {
  if (target.backend === endpoint) return target;
  const known = atEndpoints.get(target);
  const before = known?.get(endpoint);
  if (before !== undefined) return before;
  const made = { ...target, backend: endpoint, profile: profileAt(endpoint, target.given) };
  if (known === undefined) atEndpoints.set(target, new Map([[endpoint, made]]));
  else known.set(endpoint, made);
  return made;
}
