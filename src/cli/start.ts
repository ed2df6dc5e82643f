import { type Config, type ConfigText, configOf, readConfigText } from '../config/index.js';
import { textOf, UsageError, type Values } from './command.js';

/** What the command line says about a start of the gateway. */
export interface Start {
  readonly config: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly workers: number | undefined;
  readonly insecure: boolean;
}

/** Throws UsageError for numbers that are none. */
export function startOf(values: Values): Start {
  return {
    config: textOf(values, 'config'),
    host: textOf(values, 'host'),
    port: numberOf(values, 'port', 0, 65535),
    workers: numberOf(values, 'workers', 1, 1024),
    insecure: values.insecure === true,
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

/** Reads the configuration as it is at the moment. Throws ConfigError. */
export function readStart(start: Start): Read {
  const file = readConfigText(start.config);
  return { file, config: configFrom(start, file) };
}

/** The configuration that a file, or none, makes together with the command line. Throws ConfigError. */
export function configFrom({ workers }: Start, file: ConfigText | undefined): Config {
  return configOf(file, process.env, { workers });
}
