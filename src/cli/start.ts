import { type Config, type ConfigText, configOf, FlagsError, formatProblem, readConfigText } from '../config/index.js';
import { textOf, textsOf, UsageError, type Values } from './command.js';

/** What the command line says about a start of the gateway. */
export interface Start {
  readonly config: string | undefined;
  /** Backends that are served without a file, as `NAME` or `NAME=URL`. */
  readonly backends: readonly string[];
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly workers: number | undefined;
  /** The file in which exchanges are recorded. */
  readonly record: string | undefined;
  readonly insecure: boolean;
  /** Whether it makes itself fast for the first requests, and for those after a pause. */
  readonly warmUp: boolean;
}

/** Throws UsageError for numbers that are none, and for what excludes each other. */
export function startOf(values: Values): Start {
  const [config, backends] = [textOf(values, 'config'), textsOf(values, 'backend')];
  if (config !== undefined && backends.length > 0)
    throw new UsageError('--backend starts without a file: leave out --config, or write the backend there');
  return {
    config,
    backends,
    host: textOf(values, 'host'),
    port: numberOf(values, 'port', 0, 65535),
    workers: numberOf(values, 'workers', 1, 1024),
    record: textOf(values, 'record'),
    insecure: values.insecure === true,
    warmUp: values.warmUp !== false,
  };
}

function numberOf(values: Values, name: string, least: number, most: number): number | undefined {
  const text = textOf(values, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number >= least && number <= most) return number;
  throw new UsageError(`--${name} must be a number from ${least} to ${most}, not ${text}`);
}

/** A configuration, and the file it was read from; undefined = there is none, and the environment made it. */
export interface Read {
  readonly file: ConfigText | undefined;
  readonly config: Config;
}

/** The file that makes the configuration; undefined = there is none. Throws ConfigError. */
export function fileOf({ backends, config }: Pick<Start, 'backends' | 'config'>): ConfigText | undefined {
  return backends.length > 0 ? undefined : readConfigText(config);
}

/** Reads the configuration as it is at the moment. Throws ConfigError. */
export function readStart(start: Start): Read {
  const file = fileOf(start);
  return { file, config: configFrom(start, file) };
}

/** The configuration that a file, or none, makes together with the command line. Throws ConfigError, and UsageError for mistakes in flags. */
export function configFrom({ backends, workers, record }: Start, file: ConfigText | undefined): Config {
  try {
    return configOf(file, process.env, { backends, workers, record });
  } catch (error) {
    throw error instanceof FlagsError ? new UsageError(error.problems.map(formatProblem).join('; ')) : error;
  }
}
