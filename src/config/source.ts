import { existsSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { parse } from 'yaml';
import { errorCode, errorMessage } from '../error-code.js';
import { type Environment, markVariables } from './environment.js';
import { ConfigError } from './problem.js';

const FILES = ['interlingua.yaml', 'interlingua.yml', 'interlingua.json'];

/** The configuration file that counts: the given one, else the environment's, else one in the working directory. */
export function findFile(given: string | undefined, environment: Environment): string | undefined {
  const named = given ?? environment.INTERLINGUA_CONFIG;
  if (named !== undefined && named !== '') return resolve(named);
  return FILES.map((name) => resolve(name)).find((path) => existsSync(path));
}

/** A configuration as it lies in its file. */
export interface ConfigText {
  readonly path: string;
  readonly text: string;
}

/** Reads one file. Throws ConfigError with one line that names it. */
export function readConfigFile(path: string): ConfigText {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    throw new ConfigError([{ path, reason: `cannot be read (${errorCode(error) ?? 'unknown reason'})` }]);
  }
}

/** Parses what was read. Throws ConfigError with one line that names the file and the place of the fault. */
export function parseConfigFile(file: ConfigText): unknown {
  const { path } = file;
  const text = markVariables(file.text);
  try {
    return extname(path) === '.json' ? JSON.parse(text) : parse(text, { prettyErrors: true, maxAliasCount: 100 });
  } catch (error) {
    throw new ConfigError([
      { path, reason: `is no valid ${extname(path) === '.json' ? 'JSON' : 'YAML'}${place(error)}` },
    ]);
  }
}

/** Line and column where the parser gives them. Its message is left out: it quotes the file, and the file holds keys. */
function place(error: unknown): string {
  const found = /line (\d+),? column (\d+)/.exec(errorMessage(error));
  return found === null ? '' : ` at line ${found[1]}, column ${found[2]}`;
}
