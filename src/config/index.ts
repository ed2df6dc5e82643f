export { BACKEND_KEY, FlagsError } from './backend-flags.js';
export { endpointFor } from './endpoints.js';
export { digestOfFile } from './environment.js';
export { checkExposure } from './exposure.js';
export { followable } from './follow.js';
export { configSchema } from './json-schema.js';
export { learnableOf, type RestrictionKind } from './learnable.js';
export { configFile, configOf, loadConfig, parseConfig, readConfigText } from './load.js';
export { ConfigError, formatProblem, type Problem } from './problem.js';
export { profileNameFault } from './profile-name.js';
export type { ConfigInput } from './schema.js';
export type { ConfigText } from './source.js';
export { atEndpoint, createTargets, type Target, type Targets } from './targets.js';
export type {
  BackendConfig,
  BreakerConfig,
  Config,
  KeyConfig,
  LimitsConfig,
  LogLevel,
  ModelConfig,
  Prices,
  Rates,
  RecordConfig,
  SigningConfig,
  StoreConfig,
  TargetConfig,
  Timeouts,
} from './types.js';
export { parseYaml, YamlError } from './yaml.js';
