import { dirname } from 'node:path';
import { backendsInput } from './backend-flags.js';
import { defaultInput } from './defaults.js';
import { type Environment, type FileValue, interpolate } from './environment.js';
import { describeIssues } from './issues.js';
import { ConfigError, type Problem } from './problem.js';
import { resolveConfig } from './resolve.js';
import { type ConfigInput, schema } from './schema.js';
import { type ConfigText, findFile, locateProblems, parseConfigFile, readConfigFile } from './source.js';
import type { Config } from './types.js';

const READY = new WeakSet<object>();

/**
 * The configuration of a start (configuration.md): the given file, else the one of INTERLINGUA_CONFIG, else
 * `interlingua.yaml`, `.yml` or `.json` in the working directory, else what the keys in the environment make possible.
 * INTERLINGUA_HOST, INTERLINGUA_PORT and INTERLINGUA_LOG_LEVEL win over the file. Throws ConfigError.
 */
export function loadConfig(file?: string, environment: Environment = process.env): Config {
  return configOf(readConfigText(file, environment), environment);
}

/** What a start with these arguments would read; undefined when there is no file. Throws ConfigError. */
export function readConfigText(file?: string, environment: Environment = process.env): ConfigText | undefined {
  const found = findFile(file, environment);
  return found === undefined ? undefined : readConfigFile(found);
}

/** What the command line says in the place of the file's keys. */
export interface Flags {
  /** `NAME` or `NAME=URL`: what is served in the place of what the environment makes possible. */
  readonly backends?: readonly string[];
  readonly workers?: number;
  /** The file of `record.path`. */
  readonly record?: string;
  /** Changes what was read, before it is checked. */
  readonly edit?: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** The configuration of a start that read this, or found nothing to read. Throws ConfigError. */
export function configOf(
  file: ConfigText | undefined,
  environment: Environment = process.env,
  flags: Flags = {},
): Config {
  if (file === undefined) {
    const { backends = [] } = flags;
    const input = backends.length > 0 ? backendsInput(backends, environment) : defaultInput(environment);
    return namingVariables(environment, () => parseConfig(override(input, environment, flags)));
  }
  const parsed = parseConfigFile(file);
  try {
    const problems: Problem[] = [];
    const { value, fromFiles } = interpolate(parsed, environment, dirname(file.path), problems);
    if (problems.length > 0) throw new ConfigError(problems);
    return namingVariables(environment, () => checkConfig(override(keptOnDisk(value), environment, flags), fromFiles));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const own = error.problems.filter(({ variable }) => variable === true);
    const inFile = error.problems.filter(({ variable }) => variable !== true);
    throw new ConfigError([...own, ...locateProblems(file, inFile)]);
  }
}

/** Mistakes in values of variables have the name of the variable for a path. */
function namingVariables(environment: Environment, make: () => Config): Config {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(
      error.problems.map((problem) => {
        const path = variableAt(problem.path, environment);
        return path === undefined ? problem : { ...problem, path, variable: true };
      }),
    );
  }
}

/** Whether a start with these arguments would read a file, and which. */
export function configFile(file?: string, environment: Environment = process.env): string | undefined {
  return findFile(file, environment);
}

/** A configuration given as a value. Checked, completed and frozen; throws ConfigError. A finished one is returned as it is. */
export function parseConfig(input: ConfigInput | Config | unknown): Config {
  return isConfig(input) ? input : checkConfig(input, []);
}

/** The same for a value with texts of files in it. */
function checkConfig(input: unknown, fromFiles: readonly FileValue[]): Config {
  const parsed = schema.safeParse(input ?? {});
  if (!parsed.success) throw new ConfigError(describeIssues(parsed.error.issues, input ?? {}));
  const problems: Problem[] = [];
  const config = resolveConfig(parsed.data, problems, fromFiles);
  if (problems.length > 0) throw new ConfigError(problems);
  READY.add(config);
  return freeze(config);
}

function isConfig(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && READY.has(value);
}

/** Who writes a file means to stay: what is kept is kept on disk, unless the file says otherwise. A trial run leaves nothing. */
function keptOnDisk(value: unknown): unknown {
  if (!isFields(value)) return value;
  const { store = {} } = value;
  return isFields(store) ? { ...value, store: { type: 'lmdb', ...store } } : value;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The variables of the environment that stand in the place of keys of the file. */
const VARIABLES = [
  ['listen', 'host', 'INTERLINGUA_HOST'],
  ['listen', 'port', 'INTERLINGUA_PORT'],
  ['log', 'level', 'INTERLINGUA_LOG_LEVEL'],
] as const;

/** The variable of the environment from which the value at a path comes; undefined for what the file says. */
function variableAt(path: string, environment: Environment): string | undefined {
  const found = VARIABLES.find(([section, key]) => path === `${section}.${key}`);
  return found === undefined || (environment[found[2]] ?? '') === '' ? undefined : found[2];
}

/** Variables of the environment, and flags, in the place of the file's keys. */
function override(value: unknown, environment: Environment, { workers, record, edit }: Flags): unknown {
  if (!isFields(value)) return value;
  let changed: Record<string, unknown> = { ...value };
  for (const [section, key, name] of VARIABLES) {
    const text = environment[name] ?? '';
    const given = changed[section] ?? {};
    if (text !== '' && isFields(given)) changed = { ...changed, [section]: { ...given, [key]: text } };
  }
  if (record !== undefined)
    changed = { ...changed, record: { ...(isFields(changed.record) ? changed.record : {}), path: record } };
  if (workers !== undefined) changed = { ...changed, workers };
  return edit === undefined ? changed : edit(changed);
}

function freeze<T extends object>(value: T): T {
  for (const child of Object.values(value)) {
    if (typeof child === 'object' && child !== null && !Object.isFrozen(child)) freeze(child);
  }
  return Object.freeze(value);
}
